namespace NzbDav.Catalog.Health;

/// <summary>What is known of a post.</summary>
public enum HealthVerdict
{
    /// <summary>Not checked yet.</summary>
    New,

    /// <summary>The last check found everything it asked for.</summary>
    Healthy,

    /// <summary>Articles were missing on every provider once. It is checked again after two days.</summary>
    Suspect,

    /// <summary>Articles were missing on every provider twice, days apart.</summary>
    Missing,

    /// <summary>The missing articles were reconstructed from the recovery data.</summary>
    Repaired,

    /// <summary>A replacement plays.</summary>
    Replaced,

    /// <summary>No permitted action brought it back.</summary>
    GivenUp,
}
