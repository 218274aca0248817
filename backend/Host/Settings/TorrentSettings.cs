using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Seeding;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>Settings of torrents. Immutable.</summary>
public sealed record TorrentSettings
{
    /// <summary>False: no swarm is joined, no port is opened, and files of torrents cannot be read.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>Address at which peers can connect.</summary>
    public IPAddress ListenAddress { get; init; } = IPAddress.Any;

    /// <summary>Port for peers, TCP and UDP; 0: a free one, chosen once.</summary>
    public int Port { get; init; }

    /// <summary>Limit of the pieces on disk, in MiB; 0: nothing is kept on disk.</summary>
    public int CacheMiB { get; init; } = 1_024;

    /// <summary>
    /// GiB of the disk that must stay free for what is being watched to exceed <see cref="CacheMiB"/>; 0: nothing exceeds it.
    /// </summary>
    public int WatchedReserveGiB { get; init; } = 20;

    /// <summary>Limit of the pieces in memory, in MiB, 16 … 65,536.</summary>
    public int BudgetMiB { get; init; } = 96;

    /// <summary>Connections per torrent.</summary>
    public int MaxPeers { get; init; } = 100;

    /// <summary>Connections of all torrents together.</summary>
    public int MaxConnections { get; init; } = 500;

    /// <summary>Peers served at the same time, per torrent.</summary>
    public int UploadSlots { get; init; } = 8;

    /// <summary>Most KiB per second from peers, over all torrents; 0: no limit.</summary>
    public int DownloadLimit { get; init; }

    /// <summary>Most KiB per second to peers, over all torrents; 0: no limit.</summary>
    public int UploadLimit { get; init; }

    /// <summary>Local times at which the alternative limits below replace the limits above.</summary>
    public WeekTimes AlternativeTimes { get; init; } = WeekTimes.None;

    /// <summary>Whether these times apply.</summary>
    public AlternativeLimits AlternativeLimits { get; init; }

    /// <summary>Like <see cref="DownloadLimit"/>, at the times above.</summary>
    public int AlternativeDownloadLimit { get; init; }

    /// <summary>Like <see cref="UploadLimit"/>, at the times above.</summary>
    public int AlternativeUploadLimit { get; init; }

    /// <summary>True: peers exchange addresses of other peers.</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>What uTP is used for.</summary>
    public UtpPolicy Utp { get; init; }

    /// <summary>True: peers in the local network find each other.</summary>
    public bool LocalDiscovery { get; init; } = true;

    /// <summary>Trackers, web seeds and peers allowed in private networks: names, addresses or networks; <c>*</c> for all.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>True: the distributed hash table is also used to find peers.</summary>
    public bool Dht { get; init; } = true;

    /// <summary>Bootstrap nodes of the distributed hash table, as <c>host:port</c>; none: the routers of the big clients.</summary>
    public IReadOnlyList<string> DhtBootstrap { get; init; } = [];

    /// <summary>Which connections to peers are encrypted.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>Folder of torrents that are kept whole; null: <c>torrents</c> in the configuration folder.</summary>
    public string? KeepFolder { get; init; }

    /// <summary>How torrents are kept and seeded.</summary>
    public SeedingOptions Seeding { get; init; } = new();

    /// <summary>The address or interface that all traffic is bound to; null: the system chooses.</summary>
    public string? Bind { get; init; }

    /// <summary>The proxy for all torrent traffic; null: none.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>A file of addresses with which no traffic is exchanged; null: none.</summary>
    public string? Blocklist { get; init; }

    /// <summary>Further addresses with which no traffic is exchanged.</summary>
    public IReadOnlyList<IPAddress> BannedAddresses { get; init; } = [];

    /// <summary>True: the router is asked to forward the port.</summary>
    public bool PortMapping { get; init; } = true;

    /// <summary>How long a torrent that nobody reads stays in its swarm.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>How long a read waits for a piece of which nothing arrives: less than WebDAV's own limit of 30 seconds, so that the reason
    /// is reported.</summary>
    internal TimeSpan ReaderTimeout { get; init; } = TimeSpan.FromSeconds(25);

    /// <summary>Options of the engine.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal TorrentOptions Engine(string folder) => new()
    {
        Memory = (long)BudgetMiB << 20,
        CacheFolder = Path.Combine(folder, "cache", "torrents"),
        CacheBytes = (long)CacheMiB << 20,
        WatchedReserve = (long)WatchedReserveGiB << 30,
        KeepFolder = KeepFolder ?? Path.Combine(folder, "torrents"),
        Listen = new IPEndPoint(ListenAddress, Port),
        PortFile = Path.Combine(folder, "torrent-port"),
        MostPeers = MaxPeers,
        MostConnections = MaxConnections,
        MostDials = Math.Min(MaxPeers, new TorrentOptions().MostDials),
        Encryption = Encryption,
        Bind = Bind,
        Proxy = Proxy,
        Blocklist = Blocklist,
        BannedAddresses = BannedAddresses,
        PortMapping = PortMapping,
        UploadSlots = UploadSlots,
        ReaderTimeout = ReaderTimeout,
        PeerExchange = PeerExchange,
        Utp = Utp,
        Dht = Dht,
        DhtBootstrap = DhtBootstrap,
        LocalDiscovery = LocalDiscovery,
        Rates = new TransferRates((long)DownloadLimit << 10, (long)UploadLimit << 10),
        AlternativeRates = new TransferRates((long)AlternativeDownloadLimit << 10, (long)AlternativeUploadLimit << 10),
        AlternativeTimes = AlternativeTimes,
        AlternativeLimits = AlternativeLimits,
    };
}
