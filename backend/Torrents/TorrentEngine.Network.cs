using System.Net.Sockets;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents;

/// <summary>Reactions to changes in the network.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>State of the port mapping for <see cref="Port"/>.</summary>
    public PortMappingStatus PortMapping => _network.Mapping;

    /// <summary>A handler for HTTP whose connections go by the engine's route.</summary>
    private SocketsHttpHandler NewHandler(Func<TrackerConnect, SocketsHttpHandler>? create, AddressFamily? family)
    {
        var handler = create?.Invoke(_network.ConnectorOf(family)) ?? new SocketsHttpHandler();
        _network.Attach(handler, family);
        return handler;
    }

    /// <summary>The blocklist has changed: closes connections to addresses that are now blocked.</summary>
    private void Blocked()
    {
        foreach (var torrent in _torrents.Values)
            torrent.Swarm.CloseBlocked();
    }

    /// <summary>The route or our port has changed. If there is one, all torrents dial and announce again.</summary>
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

    private bool Welcome(ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received)
    {
        if (!_torrents.TryGetValue(_context.Aliases.Find(handshake.Hash) ?? handshake.Hash, out var torrent))
            return false;
        torrent.Swarm.Accept(transport, received, byAlias: torrent.Hash != handshake.Hash);
        return true;
    }
}
