using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Pacing;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>A seeder on a port of its own.</summary>
public sealed class MockSeeder : IAsyncDisposable
{
    private readonly SeederState _state;
    private readonly Socket _listener;
    private readonly Lock _gate = new();
    private readonly HashSet<SeederSession> _sessions = [];
    private readonly Task _accepting;
    private bool _stopped;

    /// <summary>Starts listening.</summary>
    public MockSeeder(MockTorrent torrent, SeederOptions? options = null)
    {
        options ??= new SeederOptions();
        _listener = new Socket(options.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(options.Endpoint);
        _listener.Listen(512);
        Endpoint = (IPEndPoint)_listener.LocalEndPoint!;
        _state = new SeederState(
            torrent, options, new SeederCounters(), new Line(options.Rate), Encoding.ASCII.GetBytes($"-MS0001-{Endpoint.Port:D12}"));
        _accepting = AcceptAsync();
    }

    public MockTorrent Torrent => _state.Torrent;

    public SeederOptions Options => _state.Options;

    /// <summary>The address it listens on.</summary>
    public IPEndPoint Endpoint { get; }

    public SeederCounters Counters => _state.Counters;

    /// <summary>Closes all connections; new ones are accepted.</summary>
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
            var session = new SeederSession(_state, socket);
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

/// <summary>State shared by the connections of a seeder. Thread-safe.</summary>
/// <param name="Torrent">The torrent that it serves.</param>
/// <param name="Options">Its behaviour.</param>
/// <param name="Counters">Its counters.</param>
/// <param name="Line">The line that all its connections share.</param>
/// <param name="PeerId">20 bytes.</param>
internal sealed record SeederState(MockTorrent Torrent, SeederOptions Options, SeederCounters Counters, Line Line, byte[] PeerId)
{
    /// <summary>The info-hash of its handshake.</summary>
    public ReadOnlyMemory<byte> Name { get; } = Options.ByAlias ? Torrent.Alias : Torrent.Hash;

    /// <summary>The round trip in ticks.</summary>
    public long RoundTrip => Options.RoundTrip.Ticks;
}
