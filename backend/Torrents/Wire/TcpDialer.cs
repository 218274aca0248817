using System.Net.Sockets;
using NzbDav.Torrents.Network;

namespace NzbDav.Torrents.Wire;

/// <summary>Connects by TCP, through a proxy if the route has one.</summary>
/// <param name="sockets">Creates the sockets.</param>
internal sealed class TcpDialer(PeerSockets sockets) : ITransportDialer
{
    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        Socket? socket = null;
        try
        {
            if (sockets.Route.Proxy is { } proxy)
            {
                socket = await ProxyConnector.ConnectAsync(sockets, proxy, target.Remote, cancellationToken);
                return new TcpTransport(socket, target.Remote);
            }

            // Creating the socket can fail too: without IPv6 (EAFNOSUPPORT), or without a free descriptor (EMFILE).
            socket = sockets.Create(target.Remote.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (socket is null)
                return null;
            await socket.ConnectAsync(target.Remote, cancellationToken);
            return new TcpTransport(socket);
        }
        catch (Exception error) when (error is SocketException or IOException or ObjectDisposedException)
        {
            socket?.Dispose();
            return null;
        }
        catch
        {
            socket?.Dispose();
            throw;
        }
    }
}
