using System.Net.Sockets;

namespace NzbDav.Content.Proxies;

/// <summary>Sends and receives the bytes of a proxy dialog, and turns socket errors into <see cref="ProxyException"/>.</summary>
internal static class ProxyWire
{
    public static ProxyException WrongLogin(ProxyAddress proxy) =>
        new(ProxyFault.Login, $"The proxy {proxy} does not accept the user name and password: check both.");

    public static async ValueTask SendAsync(Socket socket, ProxyAddress proxy, byte[] bytes, CancellationToken cancellationToken)
    {
        try
        {
            for (var rest = bytes.AsMemory(); !rest.IsEmpty;)
                rest = rest[await socket.SendAsync(rest, cancellationToken)..];
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw Closed(proxy, error);
        }
    }

    public static async ValueTask<byte[]> ReadAsync(Socket socket, ProxyAddress proxy, int count, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        try
        {
            for (var filled = 0; filled < count;)
            {
                var read = await socket.ReceiveAsync(bytes.AsMemory(filled), cancellationToken);
                if (read == 0)
                    throw Closed(proxy, inner: null);
                filled += read;
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw Closed(proxy, error);
        }

        return bytes;
    }

    private static ProxyException Closed(ProxyAddress proxy, Exception? inner) =>
        new(ProxyFault.Protocol,
            $"The proxy {proxy} closed the connection. Check its port, whether it is SOCKS 5 or HTTP, and whom it serves.", inner);
}
