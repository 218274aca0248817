using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>State of the distributed hash table.</summary>
/// <param name="IsRunning">True once it has started: with the first torrent that is not private, unless it is switched off.</param>
/// <param name="IsBootstrapped">True once nodes have been found.</param>
/// <param name="Nodes">Nodes known by IPv4.</param>
/// <param name="Nodes6">Nodes known by IPv6.</param>
public sealed record DhtStatus(bool IsRunning, bool IsBootstrapped, int Nodes, int Nodes6);

/// <summary>
/// Whether peers from outside have reached our port, since the start or since the port or the network changed. Zero does not prove that it
/// is closed: nobody may have tried.
/// </summary>
/// <param name="Count">Connections that came in from public addresses.</param>
/// <param name="Last">When the last one came; null: none has.</param>
public readonly record struct InboundStatus(long Count, DateTimeOffset? Last)
{
    /// <summary>True once the port is proved to be reachable.</summary>
    public bool IsProved => Count > 0;
}

/// <summary>State of the port mapping in the router.</summary>
/// <param name="Method">The protocol by which the router granted it; null = it granted nothing, or was not asked.</param>
/// <param name="ExternalAddress">The router's public address; null = not known.</param>
/// <param name="TcpPort">Port there at which peers reach us by TCP; 0 = none.</param>
/// <param name="UdpPort">Port there at which nodes of the DHT reach us; 0 = none.</param>
/// <param name="Trouble">What is wrong and what to do about it, for the user; null = nothing.</param>
public sealed record PortMappingStatus(MappingMethod? Method, IPAddress? ExternalAddress, int TcpPort, int UdpPort, string? Trouble)
{
    /// <summary>No mapping was requested.</summary>
    public static PortMappingStatus None { get; } = new(Method: null, ExternalAddress: null, TcpPort: 0, UdpPort: 0, Trouble: null);

    /// <summary>False if there is no router to ask, because this machine is not in a private network. The search is repeated.</summary>
    public bool HasRouter { get; init; } = true;
}

/// <summary>Whether a router lets the port through.</summary>
public enum MappingState
{
    /// <summary>No router is asked: port mapping is switched off or would not help, or there is no router because this machine is not in a
    /// private network.</summary>
    Off,

    /// <summary>Port mapping is switched on, and no router has answered yet.</summary>
    Asking,

    /// <summary>A router granted the mapping.</summary>
    Mapped,

    /// <summary>No router granted the mapping. It will be requested again.</summary>
    Failed,
}

/// <summary>Protocol by which a router is asked for a port, in the order in which they are tried.</summary>
public enum MappingMethod
{
    /// <summary>Port Control Protocol (RFC 6887).</summary>
    Pcp,

    /// <summary>NAT Port Mapping Protocol (RFC 6886).</summary>
    NatPmp,

    /// <summary>Internet Gateway Device of the UPnP Forum.</summary>
    Upnp,
}
