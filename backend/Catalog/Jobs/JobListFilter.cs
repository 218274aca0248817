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
