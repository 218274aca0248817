using NzbDav.Catalog;

namespace NzbDav.Api.Native.Jobs;

/// <summary>A job of the queue or the history.</summary>
internal record JobBody
{
    /// <summary>Decimal digits.</summary>
    public string Id { get; init; } = "";

    /// <summary>What it is called.</summary>
    public string Name { get; init; } = "";

    /// <summary>The folder below /content that it goes to.</summary>
    public string Category { get; init; } = "";

    /// <summary>What it was brought as.</summary>
    public JobKind Kind { get; init; }

    /// <summary>Where it stands.</summary>
    public JobStanding State { get; init; }

    /// <summary>Who brought it.</summary>
    public JobSource Source { get; init; }

    /// <summary>Higher goes first: -1 low, 0 normal, 1 high, 2 even while the queue is paused.</summary>
    public int Priority { get; init; }

    /// <summary>Its place in the queue, from 0. Null for one that is not in it, and in lists that are not sorted by turn.</summary>
    public int? Position { get; init; }

    /// <summary>When it came.</summary>
    public DateTimeOffset Added { get; init; }

    /// <summary>When a worker first took it.</summary>
    public DateTimeOffset? Started { get; init; }

    /// <summary>When it was completed or given up.</summary>
    public DateTimeOffset? Finished { get; init; }

    /// <summary>What is being done: fetch, parse, probe, name, layout, validate, metadata, publish. Null while it does not run.</summary>
    public string? Step { get; init; }

    /// <summary>The number of that step, from 0.</summary>
    public int? StepIndex { get; init; }

    /// <summary>How many steps there are.</summary>
    public int StepCount { get; init; }

    /// <summary>How much of the step is done, 0 to 1.</summary>
    public double Progress { get; init; }

    /// <summary>Bytes of all files, as far as known; exact once completed.</summary>
    public long Bytes { get; init; }

    /// <summary>Number of files, as far as known; exact once completed.</summary>
    public int Files { get; init; }

    /// <summary>Why it failed, or what it waits for.</summary>
    public JobFailureBody? Failure { get; init; }

    /// <summary>When it is tried again, while it waits.</summary>
    public DateTimeOffset? RetryAt { get; init; }

    /// <summary>How often it was begun.</summary>
    public int Attempts { get; init; }

    /// <summary>True if a password for its archives came with it.</summary>
    public bool HasPassword { get; init; }

    /// <summary>The collection that it was published as, while that exists.</summary>
    public string? ItemId { get; init; }

    /// <summary>The path of that, such as /content/movies/Film.</summary>
    public string? Path { get; init; }
}
