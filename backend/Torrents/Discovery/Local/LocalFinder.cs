using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>One torrent in the local network.</summary>
/// <param name="service">The engine's.</param>
/// <param name="swarm">What <see cref="Hash"/> names; gets the peers.</param>
internal sealed class LocalFinder(LocalDiscovery service, Scheduling.Swarm swarm) : IPeerFinder
{
    private int _found;

    /// <summary>The torrent.</summary>
    public InfoHash Hash => swarm.Hash;

    /// <summary>The torrent is known to be private: true before <see cref="Restrict"/> is called.</summary>
    public bool IsPrivate => swarm.Table is { Info.IsPrivate: true };

    /// <inheritdoc/>
    public string? Trouble => Volatile.Read(ref _found) > 0 ? null : service.Trouble ?? "Nobody in the local network shares it";

    /// <inheritdoc/>
    public void Start() => service.Add(this);

    /// <inheritdoc/>
    public void Restrict() => service.Remove(this);

    /// <inheritdoc/>
    public IReadOnlyList<TrackerStatus> List() => [];

    /// <summary>Somebody in the local network shares it.</summary>
    public void Found(System.Net.IPEndPoint peer)
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
