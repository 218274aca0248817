namespace NzbDav.Catalog.Jobs;

/// <summary>Which jobs of queue and history to list.</summary>
public sealed record JobListFilter
{
    /// <summary>Those that stand there; null: anywhere.</summary>
    public IReadOnlyCollection<JobStanding>? Standings { get; init; }

    /// <summary>Those brought as this; null: as anything.</summary>
    public JobKind? Kind { get; init; }

    /// <summary>Those of this category; null: of all.</summary>
    public string? Category { get; init; }

    /// <summary>Part of the name, whatever the case of ASCII letters; null: any name.</summary>
    public string? Search { get; init; }

    /// <summary>The order.</summary>
    public JobListSort Sort { get; init; }

    /// <summary>The other way round; not for <see cref="JobListSort.Turn"/>.</summary>
    public bool Descending { get; init; }

    /// <summary>Jobs to leave out at the beginning.</summary>
    public int Offset { get; init; }

    /// <summary>Most jobs to give.</summary>
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
public enum JobStanding
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

/// <summary>How many jobs there are of each <see cref="JobStanding"/>.</summary>
public sealed record JobStandings(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed)
{
    /// <summary>Those that have not ended.</summary>
    public int InQueue => Queued + Waiting + Paused + Running;

    /// <summary>How many stand there; null: anywhere.</summary>
    public int Of(IReadOnlyCollection<JobStanding>? standings) => standings is null
        ? InQueue + Completed + Failed
        : standings.Distinct().Sum(standing => standing switch
        {
            JobStanding.Queued => Queued,
            JobStanding.Waiting => Waiting,
            JobStanding.Paused => Paused,
            JobStanding.Running => Running,
            JobStanding.Completed => Completed,
            _ => Failed,
        });
}
