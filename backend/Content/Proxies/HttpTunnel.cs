using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Content.Proxies;

/// <summary>Opens a connection through an HTTP proxy (RFC 9110, 9.3.6).</summary>
internal static class HttpTunnel
{
    /// <summary>Longest accepted header of a response to CONNECT, in bytes.</summary>
    private const int MostHeader = 8 << 10;

    public static async ValueTask OpenAsync(Socket socket, ProxyAddress proxy, string host, int port, CancellationToken cancellationToken)
    {
        var name = IPAddress.TryParse(host, out var literal)
            ? literal.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{host}]" : host : new IdnMapping().GetAscii(host);
        var there = string.Create(CultureInfo.InvariantCulture, $"{name}:{port}");
        var text = new StringBuilder().Append(CultureInfo.InvariantCulture, $"CONNECT {there} HTTP/1.1\r\nHost: {there}\r\n");
        if (proxy.User.Length > 0)
            text.Append("Proxy-Authorization: Basic ")
                .Append(Convert.ToBase64String(Encoding.UTF8.GetBytes(proxy.User + ":" + proxy.Password))).Append("\r\n");
        await ProxyWire.SendAsync(socket, proxy, Encoding.ASCII.GetBytes(text.Append("\r\n").ToString()), cancellationToken);

        // Byte by byte: bytes after the header already come from the host.
        var header = new List<byte>(256);
        while (header is not [.., 13, 10, 13, 10])
        {
            if (header.Count == MostHeader)
                throw NotHttp(proxy);
            header.Add((await ProxyWire.ReadAsync(socket, proxy, 1, cancellationToken))[0]);

            // Not an HTTP server.
            if (header.Count == 5 && header is not [(byte)'H', (byte)'T', (byte)'T', (byte)'P', (byte)'/'])
                throw NotHttp(proxy);
        }

        var answer = Encoding.ASCII.GetString([.. header]);
        var line = answer[..answer.IndexOf('\r', StringComparison.Ordinal)];
        if (line.Split(' ') is not [_, { Length: 3 } digits, ..]
            || !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var status))
            throw NotHttp(proxy);
        if (status / 100 != 2)
            throw Refusal(proxy, status, line, there);
    }

    private static ProxyException Refusal(ProxyAddress proxy, int status, string line, string there) => status switch
    {
        // Tinyproxy answers 401 to a wrong password, and 500 for a host that it cannot reach.
        401 or 407 when proxy.User.Length == 0 => new ProxyException(
            ProxyFault.Login, $"The proxy {proxy} wants a user name and password: give them as in http://user:password@host:port."),
        401 or 407 => ProxyWire.WrongLogin(proxy),
        403 or 405 => new ProxyException(ProxyFault.Forbidden,
            $"The proxy {proxy} does not allow connections to {there} (it said \"{line}\"). Allow CONNECT to this port there."),
        500 or 502 or 503 or 504 => new ProxyException(ProxyFault.Unreachable,
            $"The proxy {proxy} cannot reach {there} (it said \"{line}\"). Check host and port, and the proxy's own connection and DNS."),
        _ => new ProxyException(ProxyFault.Failed, $"The proxy {proxy} does not connect to {there}: it said \"{line}\"."),
    };

    private static ProxyException NotHttp(ProxyAddress proxy) =>
        new(ProxyFault.Protocol, $"The proxy {proxy} does not speak HTTP. Check its port, and whether it is a SOCKS 5 proxy.");
}
