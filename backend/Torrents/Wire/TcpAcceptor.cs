using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>Listens on a TCP port.</summary>
internal sealed class TcpAcceptor : ITransportAcceptor
{
    private readonly Socket _listener;
    private readonly Func<Socket, bool> _taken;

    /// <summary>Listens from here on.</summary>
    /// <param name="listener">Not bound; owned, closed if that fails.</param>
    /// <param name="endpoint">Where.</param>
    /// <param name="taken">Told of each connection; false if it is not wanted, and closed.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public TcpAcceptor(Socket listener, IPEndPoint endpoint, Func<Socket, bool> taken)
    {
        _listener = listener;
        _taken = taken;
        try
        {
            _listener.Bind(endpoint);
            _listener.Listen(128);
        }
        catch
        {
            _listener.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <inheritdoc/>
    public async ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Socket? socket = null;
            try
            {
                socket = await _listener.AcceptAsync(cancellationToken);
                if (_taken(socket))
                    return new TcpTransport(socket);
            }
            catch (SocketException error)
            {
                // accept(2): the peer was gone before it was taken, which the next one need not wait for. Everything else may last, EMFILE until a descriptor is free.
                socket?.Dispose();
                if (socket is null && error.SocketErrorCode is not (SocketError.ConnectionAborted or SocketError.ConnectionReset))
                    return null;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();
}
