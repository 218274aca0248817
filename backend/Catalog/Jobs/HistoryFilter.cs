namespace NzbDav.Catalog.Jobs;

/// <summary>Selects ended jobs. Jobs whose published content is gone from the tree are never shown.</summary>
public sealed record HistoryFilter
{
    /// <summary>False: jobs in the history; true: archived jobs.</summary>
    public bool Archived { get; init; }

    /// <summary>Completed or Failed; null: both.</summary>
    public JobState? State { get; init; }

    /// <summary>Jobs of these categories, written like this; null: of all.</summary>
    public IReadOnlyCollection<string>? Categories { get; init; }

    /// <summary>Part of the name, without regard to the case of ASCII letters; null: any.</summary>
    public string? Search { get; init; }

    /// <summary>These only; null: all.</summary>
    public IReadOnlyCollection<long>? Ids { get; init; }

    /// <summary>Entries to leave out at the beginning.</summary>
    public int Start { get; init; }

    /// <summary>Most entries to give; at least 0.</summary>
    public int Limit { get; init; } = int.MaxValue;
}
