using System.Net;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Fuzz.Formats;

/// <summary>A peer that sends the given bytes. Bytes sent to it go to <see cref="OnSent"/>, which may queue more.</summary>
/// <param name="cuts">How the bytes arrive.</param>
internal sealed class PipeTransport(Cuts cuts) : ITransport
{
    private byte[] _words = [];
    private int _said;

    /// <inheritdoc/>
    public IPEndPoint Remote { get; } = new(IPAddress.Loopback, 6_881);

    /// <inheritdoc/>
    public PeerEncryption Encryption => PeerEncryption.None;

    /// <inheritdoc/>
    public bool IsUtp => false;

    /// <inheritdoc/>
    public bool HandshakeSent => false;

    /// <summary>Called with the bytes sent to the peer.</summary>
    public Action<ReadOnlyMemory<byte>> OnSent { get; init; } = static _ => { };

    /// <summary>Queues further bytes for the peer to send.</summary>
    public void Say(ReadOnlySpan<byte> words) => _words = [.. _words, .. words];

    /// <inheritdoc/>
    public ValueTask ReadyAsync() => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        var count = cuts.At(_said, Math.Min(buffer.Length, _words.Length - _said));
        _words.AsSpan(_said, count).CopyTo(buffer.Span);
        _said += count;
        return ValueTask.FromResult(count);
    }

    /// <inheritdoc/>
    public void Gather(int bytes)
    {
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(Memory<byte> buffer)
    {
        OnSent(buffer);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
