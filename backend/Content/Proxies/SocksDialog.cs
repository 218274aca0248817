using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Content.Proxies;

/// <summary>The client's side of SOCKS 5 (RFC 1928, 1929).</summary>
internal static class SocksDialog
{
    /// <summary>RFC 1928, 4: CONNECT.</summary>
    public const byte Connect = 1;

    /// <summary>RFC 1928, 4: UDP ASSOCIATE.</summary>
    public const byte Associate = 3;

    // RFC 1928, 5.
    private const byte IPv4 = 1;
    private const byte Name = 3;
    private const byte IPv6 = 4;
    private const int LongestName = 255;

    /// <summary>Signs in and sends a command.</summary>
    /// <returns>BND.ADDR and BND.PORT: the address that the proxy uses for the command.</returns>
    public static async ValueTask<IPEndPoint> RequestAsync(
        Socket socket, ProxyAddress proxy, byte command, string host, int port, CancellationToken cancellationToken)
    {
        var address = AddressOf(host);
        await SignInAsync(socket, proxy, cancellationToken);

        // VER, CMD, RSV, ATYP, DST.ADDR, DST.PORT.
        await ProxyWire.SendAsync(socket, proxy, [5, command, 0, .. address, (byte)(port >> 8), (byte)port], cancellationToken);
        var reply = await ProxyWire.ReadAsync(socket, proxy, 4, cancellationToken);
        if (reply is not [5, 0, _, _])
            throw reply[0] == 5 ? Refusal(proxy, reply[1], host, port) : NotSocks(proxy);
        var length = reply[3] switch
        {
            IPv4 => 4,
            IPv6 => 16,
            Name => (await ProxyWire.ReadAsync(socket, proxy, 1, cancellationToken))[0],
            _ => throw NotSocks(proxy),
        };
        var bound = await ProxyWire.ReadAsync(socket, proxy, length + 2, cancellationToken);
        return new IPEndPoint(reply[3] == Name ? IPAddress.Any : new IPAddress(bound.AsSpan(0, length)),
            BinaryPrimitives.ReadUInt16BigEndian(bound.AsSpan(length)));
    }

    private static async ValueTask SignInAsync(Socket socket, ProxyAddress proxy, CancellationToken cancellationToken)
    {
        // VER, NMETHODS, METHODS: no authentication, and user name with password if there is one.
        var hasUser = proxy.User.Length > 0;
        await ProxyWire.SendAsync(socket, proxy, hasUser ? [5, 2, 0, 2] : [5, 1, 0], cancellationToken);
        switch (await ProxyWire.ReadAsync(socket, proxy, 2, cancellationToken))
        {
            case [5, 0]:
                return;
            case [5, 2] when hasUser:
                break;
            case [5, _]:
                throw new ProxyException(ProxyFault.Login, hasUser
                    ? $"The proxy {proxy} takes neither a user name with password nor nobody's: it wants another way to sign in, which " +
                        $"is not supported."
                    : $"The proxy {proxy} wants a user name and password: give them as in socks5://user:password@host:port.");
            default:
                throw NotSocks(proxy);
        }

        // RFC 1929: VER, ULEN, UNAME, PLEN, PASSWD.
        var (user, password) = (Encoding.UTF8.GetBytes(proxy.User), Encoding.UTF8.GetBytes(proxy.Password));
        await ProxyWire.SendAsync(socket, proxy, [1, (byte)user.Length, .. user, (byte)password.Length, .. password], cancellationToken);
        if (await ProxyWire.ReadAsync(socket, proxy, 2, cancellationToken) is not [_, 0])
            throw ProxyWire.WrongLogin(proxy);
    }

    /// <summary>ATYP and DST.ADDR.</summary>
    private static byte[] AddressOf(string host)
    {
        if (IPAddress.TryParse(host, out var literal))
            return [literal.AddressFamily == AddressFamily.InterNetwork ? IPv4 : IPv6, .. literal.GetAddressBytes()];
        var name = Encoding.ASCII.GetBytes(new IdnMapping().GetAscii(host));
        return name.Length <= LongestName
            ? [Name, (byte)name.Length, .. name] : throw new ArgumentException("A host name has at most 255 bytes.", nameof(host));
    }

    /// <summary>RFC 1928, 6: REP.</summary>
    private static ProxyException Refusal(ProxyAddress proxy, byte reply, string host, int port)
    {
        var there = host.Contains(':', StringComparison.Ordinal) ? $"[{host}]:{port}" : $"{host}:{port}";
        return reply switch
        {
            2 => new ProxyException(
                ProxyFault.Forbidden, $"The proxy {proxy} does not allow connections to {there}: its rules forbid them. Allow them there."),
            3 => new ProxyException(
                ProxyFault.Unreachable, $"The proxy {proxy} has no network that leads to {there}. Check the proxy's own connection."),
            4 => new ProxyException(
                ProxyFault.Unreachable,
                $"The proxy {proxy} cannot reach {there}, or does not find its name. Check the host, and the proxy's own connection and " +
                $"DNS."),
            5 => new ProxyException(
                ProxyFault.Unreachable, $"The proxy {proxy} was refused by {there}: nothing listens there. Check host and port."),
            6 => new ProxyException(ProxyFault.Unreachable,
                $"The proxy {proxy} had no answer from {there} in time. Check host and port, and the proxy's own connection."),
            7 => new ProxyException(
                ProxyFault.Failed, $"The proxy {proxy} does not do what it was asked for (reply 7 of SOCKS 5). Use another proxy."),
            8 => new ProxyException(ProxyFault.Failed,
                $"The proxy {proxy} does not know addresses like {there} (reply 8 of SOCKS 5). Use another address, or another proxy."),
            _ => new ProxyException(ProxyFault.Failed, string.Create(CultureInfo.InvariantCulture,
                $"The proxy {proxy} failed to connect to {there} (reply {reply} of SOCKS 5). Its log may say why.")),
        };
    }

    private static ProxyException NotSocks(ProxyAddress proxy) =>
        new(ProxyFault.Protocol, $"The proxy {proxy} does not speak SOCKS 5. Check its port, and whether it is an HTTP proxy.");
}
