using System.Buffers.Binary;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Outgoing messages of one peer. A caller that adds messages and then calls <see cref="Flush"/> sends them itself, unless a send is under way: then that send
/// includes them. Nothing is allocated while the two buffers suffice. Thread-safe.
/// </summary>
internal sealed class Outbox
{
    /// <summary>Most bytes of control messages waiting. A peer with more does not read and is disconnected. 2,000 requests are 34 KB.</summary>
    private const int MostPending = 1 << 20;

    /// <summary>Initial size of each of the two buffers, in bytes: enough for a peer that is sent little.</summary>
    private const int Least = 512;

    private readonly ITransport _transport;
    private readonly Action<Outbox> _failed;
    private readonly Lock _gate = new();
    private byte[] _filling = new byte[Least];
    private byte[] _sending = new byte[Least];
    private int _length;
    private bool _busy;
    private bool _broken;
    private TaskCompletionSource? _drained;
    private Memory<byte> _bulk;
    private TaskCompletionSource? _bulkSent;
    private long _sent;

    /// <param name="transport">The connection to the peer.</param>
    /// <param name="failed">Called once when sending fails; on any thread, outside the lock.</param>
    public Outbox(ITransport transport, Action<Outbox> failed)
    {
        _transport = transport;
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
    public void Piece(MessageId id, int piece)
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

    /// <summary>
    /// Sends complete messages from the caller's memory, after everything that was added before. One call at a time. Completes when they have been handed to
    /// the transport, or never will be. Until then the memory is in use, and its bytes may change.
    /// </summary>
    public Task SendAsync(Memory<byte> messages)
    {
        Task sent;
        lock (_gate)
        {
            if (_broken)
                return Task.CompletedTask;
            _bulk = messages;
            _bulkSent = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            sent = _bulkSent.Task;
            if (_busy)
                return sent;
            _busy = true;
        }

        _ = SendAsync();
        return sent;
    }

    /// <summary>Replaces buffers that have grown by small ones, if they are empty.</summary>
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
        }
    }

    /// <summary>Sends what was added. Returns at once, even if the peer does not read.</summary>
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

    /// <summary>Completes when all that was added has been handed to the transport, or never will be.</summary>
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

    private static void Head(Span<byte> message, MessageId id)
    {
        BinaryPrimitives.WriteInt32BigEndian(message, message.Length - 4);
        message[4] = (byte)id;
    }

    private Span<byte> Room(int size)
    {
        if (_broken || _length + size > MostPending)
        {
            // Not sent: the peer is about to be disconnected.
            _broken = true;
            _length = 0;
            ThreadPool.QueueUserWorkItem(static outbox => outbox._failed(outbox), this, preferLocal: false);
            return size <= _filling.Length ? _filling.AsSpan(0, size) : new byte[size];
        }

        if (_length + size > _filling.Length)
            Array.Resize(ref _filling, Math.Max(_filling.Length * 2, _length + size));
        var span = _filling.AsSpan(_length, size);
        _length += size;
        return span;
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
                TaskCompletionSource? bulkSent;
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
                    }
                }

                if (length == 0 && bulk.IsEmpty)
                {
                    bulkSent?.SetResult();
                    drained?.SetResult();
                    return;
                }

                try
                {
                    if (length > 0)
                        await _transport.SendAsync(_sending.AsMemory(0, length));
                    if (!bulk.IsEmpty)
                        await _transport.SendAsync(bulk);
                    Interlocked.Add(ref _sent, length + bulk.Length);
                }
                finally
                {
                    bulkSent?.SetResult();
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
        TaskCompletionSource? bulkSent;
        lock (_gate)
        {
            _broken = true;
            _busy = false;
            _length = 0;
            _bulk = default;
            (drained, _drained) = (_drained, null);
            (bulkSent, _bulkSent) = (_bulkSent, null);
        }

        bulkSent?.SetResult();
        drained?.SetResult();
        _failed(this);
    }
}
