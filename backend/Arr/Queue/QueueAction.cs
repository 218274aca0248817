namespace NzbDav.Arr.Queue;

/// <summary>What a rule does with a stuck download.</summary>
public enum QueueAction
{
    /// <summary>Nothing, and later rules are skipped: the user has to decide.</summary>
    Leave,

    /// <summary>The same, and the user is told: something is wrong on this side.</summary>
    Tell,

    /// <summary>Removes it from the queue and the download client; the release may be grabbed again.</summary>
    Remove,

    /// <summary>Removes it and blocklists its release, without a search.</summary>
    Blocklist,

    /// <summary>Removes it, blocklists its release and searches for another one.</summary>
    BlocklistAndSearch,
}
