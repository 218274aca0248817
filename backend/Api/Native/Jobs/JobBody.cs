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
    public JobStanding State { get; init; }

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
