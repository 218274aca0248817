using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What the torrents of one engine share.</summary>
internal sealed record SwarmContext(
    TorrentOptions Options,
    TimeProvider Time,
    BufferPool Pool,
    PieceStore Store,
    BackgroundWorkers Workers,
    ITransportDialer Dialer,
    IPieceCheck Check,
    TorrentMetrics Metrics,
    RateLimit UploadLimit,
    InfoHash PeerId)
{
    /// <summary>Where we listen; 0 = nowhere.</summary>
    public int Port { get; set; }
}
