using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>Connects by TCP.</summary>
internal sealed class TcpDialer : ITransportDialer
{
    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        Socket? socket = null;
        try
        {
            // Making the socket fails too: without IPv6 (EAFNOSUPPORT), without a descriptor (EMFILE).
            socket = new Socket(target.Remote.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(target.Remote, cancellationToken);
            return new TcpTransport(socket);
        }
        catch (SocketException)
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
