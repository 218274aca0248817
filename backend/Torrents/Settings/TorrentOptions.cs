using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Settings;

/// <summary>How the torrent engine works. Most of it may be changed while it does: see <see cref="TorrentEngine.Apply"/>.</summary>
public sealed record TorrentOptions
{
    /// <summary>Bytes of memory for pieces; at least 8 MiB. What a reader waits for is never refused, so it may be exceeded for a moment.</summary>
    public long Memory { get; init; } = 128L << 20;

    /// <summary>Where verified pieces are kept; null = in memory only.</summary>
    public string? CacheFolder { get; init; }

    /// <summary>Bytes of pieces on disk, over all torrents; 0: nothing is kept there.</summary>
    public long CacheBytes { get; init; } = 1L << 30;

    /// <summary>Where torrents are kept whole, each in a folder of its own; null = nowhere. Needs <see cref="CacheFolder"/>, where it is written down what is there.</summary>
    public string? KeepFolder { get; init; }

    /// <summary>Where peers can reach us; port 0 = any that is free; null = nowhere.</summary>
    public IPEndPoint? Listen { get; init; } = new(IPAddress.Any, 0);

    /// <summary>
    /// The address of this machine or the interface that everything leaves by: peers, trackers, datagrams. While it is not there nothing is sent. Null = whatever the system chooses. Names of
    /// trackers are looked up as the system does.
    /// </summary>
    public string? Bind { get; init; }

    /// <summary>What stands between this machine and everything that torrents send; null = nothing. With one, nobody can reach us, and names are left to the proxy.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>A file with addresses that nothing is sent to and nothing is taken from; null = none. See <see cref="Blocking.BlocklistReader"/> for what it may hold. Read again when it changes.</summary>
    public string? Blocklist { get; init; }

    /// <summary>Addresses that nothing is sent to and nothing is taken from, beside those of <see cref="Blocklist"/>.</summary>
    public IReadOnlyList<IPAddress> BannedAddresses { get; init; } = [];

    /// <summary>Asks the router to let <see cref="Listen"/> through (PCP, NAT-PMP, UPnP). Not behind a proxy, nor where only this machine can reach us.</summary>
    public bool PortMapping { get; init; }

    /// <summary>Finds peers by the distributed hash table too (BEP 5). Off by default: it talks to strangers as soon as a torrent is open.</summary>
    public bool Dht { get; init; }

    /// <summary>Nodes by which the distributed hash table is entered, as <c>host:port</c>; none = the routers of the big clients.</summary>
    public IReadOnlyList<string> DhtBootstrap { get; init; } = [];

    /// <summary>Connections per torrent.</summary>
    public int MostPeers { get; init; } = 100;

    /// <summary>Connections of all torrents together, and those that are being made.</summary>
    public int MostConnections { get; init; } = 500;

    /// <summary>Connections being made at once, over all torrents: routers of homes hold some hundred at most.</summary>
    public int MostHalfOpen { get; init; } = 100;

    /// <summary>Connections being made at once, per torrent.</summary>
    public int MostDials { get; init; } = 50;

    /// <summary>How long a peer may take to answer a connection.</summary>
    public TimeSpan DialPatience { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Which connections to peers are encrypted. One that the new value does not allow is closed within a second.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>Peers that are served at once, per torrent.</summary>
    public int UploadSlots { get; init; } = 8;

    /// <summary>Limits on what all torrents together fetch and send.</summary>
    public TransferRates Rates { get; init; }

    /// <summary>Limits that hold in their place at <see cref="AlternativeTimes"/>.</summary>
    public TransferRates AlternativeRates { get; init; }

    /// <summary>Local times at which <see cref="AlternativeRates"/> hold.</summary>
    public WeekTimes AlternativeTimes { get; init; } = WeekTimes.None;

    /// <summary>Whether these times count.</summary>
    public AlternativeLimits AlternativeLimits { get; init; }

    /// <summary>Peers of a public torrent are told of each other, and what they tell is used (BEP 11).</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Public torrents are announced to the local network, and what others announce there is used (BEP 14). Off for programs that embed the engine, unless they say so.</summary>
    public bool LocalDiscovery { get; init; }

    /// <summary>How long a reader waits for a piece of which nothing comes, before its read fails with the reason.</summary>
    public TimeSpan ReaderPatience { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Threads for hashing; 0 = one per core. Writing has one of its own.</summary>
    public int Workers { get; init; }
}
