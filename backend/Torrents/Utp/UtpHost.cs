using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Utp;

/// <summary>
/// All uTP connections of an engine (BEP 29), over the datagrams that it has for trackers and the DHT: their table, their clock with one
/// timer for all, their memory. Thread-safe. A connection's lock may be held while the host is called; the host calls a connection while it
/// holds no lock.
/// </summary>
internal sealed partial class UtpHost : IDisposable
{
    /// <summary>Most bytes of a datagram by IPv4: fits into the 1,420 of a WireGuard tunnel but for headers that routers may
    /// split.</summary>
    private const int MostDatagram4 = 1_400;

    /// <summary>By IPv6: every link carries packets of 1,280 bytes (RFC 8200), of which headers take 48.</summary>
    private const int MostDatagram6 = 1_280 - 48;

    /// <summary>Ticks are not closer than this: 10 ms, in microseconds.</summary>
    private const long Grain = 10_000;

    private readonly ConcurrentDictionary<(DatagramAddress Remote, ushort Id), UtpConnection> _connections = new();
    private readonly IDatagramChannel _channel;
    private readonly TimeProvider _time;
    private readonly Func<UtpPolicy> _policy;
    private readonly IDisposable _handler;
    private readonly ITimer _timer;
    private readonly Lock _timing = new();
    private long _tickAt = long.MaxValue;
    private volatile bool _closed;

    /// <param name="channel">Sends and receives the datagrams. Not owned.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="policy">Returns what it may be used for now.</param>
    /// <param name="greeted">Called with the address of each incoming connection that has proved it; under the connection's lock.</param>
    public UtpHost(IDatagramChannel channel, TimeProvider time, Func<UtpPolicy> policy, Action<IPEndPoint>? greeted = null)
    {
        _channel = channel;
        _time = time;
        _policy = policy;
        _greeted = greeted;
        _timer = time.CreateTimer(static state => ((UtpHost)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _handler = channel.Register(Take);
    }

    /// <summary>Memory of all connections.</summary>
    public UtpMemory Memory { get; } = new();

    /// <summary>Connections, also those that are being opened or closed.</summary>
    public int Count => _connections.Count;

    private bool IsOn => _policy() != UtpPolicy.Off;

    /// <summary>A clock in microseconds.</summary>
    public long Now => (long)(_time.GetTimestamp() * (1_000_000d / _time.TimestampFrequency));

    /// <summary>Most bytes of a datagram to this address.</summary>
    public static int MostDatagram(DatagramAddress to) => to.Family == AddressFamily.InterNetwork ? MostDatagram4 : MostDatagram6;

    /// <summary>True if a peer at this address can be dialled now.</summary>
    public bool CanReach(AddressFamily family) => !_closed && IsOn && _channel.CanReach(family);

    /// <summary>Connects. Null if the peer does not answer within five seconds, or uTP cannot be used.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<ITransport?> ConnectAsync(IPEndPoint remote, CancellationToken cancellationToken)
    {
        var to = new DatagramAddress(remote);
        if (!CanReach(to.Family) || !to.IsUsable || _connections.Count >= MostConnections)
            return null;
        UtpConnection connection;
        do
        {
            // "conn_id_recv = rand(); conn_id_send = conn_id_recv + 1"
            var id = RandomNumber();
            connection = new UtpConnection(this, to, id, (ushort)(id + 1), RandomNumber());
        }
        while (!_connections.TryAdd((to, connection.ReceiveId), connection));

        var isOpen = false;
        try
        {
            isOpen = await connection.OpenAsync().WaitAsync(cancellationToken);
            return isOpen ? connection : null;
        }
        finally
        {
            if (!isOpen)
                connection.Dispose();
        }
    }

    /// <summary>Ends all connections at once: the network that they used is gone.</summary>
    public void Abort()
    {
        foreach (var connection in _connections.Values)
            connection.Abort("The network has changed.");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _closed = true;
        _handler.Dispose();
        Abort();
        _timer.Dispose();
    }

    /// <summary>Sends a datagram of a connection.</summary>
    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        if (IsOn)
            _channel.Send(to, datagram);
    }

    /// <summary>A connection wants a tick at this time.</summary>
    public void WakeAt(long at)
    {
        if (at >= Volatile.Read(ref _tickAt))
            return;
        lock (_timing)
        {
            if (at >= _tickAt)
                return;
            var now = Now;
            at = Math.Max(at, now + Grain);
            if (at >= _tickAt || _closed)
                return;
            Volatile.Write(ref _tickAt, at);
            _timer.Change(TimeSpan.FromMicroseconds(at - now), Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>A connection has ended: packets for it are answered no more.</summary>
    public void Remove(UtpConnection connection, DatagramAddress from)
    {
        if (_connections.TryRemove(new KeyValuePair<(DatagramAddress, ushort), UtpConnection>((from, connection.ReceiveId), connection)))
            NoLongerHalfOpen(connection, from);
    }

    private static ushort RandomNumber() => (ushort)RandomNumberGenerator.GetInt32(1 << 16);

    private void Tick()
    {
        lock (_timing)
            Volatile.Write(ref _tickAt, long.MaxValue);
        var now = Now;
        var next = long.MaxValue;
        foreach (var (_, connection) in _connections)
            next = Math.Min(next, connection.Tick(now));
        WakeAt(next);
    }
}
