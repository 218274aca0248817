using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <summary>What changes in the network.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>How the router stands to <see cref="Port"/>.</summary>
    public PortMappingStatus PortMapping => _network.Mapping;

    /// <summary>Another blocklist holds.</summary>
    private void Blocked()
    {
        foreach (var torrent in _torrents.Values)
            torrent.Swarm.CloseBlocked();
    }

    /// <summary>Another way to the network, or none: whoever waits for one goes on.</summary>
    private void Routed()
    {
        if (_network.Trouble is not null)
            return;
        _context.Port = _network.Port;
        foreach (var torrent in _torrents.Values)
        {
            torrent.Swarm.PlaceFreed();
            torrent.Reannounce();
        }
    }

    /// <summary>The router opened a port. Trackers are told again if it is another one than ours.</summary>
    private void Mapped()
    {
        if (_network.Mapping.TcpPort is 0 || _network.Mapping.TcpPort == _network.Port)
            return;
        foreach (var torrent in _torrents.Values)
            torrent.Reannounce();
    }
}
