using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.WebSeeds;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Services shared by the torrents of one engine.</summary>
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

    /// <summary>Current options. Read them at each use, because they may be replaced at any time.</summary>
    public required TorrentOptions Options
    {
        get => Volatile.Read(ref _options)!;
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>The connections of all torrents.</summary>
    public required ConnectionManager Connections { get; init; }

    /// <summary>The second info-hashes of hybrid torrents.</summary>
    public required TorrentAliases Aliases { get; init; }

    /// <summary>The memory of all peers' outboxes.</summary>
    public OutboxBudget OutboxBudget { get; } = new();

    /// <summary>True for an address on the current blocklist; null = there is no blocklist.</summary>
    public Func<IPAddress, bool>? IsBlocked { get; init; }

    /// <summary>Which addresses may be connected to.</summary>
    public OutboundRules Rules { get; init; } = OutboundRules.None;

    /// <summary>True while peers of an address family can be dialled by uTP.</summary>
    public Func<AddressFamily, bool> ReachesByUtp { get; init; } = static _ => false;

    /// <summary>Why nothing can be sent at the moment; null = traffic is possible.</summary>
    public Func<string?> NetworkTrouble { get; init; } = static () => null;

    /// <summary>Download limit of all torrents together.</summary>
    public required SharedAllowance DownloadLimit { get; init; }

    /// <summary>Sends requests to web seeds; null = they are not used.</summary>
    public WebSeedClient? WebSeeds { get; init; }

    /// <summary>Stores addresses of peers; null = they are not stored.</summary>
    public SavedPeers? SavedPeers { get; init; }

    /// <summary>Our node in the DHT; null = none.</summary>
    public IDhtPorts? Dht { get; set; }

    /// <summary>The port on which we listen; 0 = none.</summary>
    public int Port { get; set; }

    /// <summary>The router's port that leads to <see cref="Port"/>; 0 = none is known.</summary>
    public Func<int> ExternalPort { get; init; } = static () => 0;

    /// <summary>The port that we announce: the router's, or ours.</summary>
    public int PublicPort => Port != 0 && ExternalPort() is > 0 and var external ? external : Port;
}

/// <summary>
/// The second info-hashes of hybrid torrents (see <see cref="TorrentInfo.Alias"/>). A magnet link can claim any alias, so each leads to one
/// torrent only: the info-hash of an open torrent always means that torrent, and of two torrents with one alias the first has it. Takes no
/// lock. Thread-safe.
/// </summary>
/// <param name="isOpen">True for the info-hash of an open torrent.</param>
/// <param name="opened">Called when peers may use an alias.</param>
/// <param name="closed">Called when they may no longer.</param>
internal sealed class TorrentAliases(Func<InfoHash, bool> isOpen, Action<InfoHash> opened, Action<InfoHash> closed)
{
    private readonly ConcurrentDictionary<InfoHash, InfoHash> _owners = new();

    /// <summary>
    /// The info-hash of the torrent that has this alias; null if none has it, or if it is the info-hash of an open torrent.
    /// </summary>
    public InfoHash? Find(InfoHash alias) => _owners.TryGetValue(alias, out var owner) && !isOpen(alias) ? owner : null;

    /// <summary>Gives a torrent an alias, unless another has it.</summary>
    public void Register(InfoHash alias, InfoHash torrent)
    {
        if (_owners.TryAdd(alias, torrent))
            opened(alias);
    }

    /// <summary>Takes an alias away from a torrent, if the torrent has it.</summary>
    public void Release(InfoHash alias, InfoHash torrent)
    {
        if (_owners.TryRemove(new KeyValuePair<InfoHash, InfoHash>(alias, torrent)))
            closed(alias);
    }
}
