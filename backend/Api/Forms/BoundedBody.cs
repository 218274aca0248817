namespace NzbDav.Api.Forms;

/// <summary>The body of a request up to a limit, which may be raised while it is read. Does not own the body.</summary>
/// <param name="body">The body.</param>
/// <param name="limit">Bytes.</param>
internal sealed class BoundedBody(Stream body, long limit) : Stream
{
    private long _count;

    /// <summary>Most bytes that may be read in total.</summary>
    public long Limit { get; set; } = limit;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => _count;
        set => throw new NotSupportedException();
    }

    /// <exception cref="FormTooLargeException">The body is longer than <see cref="Limit"/>.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // At the limit, one more byte is read to distinguish a body that ends there from one that is too large.
        var room = (int)Math.Clamp(Limit - _count, 1, Array.MaxLength);
        var read = await body.ReadAsync(buffer[..Math.Min(buffer.Length, room)], cancellationToken);
        _count += read;
        return _count <= Limit ? read : throw new FormTooLargeException(Limit);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Bodies are read asynchronously.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }
}

/// <summary>A form is larger than its caller may send; caught where the form is read.</summary>
/// <param name="most">Number of bytes allowed.</param>
internal sealed class FormTooLargeException(long most)
    : IOException(most < 1 << 20 ? $"the form is larger than {most >> 10} KiB" : $"the upload is larger than {most >> 20} MiB");
