using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Threading.Channels;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Utp;

/// <summary>
/// All uTP connections of an engine (BEP 29), over the sockets that also serve trackers and the DHT. Contains the table of connections, one
/// timer for all, and their memory. Thread-safe. A connection may call the host under its own lock; the host calls connections without
/// holding a lock.
/// </summary>
internal sealed class UtpHost : IDisposable
{
    /// <summary>
    /// Most bytes of a datagram by IPv4, without its headers (28 bytes). With them it exceeds the 1,420 bytes of a WireGuard tunnel, where
    /// routers may fragment it.
    /// </summary>
    private const int MostDatagram4 = 1_400;

    /// <summary>
    /// Most bytes of a datagram by IPv6. Every link carries packets of 1,280 bytes (RFC 8200); the headers take 48 of them.
    /// </summary>
    private const int MostDatagram6 = 1_280 - 48;

    /// <summary>Shortest time between ticks: 10 ms, in microseconds.</summary>
    private const long Grain = 10_000;

    /// <summary>Most connections, including those being opened: twice the default for an engine.</summary>
    private const int MostConnections = 1_000;

    /// <summary>Most connections whose peer's address is not proven. Each costs less than 2 KiB, for five seconds.</summary>
    private const int MostHalfOpen = 100;

    /// <summary>
    /// Most of these connections from one address, or from one /64 of IPv6. The same limit as for TCP connections whose handshake has not
    /// arrived.
    /// </summary>
    private const int MostPerAddress = 8;

    /// <summary>Most connections waiting to be accepted.</summary>
    private const int MostWaiting = 32;

    /// <summary>Most resets per second, for all unknown connections together.</summary>
    private const int MostResets = 20;

    /// <summary>Most unknown connections remembered, so that each is sent one reset.</summary>
    private const int Remembered = 256;

    private readonly ConcurrentDictionary<(DatagramAddress Remote, ushort Id), UtpConnection> _connections = new();
    private readonly IDatagramChannel _channel;
    private readonly TimeProvider _time;
    private readonly Func<UtpPolicy> _policy;
    private readonly IDisposable _handler;
    private readonly ITimer _timer;
    private readonly Lock _timing = new();
    private long _tickAt = long.MaxValue;
    private volatile bool _closed;

    private readonly Channel<ITransport> _waiting = Channel.CreateBounded<ITransport>(MostWaiting);
    private readonly Lock _admitting = new();
    private readonly AddressCounts _halfOpenAddresses = new();
    private readonly HashSet<UtpConnection> _halfOpen = [];
    private readonly Queue<(DatagramAddress, ushort)> _reset = new();
    private readonly HashSet<(DatagramAddress, ushort)> _resetOnce = [];
    private readonly Action<IPEndPoint>? _greeted;
    private long _resetSecond;
    private int _resets;
    private int _acceptors;

    /// <param name="channel">Sends and receives the datagrams. Not owned.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="policy">Returns the current policy.</param>
    /// <param name="greeted">Called with the address of each incoming connection whose address is proven, under the connection's
    /// lock.</param>
    public UtpHost(IDatagramChannel channel, TimeProvider time, Func<UtpPolicy> policy, Action<IPEndPoint>? greeted = null)
    {
        _channel = channel;
        _time = time;
        _policy = policy;
        _greeted = greeted;
        _timer = time.CreateTimer(static state => ((UtpHost)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _handler = channel.Register(Handle);
    }

    /// <summary>Memory of all connections.</summary>
    public UtpMemory Memory { get; } = new();

    /// <summary>Number of connections, including those being opened or closed.</summary>
    public int Count => _connections.Count;

    private bool IsOn => _policy() != UtpPolicy.Off;

    /// <summary>A clock in microseconds.</summary>
    public long Now => (long)(_time.GetTimestamp() * (1_000_000d / _time.TimestampFrequency));

    /// <summary>Most bytes of a datagram to this address.</summary>
    public static int MostDatagram(DatagramAddress to) => to.Family == AddressFamily.InterNetwork ? MostDatagram4 : MostDatagram6;

    /// <summary>True if peers of an address family can currently be dialled.</summary>
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

    /// <summary>Ends all connections at once, because the network that they used is gone.</summary>
    public void Abort()
    {
        foreach (var connection in _connections.Values)
            connection.Abort("The network has changed.");
    }

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

    /// <summary>Requests a tick for a connection at this time, or up to 10 ms later.</summary>
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

    /// <summary>Removes a connection that has ended. Packets for it are then answered with a reset.</summary>
    public void Remove(UtpConnection connection, DatagramAddress from)
    {
        if (_connections.TryRemove(new KeyValuePair<(DatagramAddress, ushort), UtpConnection>((from, connection.ReceiveId), connection)))
            RemoveHalfOpen(connection, from);
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

    // Datagrams that arrive, and peers that connect. A sender's address may be forged until it has repeated a random number that we sent to
    // it.

    /// <summary>Connections from peers, waiting to be accepted.</summary>
    public ChannelReader<ITransport> Waiting => _waiting.Reader;

    /// <summary>Number of connections whose peer's address is not proven.</summary>
    public int HalfOpen
    {
        get
        {
            lock (_admitting)
                return _halfOpen.Count;
        }
    }

    /// <summary>True if peers may connect.</summary>
    public bool IsListening => Volatile.Read(ref _acceptors) > 0 && _policy() == UtpPolicy.On;

    /// <summary>Counts an acceptor that starts or stops accepting connections.</summary>
    public void Listen(bool begins) => Interlocked.Add(ref _acceptors, begins ? 1 : -1);

    /// <summary>Called when a peer has connected and its address is proven. False if the peer is not accepted.</summary>
    public bool Opened(UtpConnection connection, DatagramAddress from)
    {
        RemoveHalfOpen(connection, from);
        if (!IsListening || !_waiting.Writer.TryWrite(connection))
            return false;
        _greeted?.Invoke(connection.Remote);
        return true;
    }

    private bool Handle(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (_closed || !IsOn || !UtpPacket.CanBegin(datagram))
            return false;
        if (!UtpPacket.TryRead(datagram, out var packet) || !from.IsUsable)
            return true;
        if (packet.Type == UtpType.Syn)
        {
            HandleSyn(from, packet);
            return true;
        }

        if (packet.Type == UtpType.Reset)
        {
            // Some clients send the id of packets to us, others the id of our packets. The latter is one higher if we dialled, one lower if
            // they did.
            FindForReset(from, packet.Id)?.HandleReset(packet);
            return true;
        }

        if (_connections.TryGetValue((from, packet.Id), out var connection))
            connection.Handle(packet);
        else
            Reset(from, packet);
        return true;
    }

    private UtpConnection? FindForReset(DatagramAddress from, ushort id)
    {
        if (_connections.TryGetValue((from, id), out var connection))
            return connection;
        foreach (var other in (ReadOnlySpan<ushort>)[(ushort)(id - 1), (ushort)(id + 1)])
        {
            if (_connections.TryGetValue((from, other), out connection) && connection.SendId == id)
                return connection;
        }

        return null;
    }

    private void HandleSyn(DatagramAddress from, in UtpPacket syn)
    {
        // "conn_id_recv = pkt.connection_id + 1; conn_id_send = pkt.connection_id; seq_nr = rand()"
        var id = (ushort)(syn.Id + 1);
        if (_connections.TryGetValue((from, id), out var known))
        {
            known.Handle(syn);
            return;
        }

        var connection = IsListening && _connections.Count < MostConnections
            ? new UtpConnection(this, from, id, syn.Id, RandomNumber()) : null;
        if (connection is null || !TryEnter(connection))
        {
            // Without an answer most clients would wait for seconds before they try TCP.
            Reset(from, syn);
            return;
        }

        if (_connections.TryAdd((from, id), connection))
            connection.Answer(syn);
        else
            RemoveHalfOpen(connection, from);
    }

    private bool TryEnter(UtpConnection connection)
    {
        var address = connection.Remote.Address;
        lock (_admitting)
        {
            var here = FamilyDials.IsSix(address) ? _halfOpenAddresses.OfNetwork(address) : _halfOpenAddresses.Of(address);
            if (_halfOpen.Count >= MostHalfOpen || (here >= MostPerAddress && !LocalNetwork.Contains(address)))
                return false;
            _halfOpen.Add(connection);
            _halfOpenAddresses.Add(address);
            return true;
        }
    }

    private void RemoveHalfOpen(UtpConnection connection, DatagramAddress from)
    {
        lock (_admitting)
        {
            if (_halfOpen.Remove(connection))
                _halfOpenAddresses.Remove(from.ToAddress());
        }
    }

    /// <summary>
    /// Answers a packet of an unknown connection with a reset of 20 bytes, once per connection and at most <see cref="MostResets"/> times a
    /// second in all.
    /// </summary>
    private void Reset(DatagramAddress from, in UtpPacket packet)
    {
        lock (_admitting)
        {
            var second = Now / 1_000_000;
            if (second != _resetSecond)
                (_resetSecond, _resets) = (second, 0);
            if (_resets >= MostResets || !_resetOnce.Add((from, packet.Id)))
                return;
            _resets++;
            _reset.Enqueue((from, packet.Id));
            if (_reset.Count > Remembered)
                _resetOnce.Remove(_reset.Dequeue());
        }

        Span<byte> answer = stackalloc byte[UtpPacket.HeaderSize];
        UtpPacket.Write(answer, new UtpHeader(UtpType.Reset, packet.Id, (uint)Now, 0, 0, RandomNumber(), packet.Sequence));
        Send(from, answer);
    }
}
