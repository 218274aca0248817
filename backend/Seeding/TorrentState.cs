namespace NzbDav.Seeding;

/// <summary>Where a torrent of the user's stands. <see cref="ShelfTorrent.IsForced"/> says whether it runs by force.</summary>
public enum TorrentState
{
    /// <summary>Peers are asked what it holds.</summary>
    Metadata,

    /// <summary>Not all that is wanted is there; it waits for its turn.</summary>
    DownloadQueued,

    /// <summary>Pieces that are wanted come.</summary>
    Downloading,

    /// <summary>Pieces are wanted and none comes: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    DownloadStalled,

    /// <summary>Stopped before all that is wanted was there.</summary>
    DownloadStopped,

    /// <summary>Complete; it waits for its turn.</summary>
    SeedQueued,

    /// <summary>Complete, and peers take pieces.</summary>
    Seeding,

    /// <summary>Complete; no peer takes anything now.</summary>
    SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped,

    /// <summary>What is on disk is hashed.</summary>
    Checking,

    /// <summary>What is on disk goes elsewhere.</summary>
    Moving,

    /// <summary>Files that were kept are gone from the disk.</summary>
    Missing,

    /// <summary>It cannot go on: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    Failed,
}
