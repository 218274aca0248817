using System.Net;
using System.Runtime.CompilerServices;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// A connection after its encrypted handshake. What is received is decrypted in the caller's buffer, what is sent is encrypted in it.
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

    /// <inheritdoc/>
    public IPEndPoint Remote => inner.Remote;

    /// <inheritdoc/>
    public PeerEncryption Encryption => receiving is null ? PeerEncryption.Handshake : PeerEncryption.Full;

    /// <inheritdoc/>
    public bool IsUtp => inner.IsUtp;

    /// <inheritdoc/>
    public bool HandshakeSent => handshakeSent;

    /// <inheritdoc/>
    public ValueTask ReadyAsync() => _pending.IsEmpty ? inner.ReadyAsync() : ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (_pending.IsEmpty)
            return receiving is null ? inner.ReceiveAsync(buffer) : DecryptAsync(buffer, receiving);
        var count = Math.Min(buffer.Length, _pending.Length);
        _pending[..count].CopyTo(buffer);
        _pending = count == _pending.Length ? default : _pending[count..];
        return ValueTask.FromResult(count);
    }

    /// <inheritdoc/>
    public void Gather(int bytes) => inner.Gather(bytes);

    /// <inheritdoc/>
    public ValueTask SendAsync(Memory<byte> buffer)
    {
        sending?.Process(buffer.Span);
        return inner.SendAsync(buffer);
    }

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> DecryptAsync(Memory<byte> buffer, Rc4 cipher)
    {
        var count = await inner.ReceiveAsync(buffer);
        cipher.Process(buffer.Span[..count]);
        return count;
    }
}
