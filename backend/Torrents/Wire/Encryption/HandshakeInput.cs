namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>What a peer says during the encrypted handshake. Bounded: nothing that it may say is longer.</summary>
/// <param name="transport">From where.</param>
/// <param name="received">What came before.</param>
internal sealed class HandshakeInput(ITransport transport, ReadOnlyMemory<byte> received)
{
    /// <summary>All of a handshake but the initial payload, and room for one that is a handshake of BEP 3 and some messages.</summary>
    private const int Capacity = 2 << 10;

    private byte[] _bytes = Begin(received);
    private int _filled = received.Length;
    private int _taken;

    /// <summary>What has come and was not taken.</summary>
    public Span<byte> Rest => _bytes.AsSpan(_taken, _filled - _taken);

    /// <summary>Waits until so many bytes are there that were not taken. False if the peer closed.</summary>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<bool> HasAsync(int count)
    {
        if (_taken + count > _bytes.Length)
            Array.Resize(ref _bytes, _taken + count);
        while (_filled - _taken < count)
        {
            var read = await transport.ReceiveAsync(_bytes.AsMemory(_filled));
            if (read == 0)
                return false;
            _filled += read;
        }

        return true;
    }

    /// <summary>Takes bytes that are there.</summary>
    public Span<byte> Take(int count)
    {
        var bytes = Rest[..count];
        _taken += count;
        return bytes;
    }

    /// <summary>Takes all up to a mark, and the mark. False if it does not come within so many bytes of padding, or the peer closed.</summary>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<bool> SkipToAsync(ReadOnlyMemory<byte> mark, int mostPadding)
    {
        var most = mostPadding + mark.Length;
        while (true)
        {
            var rest = Rest;
            var at = rest[..Math.Min(rest.Length, most)].IndexOf(mark.Span);
            if (at >= 0)
            {
                Take(at + mark.Length);
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
