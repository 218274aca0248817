namespace NzbDav.Catalog;

/// <summary>A stream that is read once, of a length that is known beforehand: for writers that ask for the length.</summary>
/// <param name="source">Read from its beginning to its end.</param>
/// <param name="length">Bytes that it holds.</param>
internal sealed class KnownLengthStream(Stream source, long length) : Stream
{
    private long _read;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    /// <summary>How much was read. Nothing can be read again.</summary>
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
