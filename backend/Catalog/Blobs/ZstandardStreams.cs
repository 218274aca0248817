using System.Buffers;
using ZstdSharp;

namespace NzbDav.Catalog.Blobs;

/// <summary>Decompresses a single zstd frame read from <paramref name="source"/>, which is disposed with it.</summary>
internal sealed class ZstandardReadStream(Stream source) : Stream
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
    private readonly Decompressor _context = new();
    private int _start;
    private int _end;
    private bool _complete;
    private bool _disposed;

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
        ObjectDisposedException.ThrowIf(_disposed, this);
        while (!buffer.IsEmpty && !_complete)
        {
            var written = Decompress(buffer);
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
        if (disposing && !_disposed)
        {
            _disposed = true;
            _context.Dispose();
            ArrayPool<byte>.Shared.Return(_buffer);
            source.Dispose();
        }

        base.Dispose(disposing);
    }

    private int Decompress(Span<byte> buffer)
    {
        try
        {
            var status = _context.UnwrapStream(_buffer.AsSpan(_start.._end), buffer, out var consumed, out var written);

            // Some damage throws; some is returned as a status, and returned again forever.
            if (status == OperationStatus.InvalidData)
                throw new InvalidDataException("zstd: the frame is damaged");
            _complete = status == OperationStatus.Done;
            _start += consumed;
            return written;
        }
        catch (ZstdException error)
        {
            throw Zstandard.Failed(error);
        }
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
/// <param name="length">Exact number of bytes to be written; null if unknown.</param>
internal sealed class ZstandardWriteStream(Stream target, int level, long? length) : Stream
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
    private readonly Compressor _context = Zstandard.CreateCompressor(level, length);
    private bool _disposed;

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
        ObjectDisposedException.ThrowIf(_disposed, this);
        while (!buffer.IsEmpty)
            buffer = buffer[Compress(buffer, isEnd: false, out _)..];
    }

    public override void Flush() => target.Flush();

    /// <summary>Writes the end of the frame. A frame disposed without it is rejected by every reader.</summary>
    public void Complete()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        for (var isComplete = false; !isComplete;)
            Compress([], isEnd: true, out isComplete);
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_disposed)
        {
            _disposed = true;
            _context.Dispose();
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        base.Dispose(disposing);
    }

    /// <summary>Compresses some of the source and writes the output. Returns the number of source bytes consumed.</summary>
    private int Compress(ReadOnlySpan<byte> source, bool isEnd, out bool isComplete)
    {
        int consumed, written;
        try
        {
            var status = _context.WrapStream(source, _buffer, out consumed, out written, isEnd);
            if (status == OperationStatus.InvalidData)
                throw new InvalidDataException($"zstd: the content is not of the {length} bytes that were announced");
            isComplete = status == OperationStatus.Done;
        }
        catch (ZstdException error)
        {
            throw Zstandard.Failed(error);
        }

        target.Write(_buffer.AsSpan(0, written));
        return consumed;
    }
}
