using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Addresses of peers, the port of the DHT node, and the alias.</summary>
internal sealed partial class Swarm
{
    private const string Another = "The peer shares another torrent.";

    private InfoHash? _alias;

    /// <summary>Adds addresses and dials them if there is room.</summary>
    /// <param name="endpoints">Addresses at which peers listen.</param>
    /// <param name="source">Where the addresses come from.</param>
    /// <param name="byAlias">True if they know the torrent by its alias.</param>
    public void AddPeers(IEnumerable<IPEndPoint> endpoints, PeerSources source, bool byAlias = false)
    {
        lock (Gate)
        {
            foreach (var endpoint in endpoints)
                Book.Add(endpoint, source, byAlias: byAlias);
        }

        _dialler.Dial();
    }

    /// <summary>
    /// Call when a private torrent has changed its tracker: only the new tracker's peers stay connected, and only they are dialled (BEP
    /// 27).
    /// </summary>
    /// <param name="endpoints">Those peers.</param>
    /// <param name="also">Peers from these sources stay too.</param>
    public void KeepOnly(IReadOnlyCollection<IPEndPoint> endpoints, PeerSources also)
    {
        var stay = endpoints.Select(PeerAddress.Plain).ToHashSet();
        lock (Gate)
        {
            Book.KeepOnly(stay, also);
            foreach (var peer in Peers)
            {
                if (!peer.IsWebSeed && (peer.Sources & also) == 0 && !stay.Contains(peer.Listening ?? peer.Remote))
                    peer.Connection.Close("The private torrent has another tracker now.");
            }
        }
    }

    /// <summary>
    /// Restricts a private torrent to peers that its tracker named, and to incoming ones, which learned our address there (BEP 27). Peers
    /// named by a magnet link or another peer are dropped. Under the gate.
    /// </summary>
    private void Restrict()
    {
        WebSeeds.Restrict();
        Book.Restrict(PeerSources.Tracker | PeerSources.Incoming);
        foreach (var peer in Peers)
        {
            if (!Book.Allows(peer.Sources))
                peer.Connection.Close("The torrent is private: its peers come from its tracker alone.");
        }
    }

    /// <summary>Port of our node in the DHT for peers of this family; 0 = none, or the torrent is private.</summary>
    private int NodePort(AddressFamily family) => Table is { Info.IsPrivate: true } ? 0 : Context.Dht?.PortOf(family) ?? 0;

    /// <summary>Sends the port of our DHT node to a peer that has a node too. Under the gate.</summary>
    private void SendDhtPort(Peer peer)
    {
        // <len=0003><id=9><listen-port>
        if (NodePort(peer.Remote.AddressFamily) is not (> 0 and var port))
            return;
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)port);
        peer.Outbox.Message(MessageId.Port, bytes);
    }

    /// <summary>Adds the DHT node of a peer that has sent its port. Under the gate.</summary>
    public void AddDhtNode(Peer peer, int port)
    {
        if (port > 0 && NodePort(peer.Remote.AddressFamily) > 0)
            Context.Dht!.AddNode(new IPEndPoint(peer.Remote.Address, port));
    }

    // The second info-hash of a hybrid torrent (BEP 52). Peers that use it are treated like all others: the pieces are the same.

    /// <summary>
    /// See <see cref="TorrentInfo.Alias"/>; null if it has none, or another open torrent has that info-hash. Before the torrent is
    /// described, the alias that the magnet link names. Thread-safe.
    /// </summary>
    public InfoHash? Alias
    {
        get
        {
            lock (Gate)
                return _alias is { } alias && Context.Aliases.Find(alias) == Hash ? alias : null;
        }
    }

    /// <summary>
    /// The alias, if it is announced to trackers. That of a private torrent is not: its tracker knows one of the two hashes, and would
    /// refuse the other or count one user and one transfer twice. Thread-safe.
    /// </summary>
    public InfoHash? AnnouncedAlias => Table is { Info.IsPrivate: true } ? null : Alias;

    /// <summary>Our handshake, with the torrent's hash, or with its alias if it has one. Thread-safe.</summary>
    public Handshake CreateHandshake(bool alias)
    {
        var hasNode = NodePort(AddressFamily.InterNetwork) > 0 || NodePort(AddressFamily.InterNetworkV6) > 0;
        return new Handshake((alias ? Alias : null) ?? Hash, Context.PeerId, Fast: true, Extensions: true, hasNode);
    }

    /// <summary>Sets the alias that a magnet link names, or null. Once the torrent is described, only its own counts.</summary>
    public void Rename(InfoHash? alias)
    {
        lock (Gate)
            Use(Table is { } table ? table.Info.Alias : alias);
    }

    /// <summary>Releases the alias of a closed torrent, so that another may have it.</summary>
    public void ReleaseAlias()
    {
        lock (Gate)
            Use(alias: null);
    }

    private void Use(InfoHash? alias)
    {
        if (alias == _alias)
            return;
        if (_alias is { } former)
            Context.Aliases.Release(former, Hash);
        _alias = alias;
        if (alias is { } name && name != Hash)
            Context.Aliases.Register(name, Hash);

        // The magnet link named a wrong alias: these peers share another torrent.
        foreach (var peer in Peers)
        {
            if (peer.ByAlias)
                peer.Connection.Close(Another);
        }
    }
}
