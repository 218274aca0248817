namespace NzbDav.Catalog;

/// <summary>Which ended jobs to show. What was published and is gone from the tree is never shown: there is nothing at its path.</summary>
public sealed record HistoryFilter
{
    /// <summary>False: those in the history; true: those put away.</summary>
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
