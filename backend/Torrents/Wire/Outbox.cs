using System.Buffers.Binary;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Outgoing messages of one peer. A caller that adds messages and then calls <see cref="Flush"/> sends them itself, unless a send is under
/// way; then that send includes them. Allocates nothing while the two buffers suffice. Thread-safe.
/// </summary>
internal sealed class Outbox
{
    /// <summary>
    /// Most bytes of control messages waiting. A peer with more does not read, and is disconnected. 2,000 requests have 34 KB.
    /// </summary>
    private const int MostPending = 1 << 20;

    /// <summary>Initial size of each of the two buffers in bytes: enough for a peer that is sent little.</summary>
    private const int Least = 512;

    private readonly ITransport _transport;
    private readonly OutboxBudget _budget;
    private readonly Action<Outbox> _failed;
    private readonly Lock _gate = new();
    private byte[] _filling = new byte[Least];
    private byte[] _sending = new byte[Least];
    private int _length;
    private bool _busy;
    private bool _broken;
    private TaskCompletionSource? _drained;
    private Memory<byte> _bulk;
    private TaskCompletionSource<bool>? _bulkSent;
    private long _sent;
    private long _charged;
    private long _sentBefore = -1;
    private long _stuckSince;

    /// <param name="transport">The connection to the peer.</param>
    /// <param name="budget">The memory of all peers' outboxes.</param>
    /// <param name="failed">Called once when sending fails, on any thread, outside the lock.</param>
    public Outbox(ITransport transport, OutboxBudget budget, Action<Outbox> failed)
    {
        _transport = transport;
        _budget = budget;
        _failed = failed;
    }

    /// <summary>Bytes handed to the transport.</summary>
    public long BytesSent => Interlocked.Read(ref _sent);

    /// <summary>True if something was added that is not being sent yet.</summary>
    public bool HasPending
    {
        get
        {
            lock (_gate)
                return _length > 0;
        }
    }

    /// <summary>
    /// Sends complete messages from the caller's memory, after everything that was added before. One call at a time. Completes with true
    /// when they have been handed to the transport, or with false if they never will be. Until then the memory is in use, and its bytes may
    /// change.
    /// </summary>
    public Task<bool> SendAsync(Memory<byte> messages)
    {
        Task<bool> sent;
        lock (_gate)
        {
            if (_broken)
                return Task.FromResult(false);
            _bulk = messages;
            _bulkSent = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            sent = _bulkSent.Task;
            if (_busy)
                return sent;
            _busy = true;
        }

        _ = SendAsync();
        return sent;
    }

    /// <summary>Replaces large buffers by small ones, if they are empty.</summary>
    public void Trim()
    {
        lock (_gate)
        {
            if (_busy || _length > 0)
                return;
            if (_filling.Length > 2 * Least)
                _filling = new byte[Least];
            if (_sending.Length > 2 * Least)
                _sending = new byte[Least];
            Charge();
        }
    }

    /// <summary>
    /// Called once a second. True if a send has been under way for longer than <paramref name="timeout"/> without progress.
    /// </summary>
    public bool IsStuck(long now, TimeSpan timeout)
    {
        lock (_gate)
        {
            if (!_busy || _sentBefore != BytesSent)
                (_sentBefore, _stuckSince) = (BytesSent, now);
            return now - _stuckSince > timeout.Ticks;
        }
    }

    /// <summary>Call when the connection has ended: nothing more is sent.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _broken = true;
            _length = 0;
            Release();
        }
    }

    /// <summary>Sends the added messages. Returns at once, even if the peer does not read.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            if (_busy || _broken || _length == 0)
                return;
            _busy = true;
        }

        _ = SendAsync();
    }

    /// <summary>Completes when everything added has been handed to the transport, or never will be.</summary>
    public Task DrainedAsync()
    {
        lock (_gate)
        {
            if (!_busy || _broken)
                return Task.CompletedTask;
            _drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _drained.Task;
        }
    }

    private Span<byte> Room(int size)
    {
        if (_broken || _length + size > MostPending || !Grow(_length + size))
        {
            // Not sent, because the peer is about to be disconnected.
            if (!_broken)
                ThreadPool.QueueUserWorkItem(static outbox => outbox._failed(outbox), this, preferLocal: false);
            _broken = true;
            _length = 0;
            Release();
            return new byte[size];
        }

        var span = _filling.AsSpan(_length, size);
        _length += size;
        return span;
    }

    /// <summary>Grows the buffer. False if the budget is exceeded while an earlier send to this peer is under way.</summary>
    private bool Grow(int size)
    {
        if (size <= _filling.Length)
            return true;
        Array.Resize(ref _filling, Math.Max(_filling.Length * 2, size));
        return Charge() || !_busy;
    }

    /// <summary>Charges the buffers' size to the budget. False if they have grown and the budget is exceeded.</summary>
    private bool Charge()
    {
        var before = _charged;
        _charged = Math.Max(0, _filling.Length - OutboxBudget.Free) + Math.Max(0, _sending.Length - OutboxBudget.Free);
        return _charged == before || _budget.Add(_charged - before) || _charged < before;
    }

    /// <summary>Drops the buffers. The one being sent from is dropped when that send has ended.</summary>
    private void Release()
    {
        _filling = [];
        if (!_busy)
            _sending = [];
        Charge();
    }

    private async Task SendAsync()
    {
        try
        {
            while (true)
            {
                int length;
                Memory<byte> bulk;
                TaskCompletionSource? drained = null;
                TaskCompletionSource<bool>? bulkSent;
                lock (_gate)
                {
                    (_filling, _sending) = (_sending, _filling);
                    length = _length;
                    _length = 0;
                    (bulk, _bulk) = (_bulk, default);
                    (bulkSent, _bulkSent) = (_bulkSent, null);
                    if (_broken || (length == 0 && bulk.IsEmpty))
                    {
                        _busy = false;
                        (drained, _drained) = (_drained, null);
                        length = 0;
                        bulk = default;
                        if (_broken)
                            Release();
                    }
                }

                if (length == 0 && bulk.IsEmpty)
                {
                    bulkSent?.SetResult(false);
                    drained?.SetResult();
                    return;
                }

                var isWhole = false;
                try
                {
                    if (length > 0)
                        await _transport.SendAsync(_sending.AsMemory(0, length));
                    Interlocked.Add(ref _sent, length);
                    if (!bulk.IsEmpty)
                        await _transport.SendAsync(bulk);
                    Interlocked.Add(ref _sent, bulk.Length);
                    isWhole = true;
                }
                finally
                {
                    bulkSent?.SetResult(isWhole);
                }
            }
        }
        catch (IOException)
        {
            Break();
        }
    }

    private void Break()
    {
        TaskCompletionSource? drained;
        TaskCompletionSource<bool>? bulkSent;
        lock (_gate)
        {
            _broken = true;
            _busy = false;
            _length = 0;
            _bulk = default;
            Release();
            (drained, _drained) = (_drained, null);
            (bulkSent, _bulkSent) = (_bulkSent, null);
        }

        bulkSent?.SetResult(false);
        drained?.SetResult();
        _failed(this);
    }

    // The messages in their wire format.

    public void Handshake(in Handshake handshake)
    {
        lock (_gate)
            handshake.Write(Room(Wire.Handshake.Size));
    }

    /// <summary>&lt;len=0001&gt;&lt;id&gt;</summary>
    public void Message(MessageId id)
    {
        lock (_gate)
            Head(Room(5), id);
    }

    /// <summary>&lt;len=0000&gt;</summary>
    public void KeepAlive()
    {
        lock (_gate)
            Room(4).Clear();
    }

    /// <summary>&lt;len=0005&gt;&lt;id&gt;&lt;piece&gt;: have, suggest, allowed fast.</summary>
    public void AboutPiece(MessageId id, int piece)
    {
        lock (_gate)
        {
            var span = Room(9);
            Head(span, id);
            BinaryPrimitives.WriteInt32BigEndian(span[5..], piece);
        }
    }

    /// <summary>&lt;len=0013&gt;&lt;id&gt;&lt;piece&gt;&lt;begin&gt;&lt;length&gt;: request, cancel, reject.</summary>
    public void Block(MessageId id, int piece, int begin, int length)
    {
        lock (_gate)
        {
            var span = Room(17);
            Head(span, id);
            BinaryPrimitives.WriteInt32BigEndian(span[5..], piece);
            BinaryPrimitives.WriteInt32BigEndian(span[9..], begin);
            BinaryPrimitives.WriteInt32BigEndian(span[13..], length);
        }
    }

    /// <summary>&lt;len=0001+X&gt;&lt;id&gt;&lt;payload&gt;</summary>
    public void Message(MessageId id, ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            var span = Room(5 + payload.Length);
            Head(span, id);
            payload.CopyTo(span[5..]);
        }
    }

    /// <summary>&lt;len&gt;&lt;20&gt;&lt;extended id&gt;&lt;payload&gt; (BEP 10)</summary>
    public void Extended(byte id, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> rest = default)
    {
        lock (_gate)
        {
            var span = Room(6 + payload.Length + rest.Length);
            Head(span, MessageId.Extended);
            span[5] = id;
            payload.CopyTo(span[6..]);
            rest.CopyTo(span[(6 + payload.Length)..]);
        }
    }

    /// <summary>&lt;len=0009+X&gt;&lt;7&gt;&lt;piece&gt;&lt;begin&gt;: the header of a block.</summary>
    public static void PieceHead(Span<byte> message, int piece, int begin, int length)
    {
        BinaryPrimitives.WriteInt32BigEndian(message, 9 + length);
        message[4] = (byte)MessageId.Piece;
        BinaryPrimitives.WriteInt32BigEndian(message[5..], piece);
        BinaryPrimitives.WriteInt32BigEndian(message[9..], begin);
    }

    private static void Head(Span<byte> message, MessageId id)
    {
        BinaryPrimitives.WriteInt32BigEndian(message, message.Length - 4);
        message[4] = (byte)id;
    }
}

/// <summary>
/// Memory of the outboxes of all peers of an engine, beyond a small buffer for each. Peers that do not read would otherwise take up to 2
/// MiB each. Thread-safe.
/// </summary>
internal sealed class OutboxBudget
{
    /// <summary>Bytes of a buffer that do not count: nearly 2,000 requests, the most that a peer is ever sent at once.</summary>
    public const int Free = 32 << 10;

    /// <summary>
    /// Most bytes that all outboxes together may take beyond that. The outbox of a peer that reads is soon empty, so this limits the peers
    /// that do not read.
    /// </summary>
    public const long Most = 16 << 20;

    private long _held;

    /// <summary>Bytes in use beyond the free ones.</summary>
    public long Held => Interlocked.Read(ref _held);

    /// <summary>Adds bytes, or removes them if negative. They are counted in any case; false if there are now too many.</summary>
    public bool Add(long bytes) => Interlocked.Add(ref _held, bytes) <= Most;
}
