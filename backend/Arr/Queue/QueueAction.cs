namespace NzbDav.Arr.Queue;

/// <summary>What a rule does with a stuck download.</summary>
public enum QueueAction
{
    /// <summary>Nothing, and no later rule is asked: people decide.</summary>
    Leave,

    /// <summary>It goes from queue and client; the release may be taken again.</summary>
    Remove,

    /// <summary>It goes, its release is blocklisted, nothing is searched.</summary>
    Blocklist,

    /// <summary>It goes, its release is blocklisted, and another is searched.</summary>
    BlocklistAndSearch,
}
