using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Statistics;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>
/// One NNTP server over an <see cref="ArticleStore"/> that may be shared with others. Serves from its start until it is disposed, which
/// ends all connections. Thread-safe.
/// </summary>
public sealed class MockProvider : ProviderBehaviour, IConnectionOwner, IAsyncDisposable
{
    private readonly ulong _seed;
    private readonly Socket _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Connection, Task> _connections = new();
    private readonly Task _accepting;
    private readonly SslServerAuthenticationOptions? _authentication;

    private MockProvider(ArticleStore store, MockProviderOptions options)
        : base(store, options)
    {
        _seed = options.Seed;
        if (options.Tls)
        {
            Certificate = options.Certificate ?? MockCertificate.Shared;

            // One context for all connections: a session ticket issued on one connection is valid on the next.
            _authentication = new SslServerAuthenticationOptions
            { ServerCertificateContext = SslStreamCertificateContext.Create(Certificate, additionalCertificates: null, offline: true) };
        }

        _listener = new Socket(options.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _listener.Bind(new IPEndPoint(options.Address, options.Port));
            _listener.Listen(512);
        }
        catch (SocketException)
        {
            _listener.Dispose();
            throw;
        }

        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _accepting = AcceptAsync();
    }

    public int Port { get; }

    /// <summary>The certificate that clients have to trust; null without TLS.</summary>
    public X509Certificate2? Certificate { get; }

    /// <summary>The counters so far.</summary>
    public ProviderStats Stats => Counters.Snapshot(Name, Port);

    /// <summary>Binds the port and serves. Throws <see cref="SocketException"/> if the port is in use.</summary>
    public static MockProvider Start(ArticleStore store, MockProviderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        return new MockProvider(store, options ?? new MockProviderOptions());
    }

    /// <summary>Ends the connections that are open now, by RST or by FIN.</summary>
    /// <param name="reset">True: by RST. False: by FIN.</param>
    /// <param name="keep">Number of connections, in no particular order, that stay open.</param>
    public void DropConnections(bool reset = true, int keep = 0)
    {
        foreach (var connection in _connections.Keys.Skip(keep))
            connection.Abort(reset);
    }

    /// <summary>Resets all counters except that of open connections.</summary>
    public void ResetStats() => Counters.Reset();

    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting;
        DropConnections();
        await Task.WhenAll(_connections.Values);
        _stop.Dispose();
    }

    void IConnectionOwner.GiveBack(bool vanished)
    {
        if (vanished && Ghosts > TimeSpan.Zero)
            _ = LayGhostAsync(Ghosts);
        else
            Counters.Closed();
    }

    async Task<Transport> IConnectionOwner.SecureAsync(Socket socket, DelayWaiter delay)
    {
        if (_authentication is null)
            return new Transport(socket);
        if (Latency > TimeSpan.Zero)
            await delay.UntilAsync(Scheduler.Now + Latency.Ticks);
        if (IsFrozen && !await delay.UntilAsync(long.MaxValue))
            throw new IOException("It ended before the handshake.");
        var tls = new TlsTransport(socket);
        try
        {
            Counters.Handshake(await tls.HandshakeAsync(_authentication, _stop.Token));
            return tls;
        }
        catch
        {
            tls.Dispose();
            throw;
        }
    }

    private async Task LayGhostAsync(TimeSpan after)
    {
        try
        {
            await Task.Delay(after, Time, _stop.Token);
        }
        catch (OperationCanceledException)
        {
            // The provider is being disposed.
        }

        Counters.Closed();
    }

    private async Task AcceptAsync()
    {
        for (long number = 0; ; number++)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptAsync(_stop.Token);
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                // The client gave up between its SYN and the accept.
                continue;
            }

            if (RefuseConnections)
            {
                Counters.Refused();
                using var refused = new Transport(socket);
                refused.Abort(reset: true);
                continue;
            }

            socket.NoDelay = true;
            var counted = Counters.TryOpen(MaxConnections);
            if (!counted)
                Counters.Refused();
            var connection = new Connection(this, this, socket, counted, SeedHash.Of(_seed, Name, number));
            // Added before it runs: a connection that ends at once must find its entry to remove.
            _connections[connection] = Task.CompletedTask;
            _connections.TryUpdate(connection, Task.Run(() => ServeAsync(connection)), Task.CompletedTask);
        }
    }

    private async Task ServeAsync(Connection connection)
    {
        await connection.RunAsync();
        _connections.TryRemove(connection, out _);
    }
}
