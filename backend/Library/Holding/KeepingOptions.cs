namespace NzbDav.Library.Holding;

/// <summary>How files that libraries no longer have are treated. Immutable.</summary>
public sealed record KeepingOptions
{
    /// <summary>Folders with links, absolute, without a slash at their ends.</summary>
    public IReadOnlyList<string> Folders { get; init; } = [];

    /// <summary>Time between two readings of everything.</summary>
    public TimeSpan ReadEvery { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How long a file that no library has is still shown.</summary>
    public TimeSpan HideAfter { get; init; } = TimeSpan.FromDays(7);

    /// <summary>How long it is hidden before it is deleted.</summary>
    public TimeSpan DeleteAfter { get; init; } = TimeSpan.FromDays(30);

    /// <summary>How long after the first reading nothing is hidden or deleted yet.</summary>
    public TimeSpan Trial { get; init; } = TimeSpan.FromDays(14);

    /// <summary>The largest share of the files that libraries have or had, 0 … 1, that may be lost, hidden or deleted at once.</summary>
    public double MostShare { get; init; } = 0.1;
}
