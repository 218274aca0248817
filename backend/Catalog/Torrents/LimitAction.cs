namespace NzbDav.Catalog.Torrents;

/// <summary>What becomes of a torrent that has been seeded enough.</summary>
public enum LimitAction
{
    /// <summary>It leaves its swarm and stays in the list.</summary>
    Stop,

    /// <summary>It leaves the list; its files stay.</summary>
    Remove,

    /// <summary>It leaves the list with its files. Files that a library has links to stay.</summary>
    RemoveData,
}
