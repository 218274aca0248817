using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tree;

/// <summary>Reconstructs articles of published files that are gone from, or damaged on, every provider, using the recovery data of their
/// posts. Thread-safe.</summary>
public interface IPostRepairer
{
    /// <summary>Begins the repair that would bring an article of a file back, unless it is under way, or was tried and is not worth trying
    /// again yet. Returns at once.</summary>
    /// <param name="item">The file.</param>
    /// <param name="article">What stands for the article in the file's map.</param>
    void Begin(CatalogItem item, string article);

    /// <summary>Begins it as well, and waits for it as long as somebody who reads will: up to <see cref="MaxWait"/>, and less as soon as
    /// it shows that this will not do.</summary>
    /// <param name="item">The file.</param>
    /// <param name="article">What stands for the article in the file's map.</param>
    /// <param name="cancellationToken">Stops waiting. The repair goes on.</param>
    ValueTask<RepairWaitOutcome> RepairAsync(CatalogItem item, string article, CancellationToken cancellationToken);

    /// <summary>
    /// A file is opened: a repair of it that its import knew of and could not make then, or that a stop of the server cut short, begins
    /// now, so that the bytes are there before somebody plays that far. Returns at once.
    /// </summary>
    /// <param name="item">The file.</param>
    void Open(CatalogItem item);

    /// <summary>Why the latest repair of a file failed, if not for what passes, and until when it is not tried again; null: it did not, is
    /// under way, or may be tried now. Outlasts a restart.</summary>
    /// <param name="item">The file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    ValueTask<RepairFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken);

    /// <summary>The state of a file's repair, as a sentence for people; null: none was begun since the start, or it succeeded.</summary>
    string? DescribeState(CatalogItem item);

    /// <summary>
    /// The longest that <see cref="RepairAsync"/> waits: shorter than the server waits for the first byte of a response, and than players
    /// do.
    /// </summary>
    static TimeSpan MaxWait { get; } = TimeSpan.FromSeconds(20);
}

/// <summary>The outcome of waiting for a repair.</summary>
/// <param name="State">How it stands.</param>
/// <param name="Reason">Why the article is not there, as a sentence; null when it is, or nothing can be said.</param>
public readonly record struct RepairWaitOutcome(RepairWaitState State, string? Reason = null)
{
    /// <summary>True if it failed for a temporary reason, such as a provider that does not answer: a later attempt may succeed.</summary>
    public bool IsTransient { get; init; }

    /// <summary>How long the caller waited.</summary>
    public TimeSpan Waited { get; init; }
}

/// <summary>How a repair stands.</summary>
public enum RepairWaitState
{
    /// <summary>The article was reconstructed: reading the same place again may succeed.</summary>
    Repaired,

    /// <summary>The repair goes on.</summary>
    Running,

    /// <summary>It failed, or there is no recovery data.</summary>
    Failed,
}

/// <summary>A repair that failed for a lasting reason: it is not tried again yet.</summary>
/// <param name="Reason">Why, as sentences.</param>
/// <param name="Until">When it may be tried again, unless the providers change before.</param>
public sealed record RepairFailure(string Reason, DateTimeOffset Until);
