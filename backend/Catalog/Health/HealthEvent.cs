namespace NzbDav.Catalog.Health;

/// <summary>An entry of the health history.</summary>
/// <param name="ItemId">The post; null: the entry is not about a post.</param>
/// <param name="Name">The post's name, or the account's.</param>
/// <param name="At">When.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Reason">Why, as a sentence for people.</param>
public sealed record HealthEvent(long? ItemId, string Name, DateTimeOffset At, HealthEventKind Kind, string Reason);

/// <summary>What an entry of the health history is about.</summary>
public enum HealthEventKind
{
    /// <summary>Articles are missing for the first time.</summary>
    Suspected,

    /// <summary>They were missing a second time, days later.</summary>
    Confirmed,

    /// <summary>Missing articles are available again.</summary>
    Recovered,

    /// <summary>A reader hit a missing article.</summary>
    ReadFailed,

    /// <summary>A repair began.</summary>
    RepairBegan,

    /// <summary>A repair reconstructed the missing articles.</summary>
    Repaired,

    /// <summary>A repair failed.</summary>
    RepairFailed,

    /// <summary>A file now reads from another post of the same release.</summary>
    Swapped,

    /// <summary>An *arr was asked to search for a replacement.</summary>
    Searched,

    /// <summary>A replacement was imported and read.</summary>
    ReplacementPlays,

    /// <summary>The old post is hidden.</summary>
    Hidden,

    /// <summary>A hidden post was deleted.</summary>
    Deleted,

    /// <summary>Nothing more can be done.</summary>
    GivenUp,

    /// <summary>A person undid what was done.</summary>
    Undone,

    /// <summary>A person wants the post left alone.</summary>
    Kept,

    /// <summary>Removals stopped at the daily limit.</summary>
    Braked,

    /// <summary>A person allowed more removals.</summary>
    Released,

    /// <summary>A provider denies so many articles that it had before that its answers do not count.</summary>
    Doubted,

    /// <summary>A provider's answers count again.</summary>
    Trusted,

    /// <summary>A provider's STAT confirms articles that it does not have.</summary>
    StatLies,
}
