using System.Net;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>A connection to a peer that sends nothing and accepts everything.</summary>
internal sealed class QuietTransport(IPEndPoint remote, QuietDialer dialer) : ITransport
{
    private readonly TaskCompletionSource<int> _receiving = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _disposed;

    public IPEndPoint Remote => remote;

    public PeerEncryption Encryption => PeerEncryption.None;

    public bool IsUtp => false;

    public bool HandshakeSent => false;

    public ValueTask ReadyAsync()
    {
        dialer.Waits();
        return new ValueTask(_receiving.Task);
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => new(_receiving.Task);

    public ValueTask SendAsync(Memory<byte> buffer) => ValueTask.CompletedTask;

    public void Gather(int bytes)
    {
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        dialer.Closed();
        _receiving.TrySetException(new IOException("Closed."));
    }
}
