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

    /// <summary>What the engine dialled, in order.</summary>
    public ConcurrentQueue<DialTarget> Targets { get; } = new();

    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        Targets.Enqueue(target);
        _dialled.Release();
        if (!_peers.TryRemove(target.Remote, out var peer))
            return null;
        await peer.Reachable.Task.WaitAsync(cancellationToken);
        return peer;
    }
}
