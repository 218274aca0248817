using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Files;

/// <summary>Where the articles of one posted file lie in it; or why that cannot be determined.</summary>
/// <param name="Segments">Null on failure.</param>
/// <param name="Header">The header of the first article that could be fetched; null when none could.</param>
/// <param name="Outcome">Found, or the kind of failure.</param>
/// <param name="Reason">As text; null on success.</param>
public sealed record PostLayout(SegmentTable? Segments, ArticleHeader? Header, SegmentOutcome Outcome, string? Reason)
{
    /// <summary>
    /// Of a file that the .nzb does not list as a whole: before which of its articles some are missing (their number if behind the last),
    /// and how many, as far as the others show that. Null otherwise.
    /// </summary>
    public (int Index, int Count)? Gap { get; init; }
}
