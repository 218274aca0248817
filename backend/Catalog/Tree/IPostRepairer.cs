using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tree;

/// <summary>
/// Reconstructs articles of published files that are missing or damaged on every provider, from the recovery data of their posts.
/// Thread-safe.
/// </summary>
public interface IPostRepairer
{
    /// <summary>Starts the repair of an article, unless it is running or failed too recently to try again. Returns at once.</summary>
    /// <param name="item">The file.</param>
    /// <param name="article">The article's id in the file's map.</param>
    void Begin(CatalogItem item, string article);

    /// <summary>
    /// Starts the repair likewise, and waits for it: up to <see cref="MaxWait"/>, or less once it is clear that this is not enough.
    /// </summary>
    /// <param name="item">The file.</param>
    /// <param name="article">The article's id in the file's map.</param>
    /// <param name="cancellationToken">Stops waiting. The repair goes on.</param>
    ValueTask<RepairWaitOutcome> RepairAsync(CatalogItem item, string article, CancellationToken cancellationToken);

    /// <summary>
    /// Call when a file is opened. Starts a repair that its import knew of but could not make, or that a shutdown interrupted, so that the
    /// bytes are there before playback reaches them. Returns at once.
    /// </summary>
    /// <param name="item">The file.</param>
    void Open(CatalogItem item);

    /// <summary>
    /// Why the latest repair of a file failed for a lasting reason, and until when it is not tried again. Null if it did not fail so, is
    /// running, or may be tried now. Survives a restart.
    /// </summary>
    /// <param name="item">The file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">The failure cannot be read.</exception>
    ValueTask<RepairFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken);

    /// <summary>The state of a file's repair, as a sentence for people; null if none was begun since the start, or it succeeded.</summary>
    string? DescribeState(CatalogItem item);

    /// <summary>
    /// The longest wait of <see cref="RepairAsync"/>: below the server's timeout for the first byte of a response, and below that of
    /// players.
    /// </summary>
    static TimeSpan MaxWait { get; } = TimeSpan.FromSeconds(20);
}

/// <summary>The outcome of waiting for a repair.</summary>
/// <param name="State">The state of the repair.</param>
/// <param name="Reason">Why the article is missing, as a sentence; null if it is there or the reason is unknown.</param>
public readonly record struct RepairWaitOutcome(RepairWaitState State, string? Reason = null)
{
    /// <summary>True if it failed for a temporary reason, such as a provider that does not answer. A later attempt may succeed.</summary>
    public bool IsTransient { get; init; }

    /// <summary>How long the caller waited.</summary>
    public TimeSpan Waited { get; init; }
}

/// <summary>The state of a repair.</summary>
public enum RepairWaitState
{
    /// <summary>The article was reconstructed. Reading the same place again may succeed.</summary>
    Repaired,

    /// <summary>The repair is still running.</summary>
    Running,

    /// <summary>It failed, or there is no recovery data.</summary>
    Failed,
}

/// <summary>A repair that failed for a lasting reason and is not tried again yet.</summary>
/// <param name="Reason">Why, as sentences.</param>
/// <param name="Until">When it may be tried again, unless the providers change first.</param>
public sealed record RepairFailure(string Reason, DateTimeOffset Until);
