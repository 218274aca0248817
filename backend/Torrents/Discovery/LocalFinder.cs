using System.Net;
using NzbDav.Torrents.Discovery.Local;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>Finds the peers of one torrent in the local network.</summary>
/// <param name="service">The engine's local discovery.</param>
/// <param name="swarm">The torrent; receives the peers.</param>
internal sealed class LocalFinder(LocalDiscovery service, Swarm swarm) : IPeerFinder, ILocalTorrent
{
    private int _found;

    /// <inheritdoc/>
    public InfoHash Hash => swarm.Hash;

    /// <summary>True before <see cref="Restrict"/> is called.</summary>
    public bool IsPrivate => swarm.Table is { Info.IsPrivate: true };

    /// <inheritdoc/>
    public string? Trouble => Volatile.Read(ref _found) > 0 ? null : service.Trouble ?? "No peer in the local network shares it";

    /// <inheritdoc/>
    public void Start() => service.Add(this);

    /// <inheritdoc/>
    public void AskNow()
    {
        // Peers in the local network are notified every few minutes, and no more often (BEP 14).
    }

    /// <inheritdoc/>
    public void Restrict() => service.Remove(this);

    /// <inheritdoc/>
    public IReadOnlyList<TrackerStatus> List() => !PeerSearch.UsesLocal(swarm.Context.Options) ? [] :
    [
        new("Local network", service.Trouble is null ? TrackerState.Working : TrackerState.Failed, service.Trouble, Volatile.Read(ref _found), Next: null) { Source = PeerSources.Local },
    ];

    /// <inheritdoc/>
    public void Found(IPEndPoint peer)
    {
        Interlocked.Increment(ref _found);
        swarm.AddPeers([peer], PeerSources.Local);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        service.Remove(this);
        return ValueTask.CompletedTask;
    }
}
