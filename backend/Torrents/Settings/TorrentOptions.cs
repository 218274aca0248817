using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Settings;

/// <summary>Settings of the torrent engine. Most may be changed while it runs: see <see cref="TorrentEngine.Apply"/>.</summary>
public sealed record TorrentOptions
{
    /// <summary>
    /// Bytes of memory for pieces; at least 8 MiB. Pieces that a reader waits for are never refused, so it may be exceeded for a moment.
    /// </summary>
    public long Memory { get; init; } = 128L << 20;

    /// <summary>Folder of the disk cache for verified pieces; null = they are held in memory only.</summary>
    public string? CacheFolder { get; init; }

    /// <summary>Most bytes of pieces in the cache folder, over all torrents; 0: none are written.</summary>
    public long CacheBytes { get; init; } = 1L << 30;

    /// <summary>Bytes that must stay free on the disk of <see cref="CacheFolder"/> for the pieces of a file that is being watched to exceed
    /// <see cref="CacheBytes"/>. They leave when nobody has watched it for five minutes. 0: nothing exceeds it.</summary>
    public long WatchedReserve { get; init; }

    /// <summary>Folder in which torrents are kept whole, each in a folder of its own; null = none. Needs <see cref="CacheFolder"/>, which
    /// contains the records of the kept torrents.</summary>
    public string? KeepFolder { get; init; }

    /// <summary>
    /// Address and port at which peers can reach us; null = we do not listen. Port 0 = any free port, chosen once: see <see
    /// cref="PortFile"/>. A change of the port takes effect at once.
    /// </summary>
    public IPEndPoint? Listen { get; init; } = new(IPAddress.Any, 0);

    /// <summary>
    /// A file that keeps a port which was chosen freely, for the next engine; null = each chooses anew. Trackers, routers and peers know us
    /// by it.
    /// </summary>
    public string? PortFile { get; init; }

    /// <summary>
    /// The address of this machine or the interface that all traffic uses: peers, trackers, datagrams. While it does not exist nothing is
    /// sent. Null = whatever the system chooses. Names of trackers are resolved by the system.
    /// </summary>
    public string? Bind { get; init; }

    /// <summary>The proxy for all torrent traffic; null = none. With one, peers cannot reach us, and the proxy resolves names.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>
    /// A file of blocked addresses; null = none. See <see cref="Blocking.BlocklistReader"/> for its formats. Read again when it changes.
    /// </summary>
    public string? Blocklist { get; init; }

    /// <summary>Further blocked addresses, in addition to <see cref="Blocklist"/>.</summary>
    public IReadOnlyList<IPAddress> BannedAddresses { get; init; } = [];

    /// <summary>Asks the router to forward the port of <see cref="Listen"/> (PCP, NAT-PMP, UPnP). Not done behind a proxy, or if only this
    /// machine can reach us.</summary>
    public bool PortMapping { get; init; }

    /// <summary>Also finds peers by the distributed hash table (BEP 5). Off by default, because it contacts unknown hosts as soon as a
    /// torrent is open.</summary>
    public bool Dht { get; init; }

    /// <summary>Nodes by which the distributed hash table is entered, as <c>host:port</c>; none = the routers of the big clients.</summary>
    public IReadOnlyList<string> DhtBootstrap { get; init; } = [];

    /// <summary>Most connections per torrent, including those being opened.</summary>
    public int MostPeers { get; init; } = 100;

    /// <summary>Most connections of all torrents together, including those being opened.</summary>
    public int MostConnections { get; init; } = 500;

    /// <summary>Most connections being opened at once, over all torrents: home routers hold some hundred at most.</summary>
    public int MostHalfOpen { get; init; } = 100;

    /// <summary>Most connections being opened at once, per torrent.</summary>
    public int MostDials { get; init; } = 50;

    /// <summary>How long a peer may take to answer a connection.</summary>
    public TimeSpan DialPatience { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Which connections to peers are encrypted. A connection that a new value does not allow is closed within a second.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>Most peers served at once, per torrent.</summary>
    public int UploadSlots { get; init; } = 8;

    /// <summary>Limits on what all torrents together fetch and send.</summary>
    public TransferRates Rates { get; init; }

    /// <summary>Limits that replace <see cref="Rates"/> at <see cref="AlternativeTimes"/>.</summary>
    public TransferRates AlternativeRates { get; init; }

    /// <summary>Local times at which <see cref="AlternativeRates"/> are in force.</summary>
    public WeekTimes AlternativeTimes { get; init; } = WeekTimes.None;

    /// <summary>Whether <see cref="AlternativeTimes"/> decide, or one pair of limits is always in force.</summary>
    public AlternativeLimits AlternativeLimits { get; init; }

    /// <summary>Tells peers of a public torrent about each other, and uses what they tell (BEP 11).</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>What uTP is used for, over the UDP port that the DHT has. Nothing, behind a proxy.</summary>
    public UtpPolicy Utp { get; init; }

    /// <summary>Announces public torrents to the local network, and uses what others announce there (BEP 14). Off by default for programs
    /// that embed the engine.</summary>
    public bool LocalDiscovery { get; init; }

    /// <summary>How long a reader waits for a piece without progress before its read fails with the reason.</summary>
    public TimeSpan ReaderPatience { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Threads for hashing; 0 = one per core. Writing has two threads of its own.</summary>
    public int Workers { get; init; }
}

/// <summary>Rate limits of all torrents together.</summary>
/// <param name="Download">Bytes per second from peers; 0 = no limit.</param>
/// <param name="Upload">Bytes per second to peers; 0 = no limit.</param>
public readonly record struct TransferRates(long Download, long Upload);

/// <summary>When <see cref="TorrentOptions.AlternativeRates"/> hold.</summary>
public enum AlternativeLimits
{
    /// <summary>At <see cref="TorrentOptions.AlternativeTimes"/>.</summary>
    AtTimes,

    /// <summary>Whatever the time.</summary>
    Always,

    /// <summary>At no time.</summary>
    Never,
}
