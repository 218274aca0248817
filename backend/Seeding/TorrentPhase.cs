namespace NzbDav.Seeding;

/// <summary>Current activity of a torrent.</summary>
internal enum TorrentPhase
{
    /// <summary>Nothing: it is only opened when a reader needs it.</summary>
    Idle,

    /// <summary>It waits for its turn.</summary>
    Queued,

    /// <summary>It is kept in its swarm.</summary>
    Running,

    /// <summary>Its data on disk is being hashed.</summary>
    Checking,

    /// <summary>Its data on disk is being moved.</summary>
    Moving,
}
