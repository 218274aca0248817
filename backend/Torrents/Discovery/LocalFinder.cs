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
    private LocalAlias? _alias;
    private int _found;

    public InfoHash Hash => swarm.Hash;

    public bool IsAlias => false;

    /// <summary>Known even before <see cref="Restrict"/> is called.</summary>
    public bool IsPrivate => swarm.Table is { Info.IsPrivate: true };

    public string? Trouble => Volatile.Read(ref _found) > 0 ? null : service.Trouble ?? "No peer in the local network has it";

    public void Start()
    {
        service.Add(this);
        var alias = swarm.AnnouncedAlias is { } name ? new LocalAlias(this, name) : null;
        if (_alias?.Hash == alias?.Hash)
            return;
        if (_alias is { } previous)
            service.Remove(previous);
        _alias = alias;
        if (alias is not null)
            service.Add(alias);
    }

    public void FindNow()
    {
        // BEP 14 limits announcements to the local network to one every few minutes.
    }

    public void Restrict() => End();

    public IReadOnlyList<TrackerStatus> List() => !PeerSearch.UsesLocal(swarm.Context.Options) ? [] :
    [
        new("Local network", service.Trouble is null ? TrackerState.Working : TrackerState.Failed, service.Trouble,
            Volatile.Read(ref _found), Next: null) { Source = PeerSources.Local },
    ];

    public void Found(IPEndPoint peer) => Found(peer, byAlias: false);

    public ValueTask DisposeAsync()
    {
        End();
        return ValueTask.CompletedTask;
    }

    private void Found(IPEndPoint peer, bool byAlias)
    {
        Interlocked.Increment(ref _found);
        swarm.AddPeers([peer], PeerSources.Local, byAlias);
    }

    private void End()
    {
        service.Remove(this);
        if (_alias is { } alias)
            service.Remove(alias);
    }

    /// <summary>The torrent under its alias.</summary>
    private sealed class LocalAlias(LocalFinder finder, InfoHash hash) : ILocalTorrent
    {
        public InfoHash Hash => hash;

        public bool IsAlias => true;

        public bool IsPrivate => finder.IsPrivate;

        public void Found(IPEndPoint peer) => finder.Found(peer, byAlias: true);
    }
}
