using System.Globalization;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Jobs;

/// <summary>A row of the queue or the history. Immutable: a snapshot of when it was read.</summary>
public sealed record CatalogJob
{
    /// <summary>Exceeds 2^53: write it as text where JavaScript reads it.</summary>
    public required long Id { get; init; }

    /// <summary>See <see cref="NewJob.Name"/>.</summary>
    public required string Name { get; init; }

    /// <summary>See <see cref="NewJob.Category"/>.</summary>
    public required string Category { get; init; }

    /// <summary>Its state.</summary>
    public required JobState State { get; init; }

    /// <summary>The type of input.</summary>
    public JobKind Kind { get; init; }

    /// <summary>Higher goes first.</summary>
    public required int Priority { get; init; }

    /// <summary>Where it came from.</summary>
    public required JobSource Source { get; init; }

    /// <summary>The .nzb (or .torrent, or magnet link) as submitted.</summary>
    public BlobHash? Nzb { get; init; }

    /// <summary>Size of the submitted file in bytes.</summary>
    public long NzbSize { get; init; }

    /// <summary>For encrypted archives.</summary>
    public string? Password { get; init; }

    /// <summary>When it was enqueued.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>When a worker first claimed it.</summary>
    public DateTimeOffset? Started { get; init; }

    /// <summary>When it completed or failed.</summary>
    public DateTimeOffset? Finished { get; init; }

    /// <summary>The worker that holds it, while it runs.</summary>
    public string? Owner { get; init; }

    /// <summary>When another worker may take it over, while it runs.</summary>
    public DateTimeOffset? LeaseUntil { get; init; }

    /// <summary>Earliest time to claim it; set while it waits, for example for providers to come back.</summary>
    public DateTimeOffset? NotBefore { get; init; }

    /// <summary>When it was first put back for a temporary reason, without progress since; null if it does not wait.</summary>
    public DateTimeOffset? WaitingSince { get; init; }

    /// <summary>True if somebody paused it: no worker claims it until it is resumed.</summary>
    public bool Paused { get; init; }

    /// <summary>See <see cref="NewJob.ContentHash"/>.</summary>
    public string? ContentHash { get; init; }

    /// <summary>True if it is archived from the history: the client that requested it is done with it.</summary>
    public bool Archived { get; init; }

    /// <summary>See <see cref="NewJob.Url"/>.</summary>
    public string? Url { get; init; }

    /// <summary>The id by which download clients know a job that came from another program; null: its own.</summary>
    public string? DownloadId { get; init; }

    /// <summary>How long each step took, in the order in which they ran; empty until it ends.</summary>
    public IReadOnlyList<StepTiming> Timings { get; init; } = [];

    /// <summary>Number of claims. Also tells claims apart: a worker that lost its lease cannot publish.</summary>
    public int Attempts { get; init; }

    /// <summary>Number of consecutive claims that ended with their worker's process: it crashed, was killed, or lost its lease.</summary>
    public int Lost { get; init; }

    /// <summary>The current step, for display; null before the first report.</summary>
    public string? Step { get; init; }

    /// <summary>Progress of the step, per mille.</summary>
    public int Progress { get; init; }

    /// <summary>Bytes of all files, as far as known; exact once completed.</summary>
    public long TotalBytes { get; init; }

    /// <summary>Number of files, as far as known; exact once completed.</summary>
    public int FileCount { get; init; }

    /// <summary>Why it failed, or why it waits while it is queued; for programs.</summary>
    public string? FailureCode { get; init; }

    /// <summary>Why it failed, or why it waits while it is queued; for people.</summary>
    public string? FailureMessage { get; init; }

    /// <summary>The collection that it was published as, while that exists.</summary>
    public long? ItemId { get; init; }

    /// <summary>Omits the password, for logs.</summary>
    public override string ToString() => $"{Id}: {Category}/{Name}, {State}";
}

/// <summary>What a job was submitted as.</summary>
public enum JobKind
{
    /// <summary>An .nzb.</summary>
    Nzb,

    /// <summary>A .torrent.</summary>
    Torrent,

    /// <summary>A magnet link, as text.</summary>
    Magnet,
}

/// <summary>The state of a job.</summary>
public enum JobState
{
    /// <summary>Waits for a worker.</summary>
    Queued,

    /// <summary>A worker holds it until its lease ends.</summary>
    Running,

    /// <summary>Its files are in the tree.</summary>
    Completed,

    /// <summary>It failed; the job has the reason.</summary>
    Failed,
}

/// <summary>Where a job came from.</summary>
public enum JobSource
{
    /// <summary>An .nzb dropped over WebDAV.</summary>
    Dav,

    /// <summary>The command line.</summary>
    Cli,

    /// <summary>The demonstration.</summary>
    Demo,

    /// <summary>One of the HTTP interfaces.</summary>
    Api,

    /// <summary>A watched folder on disk.</summary>
    Folder,
}

/// <summary>Priorities with SABnzbd's numbers; any other number is in between.</summary>
public static class JobPriority
{
    /// <summary>After all others.</summary>
    public const int Low = -1;

    /// <summary>In order of arrival.</summary>
    public const int Normal = 0;

    /// <summary>Before normal jobs.</summary>
    public const int High = 1;

    /// <summary>Before all, and even while the queue is paused.</summary>
    public const int Force = 2;
}

/// <summary>How long one step of an import took.</summary>
/// <param name="Step">Its name, a lower-case word.</param>
/// <param name="Duration">To the microsecond.</param>
public readonly record struct StepTiming(string Step, TimeSpan Duration)
{
    /// <summary>As stored: <c>parse:1200,probe:35000</c>, in microseconds.</summary>
    internal static string? Format(IReadOnlyList<StepTiming> timings) => timings.Count == 0
        ? null
        : string.Join(',', timings.Select(timing =>
            string.Create(CultureInfo.InvariantCulture, $"{timing.Step}:{timing.Duration.Ticks / TimeSpan.TicksPerMicrosecond}")));

    internal static IReadOnlyList<StepTiming> Parse(string? stored)
    {
        if (string.IsNullOrEmpty(stored))
            return [];
        var timings = new List<StepTiming>();
        foreach (var one in stored.Split(','))
        {
            var colon = one.IndexOf(':', StringComparison.Ordinal);
            if (colon > 0 && long.TryParse(one.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var microseconds)
                && microseconds <= TimeSpan.MaxValue.Ticks / 10)
                timings.Add(new StepTiming(one[..colon], TimeSpan.FromTicks(microseconds * TimeSpan.TicksPerMicrosecond)));
        }

        return timings;
    }
}
