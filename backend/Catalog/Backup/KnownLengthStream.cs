namespace NzbDav.Catalog.Backup;

/// <summary>A forward-only stream with a known length, for writers that need the length first.</summary>
/// <param name="source">Read sequentially.</param>
/// <param name="length">Bytes that it holds.</param>
internal sealed class KnownLengthStream(Stream source, long length) : Stream
{
    private long _read;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    /// <summary>Bytes read so far. Cannot be set.</summary>
    public override long Position
    {
        get => _read;
        set
        {
            if (value != _read)
                throw new NotSupportedException();
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        var count = source.Read(buffer);
        _read += count;
        return count;
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
