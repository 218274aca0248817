using NzbDav.Content;

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
