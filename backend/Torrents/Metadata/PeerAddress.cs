using System.Globalization;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>
/// Parses and formats peers' addresses (BEP 9: "address:port", "[v6]:port" or "host:port"), and converts each to one canonical form.
/// </summary>
internal static class PeerAddress
{
    /// <summary>Parses an address; null if the text is not one.</summary>
    public static EndPoint? Parse(string text)
    {
        var colon = text.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, provider: null, out var port) || port == 0)
            return null;
        return Of(text[..colon], port);
    }

    /// <summary>The endpoint of a host name or address; null if the host is neither, or the port is not 1 to 65535.</summary>
    /// <param name="host">An IPv6 address may be in brackets.</param>
    /// <param name="port">The port as received.</param>
    public static EndPoint? Of(string host, long port)
    {
        if (port is <= 0 or > ushort.MaxValue)
            return null;
        var bracketed = host.Length > 2 && host[0] == '[' && host[^1] == ']';
        if (IPAddress.TryParse(bracketed ? host[1..^1] : host, out var address))
            return new IPEndPoint(address, (int)port);
        return !bracketed && Uri.CheckHostName(host) == UriHostNameType.Dns ? new DnsEndPoint(host, (int)port) : null;
    }

    /// <summary>Formats an address for <see cref="Parse"/>.</summary>
    public static string Format(EndPoint peer) =>
        peer is DnsEndPoint host ? string.Create(CultureInfo.InvariantCulture, $"{host.Host}:{host.Port}") : peer.ToString()!;

    /// <summary>
    /// The IPv4 address in a mapped one (<c>::ffff:a.b.c.d</c>, RFC 4291 §2.5.5.2). Trackers with IPv6 sockets send mapped addresses: both
    /// forms mean the same host, and an IPv6-only socket cannot connect to the mapped one. Any other address is returned unchanged.
    /// </summary>
    public static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    /// <inheritdoc cref="Plain(IPAddress)"/>
    public static IPEndPoint Plain(IPEndPoint peer) =>
        peer.Address.IsIPv4MappedToIPv6 ? new IPEndPoint(peer.Address.MapToIPv4(), peer.Port) : peer;
}
