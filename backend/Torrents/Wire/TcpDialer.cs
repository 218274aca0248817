using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>Connects by TCP.</summary>
internal sealed class TcpDialer : ITransportDialer
{
    public async ValueTask<ITransport?> ConnectAsync(IPEndPoint remote, CancellationToken cancellationToken)
    {
        var socket = new Socket(remote.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(remote, cancellationToken);
            return new TcpTransport(socket);
        }
        catch (SocketException)
        {
            socket.Dispose();
            return null;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
