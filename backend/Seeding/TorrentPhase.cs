namespace NzbDav.Seeding;

/// <summary>What is being done with a torrent.</summary>
internal enum TorrentPhase
{
    /// <summary>Nothing: it is opened when somebody reads it.</summary>
    Idle,

    /// <summary>It waits for its turn.</summary>
    Queued,

    /// <summary>It is kept in its swarm.</summary>
    Running,

    /// <summary>What is on disk is hashed.</summary>
    Checking,

    /// <summary>What is on disk goes elsewhere.</summary>
    Moving,
}
