using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Peers;

/// <summary>What serving a torrent's data to a peer needs of the torrent.</summary>
internal interface IServedTorrent
{
    /// <summary>The torrent's lock.</summary>
    Lock Gate { get; }

    /// <summary>Ticks of 100 ns on the engine's clock.</summary>
    long Now { get; }

    /// <summary>Fires when the torrent is closed.</summary>
    CancellationToken Stopping { get; }

    /// <summary>The state of each piece; null until the info dictionary is known.</summary>
    PieceTable? Table { get; }

    /// <summary>The verified pieces; null until the info dictionary is known.</summary>
    TorrentPieces? Pieces { get; }

    /// <summary>Upload limit of this torrent.</summary>
    RateLimit UploadLimit { get; }

    /// <summary>Upload limit of all torrents together.</summary>
    RateLimit SharedUploadLimit { get; }

    /// <summary>Counts payload that was sent to a peer. Thread-safe.</summary>
    void AddUploaded(int bytes);
}
