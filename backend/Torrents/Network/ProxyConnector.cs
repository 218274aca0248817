using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>Connects through a proxy, using the current route.</summary>
internal static class ProxyConnector
{
    /// <summary>Connects to a peer through the proxy. The result can be used like a direct connection.</summary>
    /// <exception cref="IOException">The proxy refused or violated its protocol, or there is no route.</exception>
    /// <exception cref="SocketException">The proxy cannot be reached.</exception>
    public static async ValueTask<Socket> ConnectAsync(
        PeerSockets sockets, ProxyAddress proxy, IPEndPoint target, CancellationToken cancellationToken)
    {
        var socket = await ReachAsync(sockets, proxy, cancellationToken);
        try
        {
            await ProxyClient.ConnectAsync(socket, proxy, target.Address.ToString(), target.Port, cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Connects to the proxy itself.</summary>
    /// <exception cref="IOException">There is no route.</exception>
    /// <exception cref="SocketException">The proxy cannot be reached, or its name cannot be resolved.</exception>
    public static async ValueTask<Socket> ReachAsync(PeerSockets sockets, ProxyAddress proxy, CancellationToken cancellationToken)
    {
        if (sockets.Route.Trouble is { } trouble)
            throw new IOException(trouble);
        var addresses = IPAddress.TryParse(proxy.Host, out var literal)
            ? [literal] : await Dns.GetHostAddressesAsync(proxy.Host, cancellationToken);
        return await sockets.ConnectAsync(addresses, proxy.Port, cancellationToken);
    }
}
