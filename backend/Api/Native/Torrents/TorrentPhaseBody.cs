using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>State of a torrent in the user's list.</summary>
internal enum TorrentPhaseBody
{
    /// <summary>Peers are asked for the torrent's metadata.</summary>
    Metadata = TorrentState.Metadata,

    /// <summary>Not all wanted bytes are here; it waits for its turn.</summary>
    DownloadQueued = TorrentState.DownloadQueued,

    /// <summary>Wanted pieces are arriving.</summary>
    Downloading = TorrentState.Downloading,

    /// <summary>Pieces are wanted and none arrives: the reason says why.</summary>
    DownloadStalled = TorrentState.DownloadStalled,

    /// <summary>Stopped before all wanted bytes were here.</summary>
    DownloadStopped = TorrentState.DownloadStopped,

    /// <summary>Complete; it waits for its turn.</summary>
    SeedQueued = TorrentState.SeedQueued,

    /// <summary>Complete, and pieces are being sent to peers.</summary>
    Seeding = TorrentState.Seeding,

    /// <summary>Complete; nothing is being sent to a peer now.</summary>
    SeedIdle = TorrentState.SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped = TorrentState.SeedStopped,

    /// <summary>The bytes on disk are being hashed.</summary>
    Checking = TorrentState.Checking,

    /// <summary>The bytes on disk are being moved.</summary>
    Moving = TorrentState.Moving,

    /// <summary>Kept files are missing from the disk.</summary>
    Missing = TorrentState.Missing,

    /// <summary>It cannot continue: the reason says why.</summary>
    Failed = TorrentState.Failed,
}
