using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.MockSwarm;

/// <summary>A seeder on a port of its own.</summary>
public sealed class MockSeeder : IAsyncDisposable
{
    private readonly Socket _listener;
    private readonly Lock _gate = new();
    private readonly HashSet<SeederSession> _sessions = [];
    private readonly Task _accepting;
    private bool _stopped;

    /// <summary>Starts listening.</summary>
    public MockSeeder(MockTorrent torrent, SeederOptions? options = null)
    {
        Torrent = torrent;
        Options = options ?? new SeederOptions();
        RoundTrip = Options.RoundTrip.Ticks;
        Line = new Line(Options.Rate);
        _listener = new Socket(Options.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(Options.Endpoint);
        _listener.Listen(512);
        Endpoint = (IPEndPoint)_listener.LocalEndPoint!;
        PeerId = Encoding.ASCII.GetBytes($"-MS0001-{Endpoint.Port:D12}");
        _accepting = AcceptAsync();
    }

    public MockTorrent Torrent { get; }

    public SeederOptions Options { get; }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Endpoint { get; }

    public SeederCounters Counters { get; } = new();

    internal long RoundTrip { get; }

    internal Line Line { get; }

    internal byte[] PeerId { get; }

    /// <summary>Closes all connections; new ones are taken.</summary>
    public void Disconnect()
    {
        SeederSession[] sessions;
        lock (_gate)
            sessions = [.. _sessions];
        foreach (var session in sessions)
            session.Close();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
            _stopped = true;
        _listener.Dispose();
        Disconnect();
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptAsync();
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return;
            }

            socket.NoDelay = true;
            Counters.Connected();
            var session = new SeederSession(this, socket);
            lock (_gate)
            {
                if (_stopped)
                {
                    socket.Dispose();
                    return;
                }

                _sessions.Add(session);
            }

            _ = ServeAsync(session);
        }
    }

    private async Task ServeAsync(SeederSession session)
    {
        await Task.Yield();
        await session.RunAsync();
        lock (_gate)
            _sessions.Remove(session);
    }
}
