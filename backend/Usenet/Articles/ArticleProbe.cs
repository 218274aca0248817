using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>What asking for one article told.</summary>
/// <param name="Outcome">Found, or why not.</param>
/// <param name="Header">The article's own header; null unless found, and when only its existence was asked.</param>
/// <param name="Reason">In words; null when found.</param>
public sealed record ArticleProbe(SegmentOutcome Outcome, ArticleHeader? Header, string? Reason)
{
    /// <summary>A copy of its first bytes, as many as were asked for and are there.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }
}
