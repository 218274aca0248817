using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Access to the articles of all providers, for building files. Thread-safe.</summary>
internal interface IArticles
{
    /// <summary>Articles in memory.</summary>
    SegmentCache Cache { get; }

    TimeProvider Time { get; }

    /// <summary>Fetches an article to read its header. Its bytes stay in the cache for the first reader.</summary>
    /// <param name="key">The article and what is known about it.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="headBytes">Number of its first bytes to copy.</param>
    /// <param name="cancellationToken">Stops waiting for the answer.</param>
    Task<ArticleProbe> ProbeAsync(SegmentKey key, FetchPriority priority, int headBytes, CancellationToken cancellationToken);
}

/// <summary>Result of requesting one article.</summary>
/// <param name="Fault">Why it was not found; null: it was.</param>
/// <param name="Header">The article's own header; null unless found, and for a STAT.</param>
/// <param name="Reason">The fault as text.</param>
public sealed record ArticleProbe(ContentFault? Fault, ArticleHeader? Header, string? Reason)
{
    /// <summary>Copy of its first bytes, as many as were requested and exist.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }
}
