using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Torrents.Network;

/// <summary>Connects through a proxy.</summary>
internal static class ProxyConnector
{
    /// <summary>RFC 1928, 4: CONNECT.</summary>
    public const byte Connect = 1;

    /// <summary>RFC 1928, 4: UDP ASSOCIATE.</summary>
    public const byte Associate = 3;

    /// <summary>Of an answer to CONNECT.</summary>
    private const int MostHeader = 8 << 10;

    /// <summary>A connection to a peer, as if it were direct.</summary>
    /// <exception cref="IOException">The proxy refused, does not keep to its protocol, or there is no route.</exception>
    /// <exception cref="SocketException">The proxy cannot be reached.</exception>
    public static async ValueTask<Socket> ConnectAsync(PeerSockets sockets, ProxyAddress proxy, IPEndPoint target, CancellationToken cancellationToken)
    {
        var socket = await ReachAsync(sockets, proxy, cancellationToken);
        try
        {
            if (proxy.Kind == ProxyKind.Http)
                await TunnelAsync(socket, proxy, target, cancellationToken);
            else
                await RequestAsync(socket, proxy, Connect, target, cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>A connection to the proxy itself.</summary>
    /// <exception cref="IOException">There is no route.</exception>
    /// <exception cref="SocketException">It cannot be reached, or its name not be found.</exception>
    public static async ValueTask<Socket> ReachAsync(PeerSockets sockets, ProxyAddress proxy, CancellationToken cancellationToken)
    {
        if (sockets.Route.Trouble is { } trouble)
            throw new IOException(trouble);
        var addresses = IPAddress.TryParse(proxy.Host, out var literal) ? [literal] : await Dns.GetHostAddressesAsync(proxy.Host, cancellationToken);
        return await sockets.ConnectAsync(addresses, proxy.Port, cancellationToken);
    }

    /// <summary>Signs in to a SOCKS 5 proxy and asks for something.</summary>
    /// <returns>BND.ADDR and BND.PORT: where it does what it was asked for.</returns>
    /// <exception cref="IOException">It refused, or does not keep to the protocol.</exception>
    public static async ValueTask<IPEndPoint> RequestAsync(Socket socket, ProxyAddress proxy, byte command, IPEndPoint target, CancellationToken cancellationToken)
    {
        // VER, NMETHODS, METHODS: none, and user name with password if there is one.
        var hasUser = proxy.User.Length > 0;
        await SendAsync(socket, hasUser ? [5, 2, 0, 2] : [5, 1, 0], cancellationToken);
        var chosen = await ReadAsync(socket, 2, cancellationToken);
        if (chosen is [5, 2] && hasUser)
            await SignInAsync(socket, proxy, cancellationToken);
        else if (chosen is not [5, 0])
            throw new IOException("The proxy wants a user name and password, or another way to sign in.");

        // VER, CMD, RSV, ATYP, DST.ADDR, DST.PORT.
        var address = target.Address.GetAddressBytes();
        byte[] request = [5, command, 0, address.Length == 4 ? (byte)1 : (byte)4, .. address, (byte)(target.Port >> 8), (byte)target.Port];
        await SendAsync(socket, request, cancellationToken);
        var reply = await ReadAsync(socket, 4, cancellationToken);
        if (reply is not [5, 0, _, _])
            throw new IOException(string.Create(CultureInfo.InvariantCulture, $"The proxy refuses (reply {reply[1]} of SOCKS 5)."));
        var length = reply[3] switch { 1 => 4, 4 => 16, 3 => (await ReadAsync(socket, 1, cancellationToken))[0], _ => throw new IOException("The proxy does not keep to SOCKS 5.") };
        var bound = await ReadAsync(socket, length + 2, cancellationToken);
        return new IPEndPoint(length is 4 or 16 && reply[3] != 3 ? new IPAddress(bound.AsSpan(0, length)) : IPAddress.Any, BinaryPrimitives.ReadUInt16BigEndian(bound.AsSpan(length)));
    }

    private static async ValueTask SignInAsync(Socket socket, ProxyAddress proxy, CancellationToken cancellationToken)
    {
        // RFC 1929: VER, ULEN, UNAME, PLEN, PASSWD.
        var (user, password) = (Encoding.UTF8.GetBytes(proxy.User), Encoding.UTF8.GetBytes(proxy.Password));
        await SendAsync(socket, [1, (byte)user.Length, .. user, (byte)password.Length, .. password], cancellationToken);
        if (await ReadAsync(socket, 2, cancellationToken) is not [_, 0])
            throw new IOException("The proxy does not take the user name and password.");
    }

    private static async ValueTask TunnelAsync(Socket socket, ProxyAddress proxy, IPEndPoint target, CancellationToken cancellationToken)
    {
        var text = new StringBuilder().Append(CultureInfo.InvariantCulture, $"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
        if (proxy.User.Length > 0)
            text.Append("Proxy-Authorization: Basic ").Append(Convert.ToBase64String(Encoding.UTF8.GetBytes(proxy.User + ":" + proxy.Password))).Append("\r\n");
        await SendAsync(socket, Encoding.ASCII.GetBytes(text.Append("\r\n").ToString()), cancellationToken);

        // Byte by byte: what follows the header is the peer's.
        var header = new List<byte>(256);
        while (header is not [.., 13, 10, 13, 10])
        {
            if (header.Count == MostHeader)
                throw new IOException("The proxy does not keep to HTTP.");
            header.Add((await ReadAsync(socket, 1, cancellationToken))[0]);
        }

        var status = Encoding.ASCII.GetString([.. header]);
        if (!status.StartsWith("HTTP/1.", StringComparison.Ordinal) || status.Length < 12 || status[9] != '2')
            throw new IOException($"The proxy refuses: {status[..status.IndexOf('\r', StringComparison.Ordinal)]}");
    }

    private static async ValueTask SendAsync(Socket socket, byte[] bytes, CancellationToken cancellationToken)
    {
        try
        {
            for (var rest = bytes.AsMemory(); !rest.IsEmpty;)
                rest = rest[await socket.SendAsync(rest, cancellationToken)..];
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw new IOException("The proxy closed the connection.", error);
        }
    }

    private static async ValueTask<byte[]> ReadAsync(Socket socket, int count, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        try
        {
            for (var filled = 0; filled < count;)
            {
                var read = await socket.ReceiveAsync(bytes.AsMemory(filled), cancellationToken);
                if (read == 0)
                    throw new IOException("The proxy closed the connection.");
                filled += read;
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw new IOException("The proxy closed the connection.", error);
        }

        return bytes;
    }
}
