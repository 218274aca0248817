namespace NzbDav.Catalog.Jobs;

/// <summary>Selects jobs of queue and history. Null values select any.</summary>
public sealed record JobFilter
{
    /// <summary>Statuses of jobs that have not ended.</summary>
    public static IReadOnlyCollection<JobStatus> InQueue { get; } =
        [JobStatus.Queued, JobStatus.Waiting, JobStatus.Paused, JobStatus.Running];

    /// <summary>Statuses of jobs that no worker has claimed: <see cref="JobState.Queued"/>.</summary>
    public static IReadOnlyCollection<JobStatus> NotTaken { get; } = [JobStatus.Queued, JobStatus.Waiting, JobStatus.Paused];

    /// <summary>Statuses of jobs that ended.</summary>
    public static IReadOnlyCollection<JobStatus> Ended { get; } = [JobStatus.Completed, JobStatus.Failed];

    /// <summary>Jobs with one of these statuses.</summary>
    public IReadOnlyCollection<JobStatus>? Standings { get; init; }

    /// <summary>Jobs submitted as one of these.</summary>
    public IReadOnlyCollection<JobKind>? Kinds { get; init; }

    /// <summary>Jobs of one of these categories; case-sensitive.</summary>
    public IReadOnlyCollection<string>? Categories { get; init; }

    /// <summary>Jobs with this name.</summary>
    public string? Name { get; init; }

    /// <summary>Jobs with this text in the name; ignores the case of ASCII letters.</summary>
    public string? Search { get; init; }

    /// <summary>
    /// Jobs with this <see cref="NewJob.ContentHash"/>, except those with hidden files or a torrent removed from the list.
    /// </summary>
    public string? ContentHash { get; init; }

    /// <summary>True: archived jobs; false: jobs that are not archived.</summary>
    public bool? Archived { get; init; }

    /// <summary>True: includes a completed job only if its collection is still in the tree.</summary>
    public bool HasContent { get; init; }

    /// <summary>Jobs with one of these ids.</summary>
    public IReadOnlyCollection<long>? Ids { get; init; }

    /// <summary>Jobs that wait, run or failed: the content of <c>/nzbs/&lt;category&gt;/</c>.</summary>
    public static JobFilter Unfinished(string category) =>
        new() { Standings = [.. InQueue, JobStatus.Failed], Categories = [category], Archived = false };
}

/// <summary>A page of a list of jobs, and the order of the list.</summary>
public sealed record JobPaging
{
    /// <summary>The order.</summary>
    public JobListSort Sort { get; init; }

    /// <summary>True for the reverse order; not for <see cref="JobListSort.Turn"/>.</summary>
    public bool Descending { get; init; }

    /// <summary>Jobs to skip at the beginning.</summary>
    public int Offset { get; init; }

    /// <summary>Most jobs to return; at least 0.</summary>
    public int Limit { get; init; } = int.MaxValue;
}

/// <summary>Sort key of a list of jobs.</summary>
public enum JobListSort
{
    /// <summary>The queue in the order in which workers claim it, then ended jobs, latest first.</summary>
    Turn,

    /// <summary>By name, ignoring the case of ASCII letters.</summary>
    Name,

    /// <summary>By bytes of all files.</summary>
    Size,

    /// <summary>By time of arrival.</summary>
    Added,

    /// <summary>By time of end; jobs that have not ended sort last.</summary>
    Finished,

    /// <summary>By category, then by name.</summary>
    Category,
}

/// <summary>The status of a job as shown to people: its <see cref="JobState"/>, and why a queued job is not claimed.</summary>
public enum JobStatus
{
    /// <summary>Waits for its turn.</summary>
    Queued,

    /// <summary>Was put back until a set time for a temporary reason, such as a provider that does not answer.</summary>
    Waiting,

    /// <summary>Somebody paused it.</summary>
    Paused,

    /// <summary>A worker holds it, or its .nzb is being fetched.</summary>
    Running,

    /// <summary>Its files are published.</summary>
    Completed,

    /// <summary>It failed.</summary>
    Failed,
}

/// <summary>The number of jobs with each <see cref="JobStatus"/>.</summary>
public sealed record JobStatusCounts(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed)
{
    /// <summary>Jobs that have not ended.</summary>
    public int InQueue => Queued + Waiting + Paused + Running;

    /// <summary>All jobs.</summary>
    public int Total => InQueue + Completed + Failed;

    /// <summary>The number of jobs in a state.</summary>
    public int Of(JobState state) => state switch
    {
        JobState.Queued => Queued + Waiting + Paused,
        JobState.Running => Running,
        JobState.Completed => Completed,
        _ => Failed,
    };

    /// <summary>The number of jobs with one of these statuses; null: any.</summary>
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
