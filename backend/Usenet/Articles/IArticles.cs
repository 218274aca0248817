using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>All articles of all providers, for building files. Thread-safe.</summary>
internal interface IArticles
{
    /// <summary>Articles in memory.</summary>
    SegmentCache Cache { get; }

    TimeProvider Time { get; }

    /// <summary>Fetches an article to read its header. Its bytes stay in the cache for the first reader.</summary>
    /// <param name="key">The article and what is known of it.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="headBytes">How many of its first bytes to copy.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    Task<ArticleProbe> ProbeAsync(SegmentKey key, FetchPriority priority, int headBytes, CancellationToken cancellationToken);
}

/// <summary>Result of asking for one article.</summary>
/// <param name="Outcome">Found, or why not.</param>
/// <param name="Header">The article's own header; null unless found, and for a STAT.</param>
/// <param name="Reason">Why it was not found, as text; null when found.</param>
public sealed record ArticleProbe(SegmentOutcome Outcome, ArticleHeader? Header, string? Reason)
{
    /// <summary>Copy of its first bytes, as many as were requested and exist.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }
}
