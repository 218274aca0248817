using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.WebSeeds;

/// <summary>
/// Makes a web server look like a seeding peer (BEP 19). Requests for blocks become requests for ranges of files, and their answers come
/// back as blocks. So everything that applies to peers applies to it too: which blocks are requested and when, limits, cancelling, and the
/// blame for bad pieces. Ends at the server's first fault: see <see cref="Fault"/>.
/// </summary>
internal sealed class WebSeedTransport : ITransport
{
    /// <summary>Most bytes waiting to be received. Beyond that, TCP slows the server down.</summary>
    private const int MostWaiting = 512 << 10;

    /// <summary>Bytes before a block in its message: length, id, and the block's position.</summary>
    private const int BlockHeader = 13;

    private readonly Pipe _incoming = new(new PipeOptions(
        pauseWriterThreshold: MostWaiting, resumeWriterThreshold: MostWaiting / 2, minimumSegmentSize: 32 << 10,
        useSynchronizationContext: false));

    private readonly SemaphoreSlim _writing = new(1);
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationToken _stopped;
    private readonly TorrentInfo _info;
    private readonly WebSeedFiles _files;
    private readonly WebSeedQueue _queue;
    private readonly byte[] _partial = new byte[Handshake.Size];
    private int _partialLength;
    private int _skipped;
    private bool _handshakeDone;
    private bool _isEnded;
    private WebSeedFault? _fault;

    /// <param name="files">The files at the server.</param>
    /// <param name="time">Drives time-outs.</param>
    /// <param name="pieces">The available pieces as a bitfield in wire order; null = all.</param>
    public WebSeedTransport(WebSeedFiles files, TimeProvider time, byte[]? pieces)
    {
        _info = files.Info;
        _files = files;
        _stopped = _stopping.Token;
        _queue = new WebSeedQueue(time, _stopped);
        _ = WriteAsync(WebSeedMessages.OpeningMessages(_info.Hash, pieces));
    }

    /// <summary>Always unspecified: the address behind a name or a proxy is not known here.</summary>
    public IPEndPoint Remote { get; } = new(IPAddress.None, 0);

    /// <summary>Always none, because this is about encryption between peers. HTTPS does not count.</summary>
    public PeerEncryption Encryption => PeerEncryption.None;

    public bool IsUtp => false;

    public bool HandshakeSent => false;

    /// <summary>The fault that ended the transport; null if none did.</summary>
    public WebSeedFault? Fault => Volatile.Read(ref _fault);

    public async ValueTask ReadyAsync()
    {
        var result = await ReadAsync();
        _incoming.Reader.AdvanceTo(result.Buffer.Start);
    }

    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        var result = await ReadAsync();
        var length = (int)Math.Min(buffer.Length, result.Buffer.Length);
        var part = result.Buffer.Slice(0, length);
        var at = 0;
        foreach (var segment in part)
        {
            segment.CopyTo(buffer[at..]);
            at += segment.Length;
        }

        _incoming.Reader.AdvanceTo(part.End);
        return length;
    }

    public void Gather(int bytes)
    {
        // Blocks arrive as a whole, so nothing needs to be gathered.
    }

    public async ValueTask SendAsync(Memory<byte> buffer)
    {
        if (_stopped.IsCancellationRequested)
            throw new IOException("The web seed was closed.");
        List<WebSeedBlock>? withdrawn = null;
        var isAlive = false;
        for (var rest = buffer; TryRead(ref rest, out var message);)
        {
            // <len=0013><id=6 or 8><index><begin><length>
            isAlive |= message.IsEmpty;
            if (message.Length != 13 || (MessageId)message.Span[0] is not (MessageId.Request or MessageId.Cancel))
                continue;
            var piece = BinaryPrimitives.ReadInt32BigEndian(message.Span[1..]);
            var begin = BinaryPrimitives.ReadInt32BigEndian(message.Span[5..]);
            var block = new WebSeedBlock(
                piece, begin, BinaryPrimitives.ReadInt32BigEndian(message.Span[9..]), ((long)piece * _info.PieceLength) + begin);
            if ((MessageId)message.Span[0] == MessageId.Request)
                _queue.Add(block);
            else if (_queue.Withdraw(piece, begin))
                (withdrawn ??= []).Add(block);
        }

        while (_queue.TryAddWorker())
            _ = Task.Run(WorkAsync);
        if (withdrawn is not null)
            await WriteAsync(WebSeedMessages.Reject(withdrawn));
        if (isAlive)
            await WriteAsync(new byte[4]);
    }

    public void Dispose()
    {
        if (_stopped.IsCancellationRequested)
            return;
        _ = _stopping.CancelAsync();
        _incoming.Reader.CancelPendingRead();
        _ = EndAsync();
    }

    /// <summary>
    /// Reads the next whole message, without its length; empty = a keep-alive. Messages longer than the buffer are not needed here and are
    /// skipped.
    /// </summary>
    private bool TryRead(ref Memory<byte> rest, out ReadOnlyMemory<byte> message)
    {
        message = default;
        while (true)
        {
            var skipped = Math.Min(_skipped, rest.Length);
            _skipped -= skipped;
            rest = rest[skipped..];
            if (rest.IsEmpty)
                return false;
            if (!TryFill(ref rest, _handshakeDone ? 4 : Handshake.Size))
                return false;
            if (!_handshakeDone)
            {
                _handshakeDone = true;
                _partialLength = 0;
                continue;
            }

            var length = BinaryPrimitives.ReadUInt32BigEndian(_partial);
            if (length > Handshake.Size - 4)
            {
                _skipped = (int)Math.Min(length, int.MaxValue);
                _partialLength = 0;
                continue;
            }

            if (!TryFill(ref rest, 4 + (int)length))
                return false;
            _partialLength = 0;
            message = _partial.AsMemory(4, (int)length);
            return true;
        }
    }

    private bool TryFill(ref Memory<byte> rest, int length)
    {
        var count = Math.Min(length - _partialLength, rest.Length);
        if (count > 0)
        {
            rest[..count].CopyTo(_partial.AsMemory(_partialLength));
            rest = rest[count..];
            _partialLength += count;
        }

        return _partialLength >= length;
    }

    private async ValueTask<ReadResult> ReadAsync()
    {
        var result = await _incoming.Reader.ReadAsync(CancellationToken.None);
        if (!result.IsCanceled && (!result.Buffer.IsEmpty || !result.IsCompleted) && !_stopped.IsCancellationRequested)
            return result;
        await _incoming.Reader.CompleteAsync();
        throw new IOException(Fault is { } fault ? $"The web seed was left: {fault.Reason}." : "The web seed was closed.");
    }

    private async Task WorkAsync()
    {
        var buffer = new byte[BlockHeader + PieceSlot.BlockSize];
        while (_queue.Next() is { } run)
        {
            try
            {
                if (await FetchAsync(run, buffer) is { } fault)
                    await EndAsync(fault);
            }
            finally
            {
                _queue.End(run);
            }
        }
    }

    /// <summary>Fetches the blocks of a run. Returns the server's fault, if there is one.</summary>
    private async Task<WebSeedFault?> FetchAsync(WebSeedRun run, byte[] buffer)
    {
        try
        {
            await using var bytes = _files.Read(run);
            for (var i = 0; i < run.Blocks.Length && !_queue.IsDone(run); i++)
            {
                var block = run.Blocks[i];
                if (await bytes.FillAsync(buffer.AsMemory(BlockHeader, block.Length)) is { } fault)
                    return fault;
                if (!_queue.Complete(run, i))
                    continue;

                // <len=0009+X><id=7><index><begin><block>
                BinaryPrimitives.WriteInt32BigEndian(buffer, 9 + block.Length);
                buffer[4] = (byte)MessageId.Piece;
                BinaryPrimitives.WriteInt32BigEndian(buffer.AsSpan(5), block.Piece);
                BinaryPrimitives.WriteInt32BigEndian(buffer.AsSpan(9), block.Begin);
                await WriteAsync(buffer.AsMemory(0, BlockHeader + block.Length));
            }

            return null;
        }
        catch (OperationCanceledException)
        {
            return _stopped.IsCancellationRequested || _queue.IsDone(run) ? null
                : new WebSeedFault(WebSeedBlame.Transient, $"it was silent for {WebSeedClient.SilenceTimeout.TotalSeconds:0} s");
        }
        catch (UriFormatException)
        {
            return new WebSeedFault(WebSeedBlame.Final, "its addresses cannot be used");
        }
    }

    /// <summary>Adds bytes to be received. Waits while <see cref="MostWaiting"/> or more are unread.</summary>
    private async Task WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        await _writing.WaitAsync(CancellationToken.None);
        try
        {
            if (!_isEnded)
                await _incoming.Writer.WriteAsync(bytes, _stopped);
        }
        catch (OperationCanceledException)
        {
            // The connection is closed, so nobody receives the bytes.
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Ends the stream to the receiver. Bytes written before a fault are still received.</summary>
    private async Task EndAsync(WebSeedFault? fault = null)
    {
        await _writing.WaitAsync(CancellationToken.None);
        if (!_isEnded)
        {
            _isEnded = true;
            Volatile.Write(ref _fault, fault);
            await _incoming.Writer.CompleteAsync();
        }

        _writing.Release();
    }
}
