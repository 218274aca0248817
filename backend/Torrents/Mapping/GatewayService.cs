using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Mapping;

/// <summary>A router's service for mapping ports.</summary>
/// <param name="Type">Its type as the UPnP Forum names it, with the version.</param>
/// <param name="Control">The URL at which it is called.</param>
internal sealed record GatewayService(string Type, Uri Control)
{
    private const string Forum = "urn:schemas-upnp-org:service:";

    /// <summary>The types that can map ports, the best first.</summary>
    public static IReadOnlyList<string> Types { get; } = [Forum + "WANIPConnection:2", Forum + "WANIPConnection:1", Forum + "WANPPPConnection:1"];

    /// <summary>The types that can let somebody in by IPv6.</summary>
    public static IReadOnlyList<string> SixTypes { get; } = [Forum + "WANIPv6FirewallControl:1"];

    /// <summary>The types that can open a port by the family of an address.</summary>
    public static IReadOnlyList<string> TypesFor(IPAddress address) => address.AddressFamily == AddressFamily.InterNetworkV6 ? SixTypes : Types;

    /// <summary>True if it can choose another external port by itself.</summary>
    public bool CanChoosePort => Type == Types[0];
}
