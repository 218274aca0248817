namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Received bytes of the encrypted handshake, at most as many as a valid one can have.</summary>
/// <param name="transport">The connection.</param>
/// <param name="received">Bytes received earlier.</param>
internal sealed class HandshakeInput(ITransport transport, ReadOnlyMemory<byte> received)
{
    /// <summary>
    /// Initial capacity in bytes: everything in a handshake except the initial payload, plus room for a payload of a BEP 3 handshake and
    /// some messages.
    /// </summary>
    private const int Capacity = 2 << 10;

    private byte[] _bytes = Begin(received);
    private int _filled = received.Length;
    private int _consumed;

    /// <summary>Bytes that have arrived and have not been consumed.</summary>
    public Span<byte> Unread => _bytes.AsSpan(_consumed, _filled - _consumed);

    /// <summary>Waits until this many bytes can be consumed. False if the peer closed.</summary>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<bool> HasAsync(int count)
    {
        if (_consumed + count > _bytes.Length)
            Array.Resize(ref _bytes, _consumed + count);
        while (_filled - _consumed < count)
        {
            var read = await transport.ReceiveAsync(_bytes.AsMemory(_filled));
            if (read == 0)
                return false;
            _filled += read;
        }

        return true;
    }

    /// <summary>Consumes bytes that have arrived.</summary>
    public Span<byte> Consume(int count)
    {
        var bytes = Unread[..count];
        _consumed += count;
        return bytes;
    }

    /// <summary>
    /// Skips the padding up to a mark, and the mark itself. False if the padding is longer than <paramref name="mostPadding"/> bytes, or
    /// the peer closed.
    /// </summary>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<bool> SkipToAsync(ReadOnlyMemory<byte> mark, int mostPadding)
    {
        var most = mostPadding + mark.Length;
        while (true)
        {
            var rest = Unread;
            var at = rest[..Math.Min(rest.Length, most)].IndexOf(mark.Span);
            if (at >= 0)
            {
                Consume(at + mark.Length);
                return true;
            }

            if (rest.Length >= most || !await HasAsync(rest.Length + 1))
                return false;
        }
    }

    private static byte[] Begin(ReadOnlyMemory<byte> received)
    {
        var bytes = new byte[Capacity];
        received.CopyTo(bytes);
        return bytes;
    }
}
