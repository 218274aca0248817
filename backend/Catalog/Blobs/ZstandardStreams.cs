using System.Buffers;

namespace NzbDav.Catalog.Blobs;

/// <summary>Decompresses a single zstd frame read from <paramref name="source"/>, which is disposed with it.</summary>
internal sealed class ZstandardReadStream(Stream source) : Stream
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
    private readonly ZstandardContext _context = Zstandard.CreateDecompressor();
    private int _start;
    private int _end;
    private bool _complete;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <exception cref="InvalidDataException">The frame is damaged or ends early.</exception>
    public override int Read(Span<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(_context.IsClosed, this);
        while (!buffer.IsEmpty && !_complete)
        {
            var hint = Zstandard.Decompress(_context, _buffer.AsSpan(_start.._end), buffer, out var consumed, out var written);
            _start += consumed;
            _complete = hint == 0;
            if (written > 0)
                return written;
            if (!_complete && _start == _end)
                Refill();
        }

        return 0;
    }

    public override void Flush()
    {
    }

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_context.IsClosed)
        {
            _context.Dispose();
            ArrayPool<byte>.Shared.Return(_buffer);
            source.Dispose();
        }

        base.Dispose(disposing);
    }

    private void Refill()
    {
        _start = 0;
        _end = source.Read(_buffer);
        if (_end == 0)
            throw new InvalidDataException("zstd: the frame ends early");
    }
}

/// <summary>Compresses what is written into <paramref name="target"/>. Leaves the target open.</summary>
/// <param name="target">Receives the frame.</param>
/// <param name="level">As <c>zstd -LEVEL</c>.</param>
/// <param name="length">Exactly what will be written, in bytes; null when that is not known.</param>
internal sealed class ZstandardWriteStream(Stream target, int level, long? length) : Stream
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
    private readonly ZstandardContext _context = Zstandard.CreateCompressor(level, length);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(_context.IsClosed, this);
        while (!buffer.IsEmpty)
        {
            Zstandard.Compress(_context, buffer, _buffer, end: false, out var consumed, out var written);
            target.Write(_buffer.AsSpan(0, written));
            buffer = buffer[consumed..];
        }
    }

    public override void Flush() => target.Flush();

    /// <summary>Writes the end of the frame. Without it, disposing leaves a frame that no reader accepts.</summary>
    public void Complete()
    {
        ObjectDisposedException.ThrowIf(_context.IsClosed, this);
        for (nuint left = 1; left != 0;)
        {
            left = Zstandard.Compress(_context, [], _buffer, end: true, out _, out var written);
            target.Write(_buffer.AsSpan(0, written));
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_context.IsClosed)
        {
            _context.Dispose();
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        base.Dispose(disposing);
    }
}
