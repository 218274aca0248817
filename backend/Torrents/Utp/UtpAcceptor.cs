using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Utp;

/// <summary>Accepts the peers that connect by uTP. Two acceptors may exist for a moment, while one replaces the other.</summary>
internal sealed class UtpAcceptor : ITransportAcceptor
{
    private readonly UtpHost _host;
    private readonly CancellationTokenSource _closing = new();

    /// <param name="host">Receives the connections; not owned.</param>
    /// <param name="port">The port of the host's datagrams.</param>
    public UtpAcceptor(UtpHost host, int port)
    {
        _host = host;
        Port = port;
        host.Listen(begins: true);
    }

    public int Port { get; }

    public async ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_closing.IsCancellationRequested, this);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_closing.Token, cancellationToken);
        return await _host.Waiting.ReadAsync(either.Token);
    }

    /// <summary>Stops accepting peers. Accepted connections remain open.</summary>
    public void Dispose()
    {
        if (_closing.IsCancellationRequested)
            return;
        _host.Listen(begins: false);
        _closing.Cancel();
    }
}

/// <summary>Connects by TCP, or by uTP if the target demands it.</summary>
/// <param name="tcp">Connects by TCP.</param>
/// <param name="host">Connects by uTP.</param>
internal sealed class UtpDialer(ITransportDialer tcp, UtpHost host) : ITransportDialer
{
    public ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken) =>
        target.ByUtp ? host.ConnectAsync(target.Remote, cancellationToken) : tcp.ConnectAsync(target, cancellationToken);
}
