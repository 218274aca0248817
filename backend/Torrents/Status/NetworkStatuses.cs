using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>State of the distributed hash table.</summary>
/// <param name="IsRunning">True once it has started: with the first torrent that is not private, unless it is switched off.</param>
/// <param name="IsBootstrapped">True once nodes have been found.</param>
/// <param name="Nodes">Nodes known by IPv4.</param>
/// <param name="Nodes6">Nodes known by IPv6.</param>
public sealed record DhtStatus(bool IsRunning, bool IsBootstrapped, int Nodes, int Nodes6);

/// <summary>
/// Connections from outside that have reached our port since the start, or since the port or the network changed. Zero does not prove that
/// the port is closed: nobody may have tried.
/// </summary>
/// <param name="Count">Number of incoming connections from public addresses.</param>
/// <param name="Last">When the latest one arrived; null: none has.</param>
public readonly record struct InboundStatus(long Count, DateTimeOffset? Last)
{
    /// <summary>True once the port is proved to be reachable.</summary>
    public bool IsProved => Count > 0;
}

/// <summary>State of the port mapping in the router.</summary>
/// <param name="Method">The protocol by which the router granted it; null = nothing was granted or asked for.</param>
/// <param name="ExternalAddress">The router's public address; null = unknown.</param>
/// <param name="TcpPort">The router's port at which peers reach us by TCP; 0 = none.</param>
/// <param name="UdpPort">The router's port at which nodes of the DHT reach us; 0 = none.</param>
/// <param name="Trouble">Error and advice, for the user; null = none.</param>
public sealed record PortMappingStatus(MappingMethod? Method, IPAddress? ExternalAddress, int TcpPort, int UdpPort, string? Trouble)
{
    /// <summary>No mapping was requested.</summary>
    public static PortMappingStatus None { get; } = new(Method: null, ExternalAddress: null, TcpPort: 0, UdpPort: 0, Trouble: null);

    /// <summary>False if there is no router to ask, because this machine is not in a private network. The search is repeated.</summary>
    public bool HasRouter { get; init; } = true;
}

/// <summary>Whether a router forwards the port.</summary>
public enum MappingState
{
    /// <summary>
    /// No router is asked: port mapping is switched off or would not help, or there is no router because this machine is not in a private
    /// network.
    /// </summary>
    Off,

    /// <summary>Port mapping is switched on, but no router has answered yet.</summary>
    Asking,

    /// <summary>A router granted the mapping.</summary>
    Mapped,

    /// <summary>No router granted the mapping. It will be requested again.</summary>
    Failed,
}

/// <summary>Protocols for asking a router to forward a port, in the order in which they are tried.</summary>
public enum MappingMethod
{
    /// <summary>Port Control Protocol (RFC 6887).</summary>
    Pcp,

    /// <summary>NAT Port Mapping Protocol (RFC 6886).</summary>
    NatPmp,

    /// <summary>Internet Gateway Device of the UPnP Forum.</summary>
    Upnp,
}
