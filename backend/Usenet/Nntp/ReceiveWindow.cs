using System.Buffers;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// What came on a connection and was not parsed yet. Holds buffers only while something is expected. Belongs to the receive loop of one connection.
/// </summary>
/// <param name="opened">The connection.</param>
/// <param name="buffers">For large receives: of plain text here, of TLS records below it.</param>
/// <param name="time">Clock of the pauses that the limit of the line asks for.</param>
internal sealed class ReceiveWindow(NntpConnectResult opened, ReceiveBuffers buffers, TimeProvider time)
{
    /// <summary>What one read of <see cref="System.Net.Security.SslStream"/> returns at most: two records of 16 KiB (RFC 8446 §5.1). Small, so that it is decoded from the cache.</summary>
    private const int RecordsSize = 32 << 10;

    private readonly Stream _stream = opened.Stream!;
    private readonly ReadAheadStream? _below = opened.Below;
    private byte[]? _buffer;
    private int _start;
    private int _end;

    public bool IsEmpty => _start == _end;

    public ReadOnlySpan<byte> Unread => _buffer.AsSpan(_start, _end - _start);

    /// <summary>The first bytes of <see cref="Unread"/> are dealt with.</summary>
    public void Skip(int count) => _start += count;

    /// <summary>Nobody looks at what is unread.</summary>
    public void Drop() => _start = _end;

    /// <summary>Receives some bytes behind those that are unread; what fills the whole buffer and is no line is an error of the caller.</summary>
    /// <param name="isIdle">Nothing is expected: the buffers are given back, and the wait is on an empty read.</param>
    /// <returns>How many; 0 at the end. Complete at once while bytes are at hand.</returns>
    public async ValueTask<int> ReceiveAsync(bool isIdle)
    {
        if (_start == _end)
        {
            _start = _end = 0;
            if (isIdle)
            {
                Release();
#pragma warning disable CA2022, MA0060 // An empty read only waits until there is something.
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
        if (buffers.Received(read) is { Ticks: > 0 } wait)
            await Task.Delay(wait, time);
        return read;
    }

    /// <summary>Gives the buffers back. Called when nothing is unread that matters, and while nobody receives.</summary>
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
