using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>How the articles of one posted file lie in it; or why that cannot be told.</summary>
/// <param name="Segments">Null on failure.</param>
/// <param name="Header">The header of the first article that could be had; null when none could.</param>
/// <param name="Outcome">Found, or the kind of failure.</param>
/// <param name="Reason">In words; null on success.</param>
public sealed record PostLayout(SegmentTable? Segments, ArticleHeader? Header, SegmentOutcome Outcome, string? Reason);
