using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>What asking for one article told.</summary>
/// <param name="Outcome">Found, or why not.</param>
/// <param name="Header">The article's own header; null unless found.</param>
/// <param name="Reason">In words; null when found.</param>
public sealed record ArticleProbe(SegmentOutcome Outcome, ArticleHeader? Header, string? Reason);
