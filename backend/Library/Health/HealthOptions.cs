namespace NzbDav.Library.Health;

/// <summary>How posts are checked and what is done about those that lost articles. Immutable.</summary>
public sealed record HealthOptions
{
    /// <summary>STAT commands per day, 0 … 10,000,000; 0: nothing is checked.</summary>
    public int StatsPerDay { get; init; } = 20_000;

    /// <summary>Posts that may be hidden per day before a person is asked, 0 … 1,000; 0: a person is asked for each.</summary>
    public int RemovalsPerDay { get; init; } = 5;

    /// <summary>What may be done without asking a person.</summary>
    public HealthAction Action { get; init; } = HealthAction.Repair;

    /// <summary>
    /// Articles fetched per day to see whether STATs tell the truth: one for a hundred STATs, 4 … 400; 0 if nothing is checked.
    /// </summary>
    public int BodiesPerDay => StatsPerDay == 0 ? 0 : Math.Clamp(StatsPerDay / 100, 4, 400);
}

/// <summary>What may be done about a post with missing articles without asking a person. Each level includes those before.</summary>
public enum HealthAction
{
    /// <summary>Nothing: missing articles are only reported.</summary>
    Check,

    /// <summary>Repair from recovery data, and read from another post of the same release.</summary>
    Repair,

    /// <summary>Ask an *arr for a replacement, and hide the old post once the replacement plays.</summary>
    Replace,
}
