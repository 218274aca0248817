namespace NzbDav.Catalog.Jobs;

/// <summary>Which jobs to list.</summary>
public sealed record JobFilter
{
    /// <summary>Jobs in these states; empty: in all.</summary>
    public IReadOnlyCollection<JobState> States { get; init; } = [];

    /// <summary>Jobs that were brought as these; empty: as anything.</summary>
    public IReadOnlyCollection<JobKind> Kinds { get; init; } = [];

    /// <summary>Jobs of this category; null: of all.</summary>
    public string? Category { get; init; }

    /// <summary>Jobs of this name; null: of any.</summary>
    public string? Name { get; init; }

    /// <summary>Jobs with this <see cref="NewJob.ContentHash"/> of which nothing is hidden; null: with any.</summary>
    public string? ContentHash { get; init; }

    /// <summary>Put away from the history or not; null: either.</summary>
    public bool? Archived { get; init; }

    /// <summary>Default: as workers take them.</summary>
    public JobOrder Order { get; init; }

    /// <summary>What waits, runs or failed: the content of <c>/nzbs/&lt;category&gt;/</c>.</summary>
    public static JobFilter Unfinished(string category) =>
        new() { States = [JobState.Queued, JobState.Running, JobState.Failed], Category = category, Archived = false };
}

/// <summary>In which order jobs are listed.</summary>
public enum JobOrder
{
    /// <summary>As workers take them: priority, then age.</summary>
    Turn,

    /// <summary>Newest first: the history.</summary>
    NewestFirst,
}
