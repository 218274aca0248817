using System.Net;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Utp;

/// <summary>
/// A uTP connection (BEP 29). One lock guards all state. It is held for a packet, a call or a tick of the timer. Datagrams are passed to
/// the socket under it, which never blocks. Thread-safe, with one receive and one send at a time. Continuations run on another thread,
/// never on the one that receives datagrams.
/// </summary>
internal sealed partial class UtpConnection : ITransport
{
    /// <summary>How long a peer may take to answer our SYN, or to send its first byte. Three SYNs are sent: after 0, 1 and 3 s.</summary>
    private const long OpenTimeout = 5_000_000;

    /// <summary>How long a closed connection waits for the acknowledgement of its end.</summary>
    private const long CloseTimeout = 10_000_000;

    /// <summary>
    /// Silence after which a packet is sent to keep the path open. Routers forget a UDP flow after 30 s or more (libutp: 29 s).
    /// </summary>
    private const long KeepAlive = 29_000_000;

    private readonly UtpHost _host;
    private readonly DatagramAddress _to;
    private readonly Lock _gate = new();
    private readonly UtpWait _arrived = new();
    private readonly UtpWait _sentAll = new();
    private readonly RoundTripTime _roundTrip = new();
    private readonly CongestionWindow _congestion;
    private readonly SendWindow _sent;
    private readonly ReceiveWindow _received;
    private readonly int _mostPayload;
    private TaskCompletionSource<bool>? _opened;
    private Phase _phase;
    private string? _fault;
    private bool _disposed;
    private int _gather = 1;
    private long _giveUpAt;

    /// <param name="host">Sends its datagrams and drives its time-outs.</param>
    /// <param name="to">Address of the peer.</param>
    /// <param name="receiveId">The id in packets to us.</param>
    /// <param name="sendId">The id in packets to the peer.</param>
    /// <param name="first">Number of our first packet. Random, so that nobody can guess it.</param>
    public UtpConnection(UtpHost host, DatagramAddress to, ushort receiveId, ushort sendId, ushort first)
    {
        _host = host;
        _to = to;
        (ReceiveId, SendId) = (receiveId, sendId);
        _mostPayload = UtpHost.MostDatagram(to) - UtpPacket.HeaderSize;
        _congestion = new CongestionWindow(UtpHost.MostDatagram(to));
        _sent = new SendWindow(host.Memory, first);
        _received = new ReceiveWindow(host.Memory);
        Remote = to.ToEndPoint();
    }

    private enum Phase
    {
        /// <summary>Our SYN is not acknowledged yet.</summary>
        Dialling,

        /// <summary>The peer's SYN is answered, but its address is not proven yet.</summary>
        Answering,

        /// <summary>Bytes can go both ways.</summary>
        Open,

        /// <summary>Closed by us. What was sent, and the end of the stream, are not acknowledged yet.</summary>
        Closing,

        /// <summary>Nothing is sent any more.</summary>
        Closed,
    }

    public IPEndPoint Remote { get; }

    public bool IsUtp => true;

    public PeerEncryption Encryption => PeerEncryption.None;

    public bool HandshakeSent => false;

    /// <summary>The id in packets to us.</summary>
    public ushort ReceiveId { get; }

    /// <summary>The id in packets to the peer.</summary>
    public ushort SendId { get; }

    /// <summary>Bytes that have arrived and are not read yet.</summary>
    public int Unread
    {
        get
        {
            lock (_gate)
                return _received.Available;
        }
    }

    /// <summary>Sends the SYN. The result is false if the peer does not answer.</summary>
    public Task<bool> OpenAsync()
    {
        lock (_gate)
        {
            _opened = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            var now = _host.Now;
            _giveUpAt = now + OpenTimeout;
            SendNew([], UtpType.Syn, now);
            Schedule();
            return _opened.Task;
        }
    }

    /// <summary>Answers a peer's SYN.</summary>
    public void Answer(in UtpPacket syn)
    {
        lock (_gate)
        {
            var now = _host.Now;
            _phase = Phase.Answering;
            _giveUpAt = now + OpenTimeout;
            _received.Begin(syn.Sequence);
            Note(syn, now);
            SendState(now);
            Schedule();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask ReadyAsync()
    {
        while (true)
        {
            ValueTask wait;
            lock (_gate)
            {
                ThrowIfBroken();
                if (_received.Available > 0 || _received.IsEnded)
                    return;
                _received.Trim();
                wait = _arrived.Begin();
            }

            await wait;
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        while (true)
        {
            ValueTask wait;
            lock (_gate)
            {
                ThrowIfBroken();
                if (_received.Available > 0 || _received.IsEnded)
                {
                    var count = _received.Read(buffer.Span);
                    AnnounceWindow();
                    return count;
                }

                wait = _arrived.Begin();
            }

            await wait;
        }
    }

    public void Gather(int bytes)
    {
        lock (_gate)
        {
            _gather = bytes;
            Wake();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(Memory<byte> buffer)
    {
        ValueTask wait;
        lock (_gate)
        {
            ThrowIfBroken();
            _unsent = buffer;
            Pump(_host.Now);
            Schedule();
            if (_unsent.IsEmpty)
                return;
            wait = _sentAll.Begin();
        }

        await wait;
        lock (_gate)
            ThrowIfBroken();
    }

    /// <summary>
    /// Closes the connection. Bytes sent before still arrive; then the peer sees the end. Bytes that it sends from now on are refused.
    /// </summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            _unsent = default;
            _received.Clear();
            _arrived.End();
            _sentAll.End();
            var now = _host.Now;
            if (_phase == Phase.Answering)
                SendReset(now);
            if (_phase == Phase.Open)
            {
                _phase = Phase.Closing;
                _giveUpAt = now + CloseTimeout;
                Pump(now);
                Schedule();
            }
            else if (_phase is Phase.Dialling or Phase.Answering)
            {
                End("It was closed.");
            }
        }
    }

    /// <summary>Ends at once without sending anything, because the network has changed.</summary>
    public void Abort(string reason)
    {
        lock (_gate)
            End(reason);
    }

    /// <summary>Called when a tick is due, or earlier. Returns when the next tick is due.</summary>
    public long Tick(long now)
    {
        lock (_gate)
        {
            if (_phase == Phase.Closed)
                return long.MaxValue;
            if (_giveUpAt != 0 && now >= _giveUpAt)
                End("The peer does not answer.");
            else
                TickOpen(now);
            return NextDue();
        }
    }

    private void ThrowIfBroken()
    {
        if (_disposed || _fault is not null)
            throw new IOException(_fault ?? "The connection was closed.");
    }

    /// <summary>Wakes the receiver if enough bytes have arrived.</summary>
    private void Wake()
    {
        if (_received.IsEnded || _received.Available >= Math.Min(_gather, UtpMemory.Least / 2))
            _arrived.End();
    }

    private void End(string reason)
    {
        if (_phase == Phase.Closed)
            return;
        _phase = Phase.Closed;
        _fault = reason;
        _unsent = default;
        _sent.Clear();
        _received.Clear();
        _arrived.End();
        _sentAll.End();
        _opened?.TrySetResult(false);
        _host.Remove(this, _to);
    }
}

/// <summary>
/// A repeatable wait without allocations, one at a time. Used under its connection's lock, except for the awaiting itself. Continuations
/// run on another thread.
/// </summary>
internal sealed class UtpWait : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private bool _isWaiting;

    /// <summary>Begins to wait.</summary>
    public ValueTask Begin()
    {
        _core.Reset();
        _isWaiting = true;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>Ends the wait, if there is one.</summary>
    public void End()
    {
        if (!_isWaiting)
            return;
        _isWaiting = false;
        _core.SetResult(true);
    }

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
