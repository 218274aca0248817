using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>Listens on a TCP port.</summary>
internal sealed class TcpAcceptor : ITransportAcceptor
{
    private readonly Socket _listener;
    private readonly Func<Socket, bool> _accept;

    /// <summary>Starts listening.</summary>
    /// <param name="listener">Not bound yet. Owned, and closed if listening fails.</param>
    /// <param name="endpoint">Address and port to listen on.</param>
    /// <param name="accept">Called with each connection. Returns false if it refused the connection and closed it.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public TcpAcceptor(Socket listener, IPEndPoint endpoint, Func<Socket, bool> accept)
    {
        _listener = listener;
        _accept = accept;
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

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    public async ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Socket? socket = null;
            try
            {
                socket = await _listener.AcceptAsync(cancellationToken);
                if (_accept(socket))
                    return new TcpTransport(socket);
            }
            catch (SocketException error)
            {
                // A peer that left before it was accepted need not delay the next one. Any other error may persist, such as EMFILE until a
                // descriptor is free (accept(2)).
                socket?.Dispose();
                if (socket is null && error.SocketErrorCode is not (SocketError.ConnectionAborted or SocketError.ConnectionReset))
                    return null;
            }
        }
    }

    public void Dispose() => _listener.Dispose();
}
