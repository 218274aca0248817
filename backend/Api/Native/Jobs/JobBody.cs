using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Jobs;

/// <summary>A job of the queue or the history.</summary>
internal record JobBody
{
    /// <summary>Its id, in decimal digits.</summary>
    public string Id { get; init; } = "";

    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its category: the folder below /content where it is published.</summary>
    public string Category { get; init; } = "";

    /// <summary>What was added: an .nzb, a torrent or a magnet link.</summary>
    public JobKind Kind { get; init; }

    /// <summary>Its state.</summary>
    public JobStatus State { get; init; }

    /// <summary>How it was added.</summary>
    public JobSource Source { get; init; }

    /// <summary>Higher priorities run first: -1 low, 0 normal, 1 high, 2 even while the queue is paused.</summary>
    public int Priority { get; init; }

    /// <summary>Its place in the queue, from 0. Null if it is not in the queue, and in lists that are not sorted by turn.</summary>
    public int? Position { get; init; }

    /// <summary>When it was added.</summary>
    public DateTimeOffset Added { get; init; }

    /// <summary>When a worker first started it.</summary>
    public DateTimeOffset? Started { get; init; }

    /// <summary>When it was completed or given up.</summary>
    public DateTimeOffset? Finished { get; init; }

    /// <summary>The current step: fetch, parse, probe, name, layout, validate, metadata, publish. Null while it does not run.</summary>
    public string? Step { get; init; }

    /// <summary>The number of that step, from 0.</summary>
    public int? StepIndex { get; init; }

    /// <summary>How many steps there are.</summary>
    public int StepCount { get; init; }

    /// <summary>Progress of the step, 0 to 1.</summary>
    public double Progress { get; init; }

    /// <summary>Total bytes of its files, as far as known; exact once completed.</summary>
    public long Bytes { get; init; }

    /// <summary>Number of files, as far as known; exact once completed.</summary>
    public int Files { get; init; }

    /// <summary>Why it failed, or what it is waiting for.</summary>
    public JobFailureBody? Failure { get; init; }

    /// <summary>When it is tried again, while it waits.</summary>
    public DateTimeOffset? RetryAt { get; init; }

    /// <summary>How often it was started.</summary>
    public int Attempts { get; init; }

    /// <summary>True if a password for its archives was given.</summary>
    public bool HasPassword { get; init; }

    /// <summary>The collection under which it was published, while that exists.</summary>
    public string? ItemId { get; init; }

    /// <summary>The path of that collection, such as /content/movies/Film.</summary>
    public string? Path { get; init; }
}

/// <summary>Why a job failed, or what it is waiting for.</summary>
/// <param name="Code">A code for programs.</param>
/// <param name="Message">A message for people.</param>
internal sealed record JobFailureBody(string Code, string Message);

/// <summary>All details of a job.</summary>
internal sealed record JobDetailsBody : JobBody
{
    /// <summary>How long each step took, in the order in which they ran; empty before the end.</summary>
    public IReadOnlyList<StepTimeBody> Timings { get; init; } = [];

    /// <summary>Size in bytes of the .nzb, .torrent or link that was added.</summary>
    public long SourceBytes { get; init; }

    /// <summary>Where it was fetched from, without parts that may be secret.</summary>
    public string? Url { get; init; }

    /// <summary>Info-hash of a torrent: 40 hexadecimal digits.</summary>
    public string? InfoHash { get; init; }
}

/// <summary>Duration of one import step.</summary>
/// <param name="Step">Name of the step.</param>
/// <param name="Seconds">Its duration.</param>
internal sealed record StepTimeBody(string Step, double Seconds);

/// <summary>A part of the list of jobs.</summary>
/// <param name="Items">The jobs.</param>
/// <param name="Total">Number of jobs in the whole list.</param>
/// <param name="Offset">Number of jobs before these.</param>
/// <param name="Counts">Number of jobs by state, with all filters applied except the one by state.</param>
internal sealed record JobPageBody(IReadOnlyList<JobBody> Items, int Total, int Offset, JobCountsBody Counts);

/// <summary>Number of jobs by state.</summary>
/// <param name="Queued">Waiting for their turn.</param>
/// <param name="Waiting">Deferred until a certain time.</param>
/// <param name="Paused">Paused by a user or client.</param>
/// <param name="Running">Being imported or fetched.</param>
/// <param name="Completed">Published.</param>
/// <param name="Failed">Given up.</param>
public sealed record JobCountsBody(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed);
