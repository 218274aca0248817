using System.Net;
using NzbDav.Content;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What the torrents of one engine share.</summary>
internal sealed record SwarmContext(
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
    private TorrentOptions? _options;

    /// <summary>As they are now: asked for at each use, for they may be exchanged at any time.</summary>
    public required TorrentOptions Options
    {
        get => Volatile.Read(ref _options)!;
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>The connections of all torrents.</summary>
    public required ConnectionManager Connections { get; init; }

    /// <summary>On the blocklist, as it is at the time; null = nobody is.</summary>
    public Func<IPAddress, bool>? IsBlocked { get; init; }

    /// <summary>Why nothing can be sent at present; null = it can.</summary>
    public Func<string?> NetworkTrouble { get; init; } = static () => null;

    /// <summary>Bound on what all torrents fetch.</summary>
    public required SharedAllowance DownloadLimit { get; init; }

    /// <summary>Where addresses of peers are kept; null = nowhere.</summary>
    public SavedPeers? SavedPeers { get; init; }

    /// <summary>Our node in the DHT; null = none.</summary>
    public IDhtPorts? Dht { get; set; }

    /// <summary>Where we listen; 0 = nowhere.</summary>
    public int Port { get; set; }

    /// <summary>Where the router lets peers through to <see cref="Port"/>; 0 = nowhere, as far as is known.</summary>
    public Func<int> ExternalPort { get; init; } = static () => 0;

    /// <summary>The port that others are told: the router's, or ours.</summary>
    public int PublicPort => Port != 0 && ExternalPort() is > 0 and var external ? external : Port;
}
