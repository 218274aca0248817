namespace NzbDav.Catalog.Health;

/// <summary>What is known about the health of one post. Immutable.</summary>
public sealed record HealthPost
{
    /// <summary>The job's collection.</summary>
    public required long ItemId { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its category.</summary>
    public string Category { get; init; } = "";

    /// <summary>When it was imported.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>The result of the checks.</summary>
    public HealthVerdict Verdict { get; init; }

    /// <summary>The work under way.</summary>
    public HealthStage Stage { get; init; }

    /// <summary>When it is checked next.</summary>
    public required DateTimeOffset Due { get; init; }

    /// <summary>True if it goes before posts that are merely due.</summary>
    public bool Urgent { get; init; }

    /// <summary>The last conclusive check; null: none yet.</summary>
    public DateTimeOffset? Checked { get; init; }

    /// <summary>Number of conclusive checks.</summary>
    public int Checks { get; init; }

    /// <summary>The last check that found everything it requested; null: none yet.</summary>
    public DateTimeOffset? LastComplete { get; init; }

    /// <summary>The index, from 0, of the article at which the sweep over all articles continues.</summary>
    public int Place { get; init; }

    /// <summary>Articles of all its files, as of the last check.</summary>
    public int Articles { get; init; }

    /// <summary>Accounts that had articles of it when they were last asked.</summary>
    public IReadOnlyList<string> Had { get; init; } = [];

    /// <summary>Why it is in this state, as a sentence; null: nothing is wrong.</summary>
    public string? Reason { get; init; }

    /// <summary>When the verdict or the stage last changed.</summary>
    public DateTimeOffset Changed { get; init; }

    /// <summary>Since when a person wants it left alone; null: nobody does.</summary>
    public DateTimeOffset? Kept { get; init; }

    /// <summary>Since when it is hidden; null: it is shown.</summary>
    public DateTimeOffset? Hidden { get; init; }

    /// <summary>The running search of an *arr, in the *arr's own words; null: none.</summary>
    public string? Search { get; init; }

    /// <summary>Number of articles that were missing when last requested.</summary>
    public int Gone { get; init; }
}

/// <summary>The result of checking a post.</summary>
public enum HealthVerdict
{
    /// <summary>Not checked yet.</summary>
    New,

    /// <summary>The last check found everything it requested.</summary>
    Healthy,

    /// <summary>Articles were missing on every provider once. It is checked again after two days.</summary>
    Suspect,

    /// <summary>Articles were missing on every provider twice, days apart.</summary>
    Missing,

    /// <summary>The missing articles were reconstructed from the recovery data.</summary>
    Repaired,

    /// <summary>A replacement plays.</summary>
    Replaced,

    /// <summary>No permitted action fixed it.</summary>
    GivenUp,
}

/// <summary>The progress of the work on a post with confirmed missing articles.</summary>
public enum HealthStage
{
    /// <summary>Nothing is under way.</summary>
    None,

    /// <summary>It is being repaired from its recovery data.</summary>
    Repairing,

    /// <summary>It cannot be repaired; another post of the same release is being looked for.</summary>
    Matching,

    /// <summary>An *arr is to be asked to search for a replacement.</summary>
    Asking,

    /// <summary>An *arr searches for a replacement.</summary>
    Searching,

    /// <summary>A replacement plays; the old post is to be hidden.</summary>
    Removing,

    /// <summary>The old post is hidden and is deleted later.</summary>
    Hidden,
}
