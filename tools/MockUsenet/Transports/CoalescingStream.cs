using System.Buffers;

namespace NzbDav.MockUsenet.Transports;

/// <summary>
/// Joins the 16 KiB records that SslStream writes one by one into fewer, larger sends. Reads pass straight through. One write at
/// a time, as SslStream guarantees. Copies the handshake to a <see cref="HandshakeRecord"/>.
/// </summary>
internal sealed class CoalescingStream(Stream inner, HandshakeRecord handshake) : Stream
{
    private const int Size = 256 * 1024;
    private byte[]? _buffer;
    private int _held;

    /// <summary>False during the handshake, whose flights must go out at once.</summary>
    public bool Coalesce { get; set; }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        return Coalesce ? inner.ReadAsync(buffer, cancellationToken) : HandshakeAsync();

        async ValueTask<int> HandshakeAsync()
        {
            var read = await inner.ReadAsync(buffer, cancellationToken);
            handshake.Received(buffer.Span[..read]);
            return read;
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!Coalesce)
        {
            handshake.Sent(buffer.Span);
            await inner.WriteAsync(buffer, cancellationToken);
            return;
        }

        _buffer ??= ArrayPool<byte>.Shared.Rent(Size);
        if (_held + buffer.Length > _buffer.Length)
            await FlushAsync(cancellationToken);
        if (buffer.Length > _buffer.Length)
        {
            await inner.WriteAsync(buffer, cancellationToken);
            return;
        }

        buffer.CopyTo(_buffer.AsMemory(_held));
        _held += buffer.Length;
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        if (_held == 0)
            return;
        var held = _held;
        _held = 0;
        await inner.WriteAsync(_buffer.AsMemory(0, held), cancellationToken);
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        // Not returned to the pool: a send may still hold it when the connection is torn down.
        _buffer = null;
        inner.Dispose();
        base.Dispose(disposing);
    }
}
