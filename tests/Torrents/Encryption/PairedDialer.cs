using System.Threading.Channels;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Encryption;

/// <summary>Each dial makes an in-memory connection; the test has the other end.</summary>
internal sealed class PairedDialer : ITransportDialer
{
    /// <summary>The other ends.</summary>
    public Channel<PairedTransport> Dialled { get; } = Channel.CreateUnbounded<PairedTransport>();

    public ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        var (a, b) = PairedTransport.Create();
        Dialled.Writer.TryWrite(b);
        return ValueTask.FromResult<ITransport?>(a);
    }
}
