using System.Buffers;

namespace NzbDav.Catalog.Blobs;

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
