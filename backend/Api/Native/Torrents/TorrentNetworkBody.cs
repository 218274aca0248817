using NzbDav.Torrents;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How torrents reach peers and are reached, over all of them.</summary>
internal sealed record TorrentNetworkBody
{
    /// <summary>Where peers can reach this server; 0: nowhere.</summary>
    public int Port { get; init; }

    /// <summary>Whether a router lets the port through.</summary>
    public MappingState Mapping { get; init; }

    /// <summary>How the router was asked: PCP, NAT-PMP or UPnP; null while nothing is granted.</summary>
    public string? MappingProtocol { get; init; }

    /// <summary>The router's address in the world, by its own word; null: not known.</summary>
    public string? ExternalAddress { get; init; }

    /// <summary>The port at that address; null while nothing is granted.</summary>
    public int? ExternalPort { get; init; }

    /// <summary>Why peers cannot reach the port through the router, and what to do about it; null: nothing is wrong. Set as well where a router granted the port but stands behind another one.</summary>
    public string? MappingTrouble { get; init; }

    /// <summary>The address or interface that everything leaves by; null: whatever the system chooses.</summary>
    public string? Bind { get; init; }

    /// <summary>The interface that this leads to at present; null: none.</summary>
    public string? Device { get; init; }

    /// <summary>Addresses of this server that everything leaves from; empty where the system chooses.</summary>
    public IReadOnlyList<string> Addresses { get; init; } = [];

    /// <summary>Why nothing is sent at present; null: it is. Set while what torrents are bound to is not there.</summary>
    public string? Trouble { get; init; }

    /// <summary>The proxy without user and password; null: none.</summary>
    public string? Proxy { get; init; }

    /// <summary>Ranges of addresses on the blocklist; null: there is none.</summary>
    public int? BlockedRanges { get; init; }

    /// <summary>How often an address was refused because of it since the start. One address may count many times.</summary>
    public long Blocked { get; init; }

    /// <summary>Which connections are encrypted.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>The distributed hash table is switched on.</summary>
    public bool Dht { get; init; }

    /// <summary>It found its way in: nodes answer.</summary>
    public bool DhtReady { get; init; }

    /// <summary>Nodes of it that are known by IPv4.</summary>
    public int DhtNodes { get; init; }

    /// <summary>Nodes of it that are known by IPv6.</summary>
    public int DhtNodes6 { get; init; }

    /// <summary>Peer exchange is switched on.</summary>
    public bool Exchange { get; init; }

    /// <summary>Local discovery is switched on, and there is a local network to be asked.</summary>
    public bool Local { get; init; }

    /// <summary>Bytes a second from all peers at most, now; null: no limit.</summary>
    public long? DownLimit { get; init; }

    /// <summary>Bytes a second to all peers at most, now; null: no limit.</summary>
    public long? UpLimit { get; init; }

    /// <summary>The limits are the alternative ones.</summary>
    public bool Alternative { get; init; }

    /// <summary>Connections to peers, and those that are being made.</summary>
    public int Connections { get; init; }

    /// <summary>The most that are allowed.</summary>
    public int MostConnections { get; init; }

    /// <summary>Bytes a second from all peers.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes a second to all peers.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes from all peers since the start.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes to all peers since the start.</summary>
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
