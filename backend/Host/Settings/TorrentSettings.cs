using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Seeding;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>How torrents are treated. Immutable.</summary>
public sealed record TorrentSettings
{
    /// <summary>False: no swarm is joined, no port is opened, and files of torrents cannot be read.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>Where peers can reach us.</summary>
    public IPAddress ListenAddress { get; init; } = IPAddress.Any;

    /// <summary>TCP port for peers; 0: any that is free.</summary>
    public int Port { get; init; }

    /// <summary>Bound of the pieces on disk, in MiB; 0: nothing is kept on disk.</summary>
    public int CacheMiB { get; init; } = 1_024;

    /// <summary>Bound of the pieces in memory, in MiB, 16 … 65,536.</summary>
    public int BudgetMiB { get; init; } = 96;

    /// <summary>Connections per torrent.</summary>
    public int MaxPeers { get; init; } = 100;

    /// <summary>Connections of all torrents together.</summary>
    public int MaxConnections { get; init; } = 500;

    /// <summary>Peers that are served at once, per torrent.</summary>
    public int UploadSlots { get; init; } = 8;

    /// <summary>Most KiB per second that come from peers, over all torrents; 0: no limit.</summary>
    public int DownloadLimit { get; init; }

    /// <summary>Most KiB per second that are sent to peers, over all torrents; 0: no limit.</summary>
    public int UploadLimit { get; init; }

    /// <summary>Local times at which the next two hold in place of the limits above.</summary>
    public WeekTimes AlternativeTimes { get; init; } = WeekTimes.None;

    /// <summary>Whether these times count.</summary>
    public AlternativeLimits AlternativeLimits { get; init; }

    /// <summary>As <see cref="DownloadLimit"/>, at the times above.</summary>
    public int AlternativeDownloadLimit { get; init; }

    /// <summary>As <see cref="UploadLimit"/>, at the times above.</summary>
    public int AlternativeUploadLimit { get; init; }

    /// <summary>Peers tell each other of peers.</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Peers in the local network find each other.</summary>
    public bool LocalDiscovery { get; init; } = true;

    /// <summary>Hosts in private networks at which trackers may be, by name or address, <c>*</c> for all.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>Finds peers by the distributed hash table too.</summary>
    public bool Dht { get; init; } = true;

    /// <summary>Nodes by which the distributed hash table is entered, as <c>host:port</c>; none: the routers of the big clients.</summary>
    public IReadOnlyList<string> DhtBootstrap { get; init; } = [];

    /// <summary>Which connections to peers are encrypted.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>Where torrents are kept whole; null: <c>torrents</c> in the configuration folder.</summary>
    public string? KeepFolder { get; init; }

    /// <summary>How torrents are kept and seeded.</summary>
    public SeedingOptions Seeding { get; init; } = new();

    /// <summary>The address or the interface that everything leaves by; null: whatever the system chooses.</summary>
    public string? Bind { get; init; }

    /// <summary>What stands between this machine and everything that torrents send; null: nothing.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>A file with addresses that nothing is sent to and nothing is taken from; null: none.</summary>
    public string? Blocklist { get; init; }

    /// <summary>Addresses that nothing is sent to and nothing is taken from, beside those of the blocklist.</summary>
    public IReadOnlyList<IPAddress> BannedAddresses { get; init; } = [];

    /// <summary>Asks the router to let the port through.</summary>
    public bool PortMapping { get; init; } = true;

    /// <summary>How long a torrent that nobody reads stays in its swarm.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>How long a read waits for a piece of which nothing comes: less than WebDAV's own patience of 30 seconds, so that the reason is told.</summary>
    internal TimeSpan ReaderPatience { get; init; } = TimeSpan.FromSeconds(25);

    /// <summary>What the engine is made with.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal TorrentOptions Engine(string folder) => new()
    {
        Memory = (long)BudgetMiB << 20,
        CacheFolder = Path.Combine(folder, "cache", "torrents"),
        CacheBytes = (long)CacheMiB << 20,
        KeepFolder = KeepFolder ?? Path.Combine(folder, "torrents"),
        Listen = new IPEndPoint(ListenAddress, Port),
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
        ReaderPatience = ReaderPatience,
        PeerExchange = PeerExchange,
        Dht = Dht,
        DhtBootstrap = DhtBootstrap,
        LocalDiscovery = LocalDiscovery,
        Rates = new TransferRates((long)DownloadLimit << 10, (long)UploadLimit << 10),
        AlternativeRates = new TransferRates((long)AlternativeDownloadLimit << 10, (long)AlternativeUploadLimit << 10),
        AlternativeTimes = AlternativeTimes,
        AlternativeLimits = AlternativeLimits,
    };
}
