using System.Globalization;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A peer's address as text (BEP 9): "address:port", "[v6]:port" or "host:port".</summary>
internal static class PeerAddress
{
    /// <summary>Null if the text is not such an address.</summary>
    public static EndPoint? Parse(string text)
    {
        var colon = text.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, provider: null, out var port) || port == 0)
            return null;
        var host = text[..colon];
        var bracketed = host.Length > 2 && host[0] == '[' && host[^1] == ']';
        if (IPAddress.TryParse(bracketed ? host[1..^1] : host, out var address))
            return new IPEndPoint(address, port);
        return !bracketed && Uri.CheckHostName(host) == UriHostNameType.Dns ? new DnsEndPoint(host, port) : null;
    }

    /// <summary>Formats an address so that <see cref="Parse"/> can read it.</summary>
    public static string Format(EndPoint peer) =>
        peer is DnsEndPoint host ? string.Create(CultureInfo.InvariantCulture, $"{host.Host}:{host.Port}") : peer.ToString()!;
}
