using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>How the router stands to our port.</summary>
/// <param name="Method">How it was asked; null = it lets nothing through, or was not asked.</param>
/// <param name="ExternalAddress">The router's address on the other side; null = not told.</param>
/// <param name="TcpPort">Where peers reach us there by TCP; 0 = nowhere.</param>
/// <param name="UdpPort">Where nodes of the DHT reach us there; 0 = nowhere.</param>
/// <param name="Trouble">What is wrong and what to do about it, for people; null = nothing.</param>
public sealed record PortMappingStatus(MappingMethod? Method, IPAddress? ExternalAddress, int TcpPort, int UdpPort, string? Trouble)
{
    /// <summary>Nothing was asked for.</summary>
    public static PortMappingStatus None { get; } = new(Method: null, ExternalAddress: null, TcpPort: 0, UdpPort: 0, Trouble: null);

    /// <summary>False: there is no router to ask, as this machine is in no private network. It is looked for again.</summary>
    public bool HasRouter { get; init; } = true;
}
