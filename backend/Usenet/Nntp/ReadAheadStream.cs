namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Reads the network below TLS ahead in large receives. <see cref="System.Net.Security.SslStream"/> asks for one record (16 KiB) at a time
/// and waits for readability before each: two system calls per record. This stream serves records from its buffer by copying, and completes
/// synchronously while the buffer has any. It only forwards calls until <see cref="Start"/>. One read at a time, and none may be under way
/// at disposal; writes may run in parallel.
/// </summary>
internal sealed class ReadAheadStream(Stream inner) : Stream
{
    private ReceiveBuffers? _buffers;
    private byte[]? _buffer;
    private int _start;
    private int _end;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>Reads ahead from now on. Call while no read is under way.</summary>
    /// <param name="buffers">Supplies its buffer; their speed limit counts read-ahead bytes too.</param>
    public void Start(ReceiveBuffers buffers) => _buffers = buffers;

    /// <summary>
    /// Returns the buffer to the pool if it is empty. The next empty read then waits without a buffer. Call while no read is under way.
    /// </summary>
    public void Release()
    {
        if (_buffer is null || _start < _end)
            return;
        _buffers!.Return(_buffer);
        _buffer = null;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_start < _end)
            return new ValueTask<int>(ReadBuffered(buffer));

        // An empty read without a buffer is the wait of an idle connection.
        return _buffers is null || (_buffer is null && buffer.IsEmpty)
            ? inner.ReadAsync(buffer, cancellationToken) : FillAsync(buffer, cancellationToken);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        inner.WriteAsync(buffer, cancellationToken);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        inner.WriteAsync(buffer, offset, count, cancellationToken);

    public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    public override void Flush() => inner.Flush();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
            _start = _end;
            Release();
        }

        base.Dispose(disposing);
    }

    private async ValueTask<int> FillAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        _buffer ??= _buffers!.Rent();
        _start = _end = 0;
        _end = await inner.ReadAsync(_buffer.AsMemory(0, _buffers!.ReadSize(_buffer.Length)), cancellationToken);
        return ReadBuffered(buffer);
    }

    private int ReadBuffered(Memory<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _end - _start);
        _buffer.AsSpan(_start, count).CopyTo(buffer.Span);
        _start += count;
        return count;
    }
}
