using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <summary>Reactions to changes in the network.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>State of the port mapping for <see cref="Port"/>.</summary>
    public PortMappingStatus PortMapping => _network.Mapping;

    /// <summary>The blocklist has changed: closes connections to addresses that are now blocked.</summary>
    private void Blocked()
    {
        foreach (var torrent in _torrents.Values)
            torrent.Swarm.CloseBlocked();
    }

    /// <summary>The route has changed. If there is one, all torrents dial and announce again.</summary>
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

    /// <summary>The router opened a port. If its number differs from ours, trackers are told again.</summary>
    private void Mapped()
    {
        if (_network.Mapping.TcpPort is 0 || _network.Mapping.TcpPort == _network.Port)
            return;
        foreach (var torrent in _torrents.Values)
            torrent.Reannounce();
    }
}
