namespace NzbDav.Catalog.Jobs;

/// <summary>Which jobs of queue and history are meant. Null: any.</summary>
public sealed record JobFilter
{
    /// <summary>The standings of jobs that have not ended.</summary>
    public static IReadOnlyCollection<JobStatus> InQueue { get; } =
        [JobStatus.Queued, JobStatus.Waiting, JobStatus.Paused, JobStatus.Running];

    /// <summary>The standings of jobs that no worker has taken: <see cref="JobState.Queued"/>.</summary>
    public static IReadOnlyCollection<JobStatus> NotTaken { get; } = [JobStatus.Queued, JobStatus.Waiting, JobStatus.Paused];

    /// <summary>The standings of jobs that ended.</summary>
    public static IReadOnlyCollection<JobStatus> Ended { get; } = [JobStatus.Completed, JobStatus.Failed];

    /// <summary>Those that stand there.</summary>
    public IReadOnlyCollection<JobStatus>? Standings { get; init; }

    /// <summary>Those that were brought as one of these.</summary>
    public IReadOnlyCollection<JobKind>? Kinds { get; init; }

    /// <summary>Those of these categories, written like this.</summary>
    public IReadOnlyCollection<string>? Categories { get; init; }

    /// <summary>Those of this name.</summary>
    public string? Name { get; init; }

    /// <summary>Those with this in the name, whatever the case of ASCII letters.</summary>
    public string? Search { get; init; }

    /// <summary>Those with this <see cref="NewJob.ContentHash"/> of which nothing is hidden.</summary>
    public string? ContentHash { get; init; }

    /// <summary>Put away from the history or not.</summary>
    public bool? Archived { get; init; }

    /// <summary>True: completed jobs only if what they published is still in the tree.</summary>
    public bool HasContent { get; init; }

    /// <summary>Those among these.</summary>
    public IReadOnlyCollection<long>? Ids { get; init; }

    /// <summary>What waits, runs or failed: the content of <c>/nzbs/&lt;category&gt;/</c>.</summary>
    public static JobFilter Unfinished(string category) =>
        new() { Standings = [.. InQueue, JobStatus.Failed], Categories = [category], Archived = false };
}

/// <summary>Which part of a list of jobs, and in which order.</summary>
public sealed record JobPaging
{
    /// <summary>The order.</summary>
    public JobListSort Sort { get; init; }

    /// <summary>The other way round; not for <see cref="JobListSort.Turn"/>.</summary>
    public bool Descending { get; init; }

    /// <summary>Jobs to leave out at the beginning.</summary>
    public int Offset { get; init; }

    /// <summary>Most jobs to give; at least 0.</summary>
    public int Limit { get; init; } = int.MaxValue;
}

/// <summary>What a list of jobs is sorted by.</summary>
public enum JobListSort
{
    /// <summary>The queue as workers take it, then what ended, latest first.</summary>
    Turn,

    /// <summary>The name, whatever the case of ASCII letters.</summary>
    Name,

    /// <summary>Bytes of all files.</summary>
    Size,

    /// <summary>When they came.</summary>
    Added,

    /// <summary>When they ended; what has not ended comes as if it ended now.</summary>
    Finished,

    /// <summary>The category, then the name.</summary>
    Category,
}

/// <summary>Where a job stands, as people see it: <see cref="JobState"/>, and why one that is queued is not taken.</summary>
public enum JobStatus
{
    /// <summary>Waits for its turn.</summary>
    Queued,

    /// <summary>Was put back until a time because of something that passes, such as a provider that does not answer.</summary>
    Waiting,

    /// <summary>Held back by somebody.</summary>
    Paused,

    /// <summary>A worker has it, or its .nzb is being fetched.</summary>
    Running,

    /// <summary>Its files are published.</summary>
    Completed,

    /// <summary>It was given up.</summary>
    Failed,
}

/// <summary>How many jobs there are of each <see cref="JobStatus"/>.</summary>
public sealed record JobStatusCounts(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed)
{
    /// <summary>Those that have not ended.</summary>
    public int InQueue => Queued + Waiting + Paused + Running;

    /// <summary>All of them.</summary>
    public int Total => InQueue + Completed + Failed;

    /// <summary>How many are in a state.</summary>
    public int Of(JobState state) => state switch
    {
        JobState.Queued => Queued + Waiting + Paused,
        JobState.Running => Running,
        JobState.Completed => Completed,
        _ => Failed,
    };

    /// <summary>How many stand there; null: anywhere.</summary>
    public int Of(IReadOnlyCollection<JobStatus>? standings) => standings is null
        ? Total
        : standings.Distinct().Sum(standing => standing switch
        {
            JobStatus.Queued => Queued,
            JobStatus.Waiting => Waiting,
            JobStatus.Paused => Paused,
            JobStatus.Running => Running,
            JobStatus.Completed => Completed,
            _ => Failed,
        });
}
