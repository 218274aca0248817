using System.Buffers;
using System.Buffers.Binary;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Joins a peer's socket, buffer and parser; the only type that does. Each receive takes as many bytes as are available. The 13-byte header
/// of a block is parsed in the receive buffer, and the block's bytes are passed on from there in parts, without assembling them. Allocates
/// nothing per message. Has no buffer while it waits for an idle peer.
/// </summary>
internal sealed class PeerConnection : IDisposable
{
    /// <summary>Initial buffer size in bytes. A quiet peer needs no more.</summary>
    private const int SmallBuffer = 32 << 10;

    /// <summary>
    /// Buffer size in bytes after a receive has filled the small buffer: sixteen blocks per call. A larger one gains nothing and exceeds
    /// the second-level cache.
    /// </summary>
    private const int LargeBuffer = 256 << 10;

    private readonly ITransport _transport;
    private readonly IPeerHandler _handler;
    private byte[] _buffer = [];
    private int _filled;
    private int _protocol;
    private int _blockRemaining;
    private bool _handshakeDone;
    private string? _reason;

    /// <param name="transport">Owned.</param>
    /// <param name="handler">Receives the messages.</param>
    /// <param name="budget">The memory of all peers' outboxes.</param>
    public PeerConnection(ITransport transport, IPeerHandler handler, OutboxBudget budget)
    {
        _transport = transport;
        _handler = handler;
        Outbox = new Outbox(transport, budget, _ => Close("The peer does not read what we send."));
    }

    /// <summary>Messages to the peer.</summary>
    public Outbox Outbox { get; }

    /// <summary>Receives until the connection ends. Never throws.</summary>
    /// <param name="received">Bytes received earlier, before the connection's torrent was known.</param>
    public async Task RunAsync(ReadOnlyMemory<byte> received = default)
    {
        try
        {
            Rent(SmallBuffer);
            received.CopyTo(_buffer);
            _filled = received.Length;
            var fault = _filled > 0 ? Parse(_filled) : null;
            while (fault is null)
            {
                if (_filled == 0 && _blockRemaining == 0 && _handler.IsIdle)
                    await WaitIdleAsync();
                var count = await _transport.ReceiveAsync(_buffer.AsMemory(_filled));
                if (count == 0)
                {
                    fault = "The peer closed the connection.";
                    break;
                }

                _filled += count;
                var full = _filled == _buffer.Length;
                fault = Parse(count);
                if (full && _buffer.Length < LargeBuffer)
                    Grow();
            }

            Close(fault);
        }
        catch (IOException error)
        {
            Close(error.Message);
        }
        finally
        {
            Rent(0);
            Outbox.Close();
            _handler.OnClosed(Volatile.Read(ref _reason) ?? "The connection broke.");
        }
    }

    /// <summary>See <see cref="ITransport.Gather"/>.</summary>
    public void Gather(int bytes) => _transport.Gather(bytes);

    /// <summary>True after <see cref="Close"/>.</summary>
    public bool IsClosing => Volatile.Read(ref _reason) is not null;

    /// <summary>Ends the connection. Only the first reason is recorded.</summary>
    public void Close(string reason)
    {
        Interlocked.CompareExchange(ref _reason, reason, null);
        _transport.Dispose();
    }

    public void Dispose() => Close("The torrent was closed.");

    private async ValueTask WaitIdleAsync()
    {
        Rent(0);
        await _transport.ReadyAsync();
        Rent(SmallBuffer);
    }

    private void Grow() => Rent(LargeBuffer);

    /// <summary>Replaces the buffer by one of another size with the same content; 0 = no buffer.</summary>
    private void Rent(int size)
    {
        var other = size == 0 ? [] : ArrayPool<byte>.Shared.Rent(size);
        if (size > 0)
            _buffer.AsSpan(0, _filled).CopyTo(other);
        if (_buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = other;
    }

    private string? Parse(int received)
    {
        _protocol = 0;
        var taken = 0;
        var fault = ParseAll(_buffer.AsSpan(0, _filled), ref taken);
        _buffer.AsSpan(taken, _filled - taken).CopyTo(_buffer);
        _filled -= taken;
        _handler.OnBatch(received, _protocol);
        return fault;
    }

    private string? ParseAll(ReadOnlySpan<byte> bytes, ref int consumed)
    {
        while (consumed < bytes.Length)
        {
            var before = consumed;
            var fault = _blockRemaining > 0
                ? ParseBlock(bytes, ref consumed) : _handshakeDone ? ParseMessage(bytes, ref consumed) : ParseHandshake(
                    bytes, ref consumed);
            if (fault is not null || consumed == before)
                return fault;
        }

        return null;
    }

    private string? ParseHandshake(ReadOnlySpan<byte> bytes, ref int consumed)
    {
        if (!Handshake.CanBegin(bytes))
            return "The peer speaks another protocol.";
        if (!Handshake.TryRead(bytes, out var handshake))
            return null;
        consumed += Handshake.Size;
        _protocol += Handshake.Size;
        _handshakeDone = true;
        return _handler.OnHandshake(handshake);
    }

    private string? ParseBlock(ReadOnlySpan<byte> bytes, ref int consumed)
    {
        var part = bytes[consumed..];
        if (part.Length > _blockRemaining)
            part = part[.._blockRemaining];
        _blockRemaining -= part.Length;
        consumed += part.Length;
        _handler.OnBlockBytes(part);
        return null;
    }

    private string? ParseMessage(ReadOnlySpan<byte> bytes, ref int consumed)
    {
        var rest = bytes[consumed..];
        if (rest.Length < 4)
            return null;
        var length = BinaryPrimitives.ReadUInt32BigEndian(rest);
        if (length == 0)
        {
            consumed += 4;
            _protocol += 4;
            return null;
        }

        if (rest.Length < 5)
            return null;
        var id = (MessageId)rest[4];

        // <len=0009+X><id=7><index><begin><block>
        if (id == MessageId.Piece)
            return ParseBlockHeader(rest, length, ref consumed);
        if (length > _handler.MostMessage)
            return "The peer sent a message that is too long.";
        if (rest.Length < 4 + length)
        {
            // A bitfield of a huge torrent may not fit into the small buffer.
            if (4 + length > _buffer.Length)
                Grow();
            return null;
        }

        consumed += 4 + (int)length;
        _protocol += 4 + (int)length;
        return _handler.OnMessage(id, rest.Slice(5, (int)length - 1));
    }

    private string? ParseBlockHeader(ReadOnlySpan<byte> rest, uint length, ref int consumed)
    {
        if (length == 9 && rest.Length >= 13)
        {
            // BitComet sends a block without bytes to say that it does not serve the block. <len=0013><id=16><index><begin><length>
            consumed += 13;
            _protocol += 13;
            Span<byte> rejected = stackalloc byte[12];
            rest.Slice(5, 8).CopyTo(rejected);
            return _handler.OnMessage(MessageId.RejectRequest, rejected);
        }

        if (length is < 9 or > (1 << 20))
            return "The peer sent a block of an impossible length.";
        if (rest.Length < 13)
            return null;
        consumed += 13;
        _protocol += 13;
        _blockRemaining = (int)length - 9;
        return _handler.OnBlock(
            BinaryPrimitives.ReadInt32BigEndian(rest[5..]), BinaryPrimitives.ReadInt32BigEndian(rest[9..]), _blockRemaining);
    }
}
