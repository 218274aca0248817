using System.Net;
using System.Threading.Channels;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Encryption;

/// <summary>One end of a connection in memory. Each receive gives as many bytes as there are, or as a test allows.</summary>
internal sealed class PairedTransport : ITransport
{
    private readonly Channel<byte[]> _coming = Channel.CreateUnbounded<byte[]>();
    private PairedTransport _other = null!;
    private ReadOnlyMemory<byte> _rest;

    private PairedTransport()
    {
    }

    /// <inheritdoc/>
    public IPEndPoint Remote { get; } = new(IPAddress.Loopback, 1);

    /// <inheritdoc/>
    public PeerEncryption Encryption => PeerEncryption.None;

    /// <inheritdoc/>
    public bool IsUtp => false;

    /// <inheritdoc/>
    public bool HandshakeSent => false;

    /// <summary>Maximum bytes per receive.</summary>
    public int Step { get; init; } = int.MaxValue;

    /// <summary>All bytes that were sent.</summary>
    public List<byte> Sent { get; } = [];

    public bool IsDisposed { get; private set; }

    /// <summary>Completes when this end is disposed.</summary>
    public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static (PairedTransport A, PairedTransport B) Create(int step = int.MaxValue)
    {
        var a = new PairedTransport { Step = step };
        var b = new PairedTransport { Step = step };
        (a._other, b._other) = (b, a);
        return (a, b);
    }

    public ValueTask ReadyAsync() => throw new NotSupportedException();

    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (_rest.IsEmpty)
        {
            try
            {
                _rest = await _coming.Reader.ReadAsync();
            }
            catch (ChannelClosedException error)
            {
                return IsDisposed ? throw new IOException("Closed.", error) : 0;
            }
        }

        var count = Math.Min(Math.Min(buffer.Length, _rest.Length), Step);
        _rest[..count].CopyTo(buffer);
        _rest = _rest[count..];
        return count;
    }

    /// <summary>Receives exactly <c>count</c> bytes.</summary>
    public async Task<byte[]> ReadAsync(int count)
    {
        var bytes = new byte[count];
        for (var filled = 0; filled < count;)
        {
            var read = await ReceiveAsync(bytes.AsMemory(filled));
            Assert.NotEqual(0, read);
            filled += read;
        }

        return bytes;
    }

    public ValueTask SendAsync(Memory<byte> buffer)
    {
        if (IsDisposed)
            throw new IOException("Closed.");
        Sent.AddRange(buffer.Span);
        _other._coming.Writer.TryWrite(buffer.ToArray());
        return ValueTask.CompletedTask;
    }

    public void Gather(int bytes)
    {
    }

    public void Dispose()
    {
        IsDisposed = true;
        _coming.Writer.TryComplete();
        _other._coming.Writer.TryComplete();
        Ended.TrySetResult();
    }
}
