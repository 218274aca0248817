using System.Net;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Wire;

namespace NzbDav.Fuzz.Formats;

/// <summary>A peer that says what it is given. What it hears goes to <see cref="OnSent"/>, which may give it more to say.</summary>
/// <param name="cuts">How its words arrive.</param>
internal sealed class PipeTransport(Cuts cuts) : ITransport
{
    private byte[] _words = [];
    private int _said;

    /// <inheritdoc/>
    public IPEndPoint Remote { get; } = new(IPAddress.Loopback, 6_881);

    /// <summary>Told of what is sent to the peer.</summary>
    public Action<ReadOnlyMemory<byte>> OnSent { get; init; } = static _ => { };

    /// <summary>What the peer says after what it said before.</summary>
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
