using System.Net;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents;

/// <summary>The engine's network state, over all torrents. Immutable.</summary>
public sealed record NetworkStatus
{
    /// <summary>Port at which peers can reach us; 0: none.</summary>
    public int Port { get; init; }

    /// <summary>Whether a router forwards <see cref="Port"/> by IPv4.</summary>
    public MappingState MappingState { get; init; }

    /// <summary>The mapping that the router granted.</summary>
    public PortMappingStatus Mapping { get; init; } = PortMappingStatus.None;

    /// <summary>Whether a router lets peers in by IPv6. A router that does not answer may let all of them in.</summary>
    public MappingState PinholeState { get; init; }

    /// <summary>The pinhole that the IPv6 router granted.</summary>
    public PortMappingStatus Pinhole { get; init; } = PortMappingStatus.None;

    /// <summary>Connections from outside that have reached <see cref="Port"/> by IPv4.</summary>
    public InboundStatus Inbound4 { get; init; }

    /// <summary>Connections from outside that have reached <see cref="Port"/> by IPv6.</summary>
    public InboundStatus Inbound6 { get; init; }

    /// <summary>The address or interface that all traffic uses; null: the system's choice.</summary>
    public string? Bind { get; init; }

    /// <summary>The interface that <see cref="Bind"/> resolves to now; null: none.</summary>
    public string? Device { get; init; }

    /// <summary>The local addresses that all traffic uses; empty: the system's choice, or none at the moment.</summary>
    public IReadOnlyList<IPAddress> Addresses { get; init; } = [];

    /// <summary>
    /// Why nothing can be sent now; null: traffic is possible. Set while the target of <see cref="Bind"/> does not exist.
    /// </summary>
    public string? Trouble { get; init; }

    /// <summary>The proxy without user and password; null: none.</summary>
    public string? Proxy { get; init; }

    /// <summary>True if a blocklist is set.</summary>
    public bool HasBlocklist { get; init; }

    /// <summary>Number of address ranges on the blocklist.</summary>
    public int BlockedRanges { get; init; }

    /// <summary>
    /// How often the blocklist refused an address since the engine started: peers not dialled or not accepted, and datagrams. One address
    /// may count more than once.
    /// </summary>
    public long Blocked { get; init; }

    /// <summary>Which connections are encrypted.</summary>
    public EncryptionPolicy Encryption { get; init; }

    /// <summary>True if the distributed hash table is switched on.</summary>
    public bool UsesDht { get; init; }

    /// <summary>State of the distributed hash table.</summary>
    public DhtStatus Dht { get; init; } = new(IsRunning: false, IsBootstrapped: false, 0, 0);

    /// <summary>True if peer exchange is switched on.</summary>
    public bool UsesExchange { get; init; }

    /// <summary>True if local discovery is switched on, and there is a local network to search.</summary>
    public bool UsesLocal { get; init; }

    /// <summary>The limits in force; 0: none.</summary>
    public TransferRates Limits { get; init; }

    /// <summary>True if these are the alternative limits, by schedule or by the user's choice.</summary>
    public bool IsAlternative { get; init; }

    /// <summary>Connections to peers, including those being opened.</summary>
    public int Connections { get; init; }

    /// <summary>Limit of <see cref="Connections"/>.</summary>
    public int MostConnections { get; init; }

    /// <summary>Bytes of blocks per second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks per second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes of blocks from peers since the engine started.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes of blocks to peers since the engine started.</summary>
    public long Uploaded { get; init; }
}
