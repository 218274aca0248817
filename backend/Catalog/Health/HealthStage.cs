namespace NzbDav.Catalog.Health;

/// <summary>How far the work on a post with confirmed missing articles is.</summary>
public enum HealthStage
{
    /// <summary>Nothing is under way.</summary>
    None,

    /// <summary>It is being repaired from its recovery data.</summary>
    Repairing,

    /// <summary>No repair is possible; another post of the same release is looked for.</summary>
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
