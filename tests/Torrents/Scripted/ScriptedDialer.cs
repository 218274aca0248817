using System.Collections.Concurrent;
using System.Net;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Connects to each scripted peer once.</summary>
internal sealed class ScriptedDialer : ITransportDialer
{
    private readonly ConcurrentDictionary<IPEndPoint, ScriptedPeer> _peers = new();
    private readonly SemaphoreSlim _dialled = new(0);

    public void Add(ScriptedPeer peer) => _peers[peer.Remote] = peer;

    /// <summary>Completes when the engine has dialled once more.</summary>
    public Task DialledAsync() => _dialled.WaitAsync();

    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        _dialled.Release();
        if (!_peers.TryRemove(target.Remote, out var peer))
            return null;
        await peer.Reachable.Task.WaitAsync(cancellationToken);
        return peer;
    }
}
