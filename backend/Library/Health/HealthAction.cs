namespace NzbDav.Library.Health;

/// <summary>What may be done about a post with missing articles without asking a person. Each level includes those before.</summary>
public enum HealthAction
{
    /// <summary>Nothing: it is only shown.</summary>
    Check,

    /// <summary>Repair from recovery data, and read from another post of the same release.</summary>
    Repair,

    /// <summary>Ask an *arr for a replacement, and hide the old post once the replacement plays.</summary>
    Replace,
}
