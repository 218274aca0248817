using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>What becomes of a torrent of the user's.</summary>
internal enum TorrentPhaseBody
{
    /// <summary>Peers are asked what it holds.</summary>
    Metadata = TorrentState.Metadata,

    /// <summary>Not all that is wanted is there; it waits for its turn.</summary>
    DownloadQueued = TorrentState.DownloadQueued,

    /// <summary>Pieces that are wanted come.</summary>
    Downloading = TorrentState.Downloading,

    /// <summary>Pieces are wanted and none comes: the reason says why.</summary>
    DownloadStalled = TorrentState.DownloadStalled,

    /// <summary>Stopped before all that is wanted was there.</summary>
    DownloadStopped = TorrentState.DownloadStopped,

    /// <summary>Complete; it waits for its turn.</summary>
    SeedQueued = TorrentState.SeedQueued,

    /// <summary>Complete, and peers take pieces.</summary>
    Seeding = TorrentState.Seeding,

    /// <summary>Complete; no peer takes anything now.</summary>
    SeedIdle = TorrentState.SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped = TorrentState.SeedStopped,

    /// <summary>What is on disk is hashed.</summary>
    Checking = TorrentState.Checking,

    /// <summary>What is on disk goes elsewhere.</summary>
    Moving = TorrentState.Moving,

    /// <summary>Files that were kept are gone from the disk.</summary>
    Missing = TorrentState.Missing,

    /// <summary>It cannot go on: the reason says why.</summary>
    Failed = TorrentState.Failed,
}
