using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Settings;

/// <summary>Settings of the torrent engine. Most may be changed while it runs: see <see cref="TorrentEngine.Apply"/>.</summary>
public sealed record TorrentOptions
{
    /// <summary>
    /// Bytes of memory for pieces; at least 8 MiB. Pieces that a reader waits for are never refused, so the limit may be exceeded for a
    /// moment.
    /// </summary>
    public long Memory { get; init; } = 128L << 20;

    /// <summary>Folder of the disk cache for verified pieces; null = pieces are held in memory only.</summary>
    public string? CacheFolder { get; init; }

    /// <summary>Most bytes of pieces in the cache folder, over all torrents; 0 = none are written.</summary>
    public long CacheBytes { get; init; } = 1L << 30;

    /// <summary>
    /// Bytes that must stay free on the disk of <see cref="CacheFolder"/> while pieces of a file that is being watched exceed
    /// <see cref="CacheBytes"/>. These pieces are removed when nobody has watched the file for five minutes. 0: nothing may exceed the
    /// limit.
    /// </summary>
    public long WatchedReserve { get; init; }

    /// <summary>
    /// Folder for kept torrents, with one folder per torrent; null = none. Needs <see cref="CacheFolder"/>, which contains the records of
    /// the kept torrents.
    /// </summary>
    public string? KeepFolder { get; init; }

    /// <summary>
    /// Address and port at which peers can reach us; null = we do not listen. Port 0 = any free port, chosen once: see
    /// <see cref="PortFile"/>. A change of the port takes effect at once.
    /// </summary>
    public IPEndPoint? Listen { get; init; } = new(IPAddress.Any, 0);

    /// <summary>
    /// File that stores a randomly chosen port for the next engine; null = each engine chooses a new one. Trackers, routers and peers know
    /// us by this port.
    /// </summary>
    public string? PortFile { get; init; }

    /// <summary>
    /// The address or interface of this machine that all traffic uses: peers, trackers, datagrams. While it does not exist, nothing is
    /// sent. Null = the system's choice. The system resolves the names of trackers.
    /// </summary>
    public string? Bind { get; init; }

    /// <summary>The proxy for all torrent traffic; null = none. With one, peers cannot reach us, and the proxy resolves names.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>
    /// A file of blocked addresses; null = none. See <see cref="Blocking.BlocklistReader"/> for its formats. Read again when it changes.
    /// </summary>
    public string? Blocklist { get; init; }

    /// <summary>Addresses blocked in addition to <see cref="Blocklist"/>.</summary>
    public IReadOnlyList<IPAddress> BannedAddresses { get; init; } = [];

    /// <summary>
    /// True to ask the router to forward the port of <see cref="Listen"/> (PCP, NAT-PMP, UPnP). Not done behind a proxy, or if only this
    /// machine can reach us.
    /// </summary>
    public bool PortMapping { get; init; }

    /// <summary>
    /// True to find peers by the distributed hash table too (BEP 5). Off by default, because it contacts unknown hosts as soon as a torrent
    /// is open.
    /// </summary>
    public bool Dht { get; init; }

    /// <summary>Bootstrap nodes of the distributed hash table, as <c>host:port</c>; none = the public routers.</summary>
    public IReadOnlyList<string> DhtBootstrap { get; init; } = [];

    /// <summary>Most connections per torrent, including those being opened.</summary>
    public int MostPeers { get; init; } = 100;

    /// <summary>Most connections of all torrents together, including those being opened.</summary>
    public int MostConnections { get; init; } = 500;

    /// <summary>Most connections being opened at once, over all torrents: home routers handle a few hundred at most.</summary>
    public int MostHalfOpen { get; init; } = 100;

    /// <summary>Most connections being opened at once, per torrent.</summary>
    public int MostDials { get; init; } = 50;

    /// <summary>How long a peer may take to accept a connection.</summary>
    public TimeSpan DialTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Which connections to peers are encrypted. Connections that a new value does not allow are closed within a second.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>Most peers uploaded to at once, per torrent.</summary>
    public int UploadSlots { get; init; } = 8;

    /// <summary>Rate limits of all torrents together.</summary>
    public TransferRates Rates { get; init; }

    /// <summary>Limits that replace <see cref="Rates"/> during <see cref="AlternativeTimes"/>.</summary>
    public TransferRates AlternativeRates { get; init; }

    /// <summary>Local times at which <see cref="AlternativeRates"/> are in force.</summary>
    public WeekTimes AlternativeTimes { get; init; } = WeekTimes.None;

    /// <summary>Whether <see cref="AlternativeTimes"/> decide, or one pair of limits is always in force.</summary>
    public AlternativeLimits AlternativeLimits { get; init; }

    /// <summary>True to exchange addresses of peers with the peers of public torrents (BEP 11).</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Use of uTP, over the DHT's UDP port. Not used behind a proxy.</summary>
    public UtpPolicy Utp { get; init; }

    /// <summary>
    /// True to announce public torrents to the local network, and use the announcements of others there (BEP 14). Off by default for
    /// programs that embed the engine.
    /// </summary>
    public bool LocalDiscovery { get; init; }

    /// <summary>How long a reader waits for a piece without progress before its read fails with the reason.</summary>
    public TimeSpan ReaderTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Threads for hashing; 0 = one per core. Each disk has two more threads for writing.</summary>
    public int Workers { get; init; }
}

/// <summary>Rate limits of all torrents together.</summary>
/// <param name="Download">Bytes per second from peers; 0 = no limit.</param>
/// <param name="Upload">Bytes per second to peers; 0 = no limit.</param>
public readonly record struct TransferRates(long Download, long Upload);

/// <summary>When <see cref="TorrentOptions.AlternativeRates"/> are in force.</summary>
public enum AlternativeLimits
{
    /// <summary>During <see cref="TorrentOptions.AlternativeTimes"/>.</summary>
    AtTimes,

    /// <summary>At all times.</summary>
    Always,

    /// <summary>At no time.</summary>
    Never,
}
