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
