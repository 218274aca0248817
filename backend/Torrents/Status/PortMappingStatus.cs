using System.Net;

namespace NzbDav.Torrents.Status;

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
