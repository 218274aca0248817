using System.Net;
using System.Net.Sockets;

namespace NzbDav.Content.Proxies;

/// <summary>Asks a proxy for connections, over a socket that is connected to it. What was asked for goes over that socket from then on; the caller closes it when anything fails.</summary>
public static class ProxyClient
{
    /// <summary>Asks for a connection. A name is left to the proxy: nothing is looked up here.</summary>
    /// <param name="socket">Connected to the proxy.</param>
    /// <param name="proxy">Who it is.</param>
    /// <param name="host">Name or address.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="cancellationToken">Nobody wants it any more.</param>
    /// <exception cref="ProxyException">It refused, closed the connection or does not keep to its protocol.</exception>
    public static async ValueTask ConnectAsync(Socket socket, ProxyAddress proxy, string host, int port, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(socket);
        ArgumentNullException.ThrowIfNull(proxy);
        ArgumentNullException.ThrowIfNull(host);
        if (proxy.Kind == ProxyKind.Http)
            await HttpTunnel.OpenAsync(socket, proxy, host, port, cancellationToken);
        else
            await SocksDialog.RequestAsync(socket, proxy, SocksDialog.Connect, host, port, cancellationToken);
    }

    /// <summary>Asks a SOCKS 5 proxy to relay datagrams, as long as the socket is open.</summary>
    /// <param name="socket">Connected to the proxy.</param>
    /// <param name="proxy">Who it is.</param>
    /// <param name="own">Where they will come from.</param>
    /// <param name="cancellationToken">Nobody wants it any more.</param>
    /// <returns>Where they are relayed.</returns>
    /// <exception cref="ProxyException">It refused, closed the connection or does not keep to its protocol.</exception>
    public static ValueTask<IPEndPoint> AssociateAsync(Socket socket, ProxyAddress proxy, IPEndPoint own, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(own);
        return SocksDialog.RequestAsync(socket, proxy, SocksDialog.Associate, own.Address.ToString(), own.Port, cancellationToken);
    }

    internal static ProxyException WrongLogin(ProxyAddress proxy) => new(ProxyFault.Login, $"The proxy {proxy} does not accept the user name and password: check both.");

    internal static async ValueTask SendAsync(Socket socket, ProxyAddress proxy, byte[] bytes, CancellationToken cancellationToken)
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

    internal static async ValueTask<byte[]> ReadAsync(Socket socket, ProxyAddress proxy, int count, CancellationToken cancellationToken)
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
        new(ProxyFault.Protocol, $"The proxy {proxy} closed the connection. Check its port, whether it is SOCKS 5 or HTTP, and whom it serves.", inner);
}
