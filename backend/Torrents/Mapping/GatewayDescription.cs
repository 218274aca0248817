using System.Net;
using System.Net.Sockets;
using System.Xml;
using System.Xml.Linq;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Reads the description of a device (UPnP Device Architecture 1.0, 2.1). The description is untrusted: no external content is loaded, and
/// no other host is called.
/// </summary>
internal static class GatewayDescription
{
    /// <summary>Longest description that is read. Real ones have 3 to 20 KB.</summary>
    public const int MostBytes = 256 << 10;

    /// <summary>Finds the services that can map ports, the best first.</summary>
    /// <param name="xml">The description.</param>
    /// <param name="location">The URL of the description: only this host is called.</param>
    /// <param name="types">The requested service types, the best first.</param>
    public static IReadOnlyList<GatewayService> Read(byte[] xml, Uri location, IReadOnlyList<string> types)
    {
        if (TryParse(xml) is not { } document)
            return [];
        var root = location;
        if (Text(document, "URLBase") is { Length: > 0 } text && Uri.TryCreate(text, UriKind.Absolute, out var named))
            root = named;
        var found = new List<GatewayService>();
        foreach (var service in document.Descendants().Where(static element => element.Name.LocalName == "service"))
        {
            if (Text(service, "serviceType") is { } type && types.Contains(type) && Text(service, "controlURL") is { Length: > 0 } path
                && Uri.TryCreate(root, path, out var control) && IsSameHost(control, location))
                found.Add(new GatewayService(type, control));
        }

        return [.. found.OrderBy(service => types.ToList().IndexOf(service.Type))];
    }

    /// <summary>Parses untrusted XML: no document type, no external references. Null if it is invalid.</summary>
    public static XElement? TryParse(byte[] xml)
    {
        try
        {
            using var reader = XmlReader.Create(
                new MemoryStream(xml), new XmlReaderSettings
                {
                    DtdProcessing = DtdProcessing.Prohibit,
                    XmlResolver = null,
                    MaxCharactersInDocument = MostBytes,
                    CheckCharacters = false
                });
            return XElement.Load(reader);
        }
        catch (Exception error) when (error is XmlException or ArgumentOutOfRangeException)
        {
            // ArgumentOutOfRangeException is thrown when the encoding changes after bytes that are not text.
            return null;
        }
    }

    private static bool IsSameHost(Uri control, Uri location) => control.Scheme == Uri.UriSchemeHttp && control.Host == location.Host;

    private static string? Text(XElement parent, string name) =>
        parent.Elements().FirstOrDefault(element => element.Name.LocalName == name)?.Value.Trim();
}

/// <summary>A router's service for mapping ports.</summary>
/// <param name="Type">Its type as defined by the UPnP Forum, with the version.</param>
/// <param name="Control">The URL at which it is called.</param>
internal sealed record GatewayService(string Type, Uri Control)
{
    private const string Forum = "urn:schemas-upnp-org:service:";

    /// <summary>The types that can map ports, the best first.</summary>
    public static IReadOnlyList<string> Types { get; } = [
        Forum + "WANIPConnection:2", Forum + "WANIPConnection:1", Forum + "WANPPPConnection:1"];

    /// <summary>The types that can let incoming connections through by IPv6.</summary>
    public static IReadOnlyList<string> SixTypes { get; } = [Forum + "WANIPv6FirewallControl:1"];

    /// <summary>The types that can open a port, for the family of an address.</summary>
    public static IReadOnlyList<string> TypesFor(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 ? SixTypes : Types;

    /// <summary>True if the service can itself choose another external port.</summary>
    public bool CanChoosePort => Type == Types[0];
}
