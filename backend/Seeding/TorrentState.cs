namespace NzbDav.Seeding;

/// <summary>State of one of the user's torrents. <see cref="ShelfTorrent.IsForced"/> says whether it is forced to run.</summary>
public enum TorrentState
{
    /// <summary>Peers are asked for its metadata.</summary>
    Metadata,

    /// <summary>Incomplete; waits for its turn.</summary>
    DownloadQueued,

    /// <summary>Wanted pieces are arriving.</summary>
    Downloading,

    /// <summary>Incomplete, and no wanted pieces are arriving: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    DownloadStalled,

    /// <summary>Stopped before it was complete.</summary>
    DownloadStopped,

    /// <summary>Complete; waits for its turn.</summary>
    SeedQueued,

    /// <summary>Complete, and peers are fetching pieces.</summary>
    Seeding,

    /// <summary>Complete; no peer is fetching anything now.</summary>
    SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped,

    /// <summary>Its data on disk are being hashed.</summary>
    Checking,

    /// <summary>Its data on disk are being moved.</summary>
    Moving,

    /// <summary>Files that were kept are gone, or their disk cannot be reached: <see cref="ShelfTorrent.Reason"/> says which and why.
    /// Nothing is fetched.</summary>
    Missing,

    /// <summary>It cannot continue: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    Failed,
}
