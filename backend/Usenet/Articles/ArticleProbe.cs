using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Result of asking for one article.</summary>
/// <param name="Outcome">Found, or why not.</param>
/// <param name="Header">The article's own header; null unless found, and for a STAT.</param>
/// <param name="Reason">As text; null when found.</param>
public sealed record ArticleProbe(SegmentOutcome Outcome, ArticleHeader? Header, string? Reason)
{
    /// <summary>Copy of its first bytes, as many as were requested and exist.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }
}
