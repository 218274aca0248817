using System.Buffers;
using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Received bytes of a connection that are not parsed yet. Holds buffers only while an answer is expected. Belongs to the receive loop of
/// one connection.
/// </summary>
/// <param name="opened">The connection.</param>
/// <param name="buffers">Buffers for large receives. Without TLS they are used here, with TLS by the stream below it.</param>
/// <param name="hold">Waits as the speed limit demands.</param>
internal sealed class ReceiveWindow(NntpConnectResult opened, ReceiveBuffers buffers, Func<RateHold, Task> hold)
{
    /// <summary>
    /// Most bytes that one read of <see cref="System.Net.Security.SslStream"/> returns: two records of 16 KiB (RFC 8446 §5.1). Small, so
    /// that decoding reads from the CPU cache.
    /// </summary>
    private const int RecordsSize = 32 << 10;

    private readonly Stream _stream = opened.Stream!;
    private readonly ReadAheadStream? _below = opened.Below;
    private byte[]? _buffer;
    private int _start;
    private int _end;

    public bool IsEmpty => _start == _end;

    public ReadOnlySpan<byte> Unread => _buffer.AsSpan(_start, _end - _start);

    /// <summary>Removes the first bytes of <see cref="Unread"/>.</summary>
    public void Skip(int count) => _start += count;

    /// <summary>Discards all unread bytes.</summary>
    public void Drop() => _start = _end;

    /// <summary>Receives some bytes behind the unread ones. Must not be called while a full buffer holds no complete line.</summary>
    /// <param name="isIdle">True when no answer is expected: the buffers are returned, and an empty read waits for data.</param>
    /// <returns>Number of bytes; 0 at the end. Completes at once while bytes are available.</returns>
    public async ValueTask<int> ReceiveAsync(bool isIdle)
    {
        if (_start == _end)
        {
            _start = _end = 0;
            if (isIdle)
            {
                Release();
#pragma warning disable CA2022, MA0060 // An empty read only waits until data arrives.
                await _stream.ReadAsync(Memory<byte>.Empty);
#pragma warning restore CA2022, MA0060
            }
        }
        else if (_end == _buffer!.Length)
        {
            Unread.CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        _buffer ??= _below is null ? buffers.Rent() : ArrayPool<byte>.Shared.Rent(RecordsSize);
        var read = await _stream.ReadAsync(_buffer.AsMemory(_end, buffers.ReadSize(_buffer.Length - _end)));
        _end += read;
        if (buffers.Received(read) is { IsNone: false } wait)
            await hold(wait);
        return read;
    }

    /// <summary>Returns the buffers. Call only when the unread bytes may be lost and no receive is under way.</summary>
    public void Release()
    {
        _below?.Release();
        if (_buffer is null)
            return;
        if (_below is null)
            buffers.Return(_buffer);
        else
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = null;
        _start = _end = 0;
    }
}
