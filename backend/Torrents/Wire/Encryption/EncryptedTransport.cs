using System.Net;
using System.Runtime.CompilerServices;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// A connection after its encrypted handshake. Received bytes are decrypted in the caller's buffer; bytes to send are encrypted in it.
/// </summary>
/// <param name="inner">Owned.</param>
/// <param name="receiving">Decrypts; null = received bytes are plain.</param>
/// <param name="sending">Encrypts; null = sent bytes are plain.</param>
/// <param name="pending">Bytes that arrived with the handshake, already decrypted.</param>
/// <param name="handshakeSent">See <see cref="ITransport.HandshakeSent"/>.</param>
internal sealed class EncryptedTransport(
    ITransport inner, Rc4? receiving, Rc4? sending, ReadOnlyMemory<byte> pending, bool handshakeSent) : ITransport
{
    private ReadOnlyMemory<byte> _pending = pending;

    public IPEndPoint Remote => inner.Remote;

    public PeerEncryption Encryption => receiving is null ? PeerEncryption.Handshake : PeerEncryption.Full;

    public bool IsUtp => inner.IsUtp;

    public bool HandshakeSent => handshakeSent;

    public ValueTask ReadyAsync() => _pending.IsEmpty ? inner.ReadyAsync() : ValueTask.CompletedTask;

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (_pending.IsEmpty)
            return receiving is null ? inner.ReceiveAsync(buffer) : DecryptAsync(buffer, receiving);
        var count = Math.Min(buffer.Length, _pending.Length);
        _pending[..count].CopyTo(buffer);
        _pending = count == _pending.Length ? default : _pending[count..];
        return ValueTask.FromResult(count);
    }

    public void Gather(int bytes) => inner.Gather(bytes);

    public ValueTask SendAsync(Memory<byte> buffer)
    {
        sending?.Process(buffer.Span);
        return inner.SendAsync(buffer);
    }

    public void Dispose() => inner.Dispose();

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> DecryptAsync(Memory<byte> buffer, Rc4 cipher)
    {
        var count = await inner.ReceiveAsync(buffer);
        cipher.Process(buffer.Span[..count]);
        return count;
    }
}
