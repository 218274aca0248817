using NzbDav.Torrents;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Api.Native.Torrents;

/// <summary>The network state of all torrents together: how they reach peers and are reached.</summary>
internal sealed record TorrentNetworkBody
{
    /// <summary>The port where peers can reach this server; 0: none.</summary>
    public int Port { get; init; }

    /// <summary>Whether a router forwards the port.</summary>
    public MappingState Mapping { get; init; }

    /// <summary>The protocol that granted the mapping: PCP, NAT-PMP or UPnP; null while nothing is granted.</summary>
    public string? MappingProtocol { get; init; }

    /// <summary>The router's external address, according to the router; null: not known.</summary>
    public string? ExternalAddress { get; init; }

    /// <summary>The port at that address; null while nothing is granted.</summary>
    public int? ExternalPort { get; init; }

    /// <summary>
    /// Why peers cannot reach the port through the router, and what to do about it; null: nothing is wrong. Also set if a router granted
    /// the port but is itself behind another router.
    /// </summary>
    public string? MappingTrouble { get; init; }

    /// <summary>
    /// Whether a router lets peers in by IPv6 (PCP or UPnP). <c>off</c>: this server has no public IPv6 address behind a router.
    /// </summary>
    public MappingState Pinhole { get; init; }

    /// <summary>
    /// Why it does not, and what to do about it; null: nothing is known to be wrong. A router without PCP may let everybody in.
    /// </summary>
    public string? PinholeTrouble { get; init; }

    /// <summary>
    /// How many peers from outside have connected by IPv4 since the start, or since the port or the network changed. 0 does not prove that
    /// the port is closed.
    /// </summary>
    public long Inbound4 { get; init; }

    /// <summary>When the last of them did; null: none has.</summary>
    public DateTimeOffset? LastInbound4 { get; init; }

    /// <summary>Like <see cref="Inbound4"/>, by IPv6.</summary>
    public long Inbound6 { get; init; }

    /// <summary>When the last of them did; null: none has.</summary>
    public DateTimeOffset? LastInbound6 { get; init; }

    /// <summary>The address or interface that all traffic is bound to; null: the system chooses.</summary>
    public string? Bind { get; init; }

    /// <summary>The interface that <see cref="Bind"/> currently resolves to; null: none.</summary>
    public string? Device { get; init; }

    /// <summary>Addresses of this server from which traffic leaves; empty if the system chooses.</summary>
    public IReadOnlyList<string> Addresses { get; init; } = [];

    /// <summary>
    /// Why nothing can be sent at present; null: it can. Set while the address or interface that torrents are bound to does not exist.
    /// </summary>
    public string? Trouble { get; init; }

    /// <summary>The proxy without user and password; null: none.</summary>
    public string? Proxy { get; init; }

    /// <summary>Ranges of addresses on the blocklist; null: there is none.</summary>
    public int? BlockedRanges { get; init; }

    /// <summary>
    /// How often an address was refused because of the blocklist since the server started. One address may count many times.
    /// </summary>
    public long Blocked { get; init; }

    /// <summary>Which connections are encrypted.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>True if the distributed hash table is switched on.</summary>
    public bool Dht { get; init; }

    /// <summary>True once it is connected: nodes answer.</summary>
    public bool DhtReady { get; init; }

    /// <summary>Number of its nodes that are known by IPv4.</summary>
    public int DhtNodes { get; init; }

    /// <summary>Number of its nodes that are known by IPv6.</summary>
    public int DhtNodes6 { get; init; }

    /// <summary>True if peer exchange is switched on.</summary>
    public bool Exchange { get; init; }

    /// <summary>True if local discovery is switched on and there is a local network to use.</summary>
    public bool Local { get; init; }

    /// <summary>Current limit of the bytes per second from all peers; null: none.</summary>
    public long? DownLimit { get; init; }

    /// <summary>Current limit of the bytes per second to all peers; null: none.</summary>
    public long? UpLimit { get; init; }

    /// <summary>True while the alternative limits apply.</summary>
    public bool Alternative { get; init; }

    /// <summary>Connections to peers, including those being opened.</summary>
    public int Connections { get; init; }

    /// <summary>The most connections that are allowed.</summary>
    public int MostConnections { get; init; }

    /// <summary>Bytes per second from all peers.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes per second to all peers.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes received from all peers since the server started.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes sent to all peers since the server started.</summary>
    public long Uploaded { get; init; }

    public static TorrentNetworkBody Of(NetworkStatus network) => new()
    {
        Port = network.Port,
        Mapping = network.MappingState,
        MappingProtocol = network.Mapping.Method switch
        {
            MappingMethod.Pcp => "PCP",
            MappingMethod.NatPmp => "NAT-PMP",
            MappingMethod.Upnp => "UPnP",
            _ => null,
        },
        ExternalAddress = network.Mapping.ExternalAddress?.ToString(),
        ExternalPort = network.Mapping.TcpPort is > 0 and var port ? port : null,
        MappingTrouble = network.Mapping.Trouble,
        Pinhole = network.PinholeState,
        PinholeTrouble = network.Pinhole.Trouble,
        Inbound4 = network.Inbound4.Count,
        LastInbound4 = network.Inbound4.Last,
        Inbound6 = network.Inbound6.Count,
        LastInbound6 = network.Inbound6.Last,
        Bind = network.Bind,
        Device = network.Device,
        Addresses = [.. network.Addresses.Select(static address => address.ToString())],
        Trouble = network.Trouble,
        Proxy = network.Proxy,
        BlockedRanges = network.HasBlocklist ? network.BlockedRanges : null,
        Blocked = network.Blocked,
        Encryption = network.Encryption,
        Dht = network.UsesDht,
        DhtReady = network.Dht.IsBootstrapped,
        DhtNodes = network.Dht.Nodes,
        DhtNodes6 = network.Dht.Nodes6,
        Exchange = network.UsesExchange,
        Local = network.UsesLocal,
        DownLimit = network.Limits.Download > 0 ? network.Limits.Download : null,
        UpLimit = network.Limits.Upload > 0 ? network.Limits.Upload : null,
        Alternative = network.IsAlternative,
        Connections = network.Connections,
        MostConnections = network.MostConnections,
        DownRate = network.DownRate,
        UpRate = network.UpRate,
        Downloaded = network.Downloaded,
        Uploaded = network.Uploaded,
    };
}
