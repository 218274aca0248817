using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What peer finders need of the torrent.</summary>
internal sealed partial class Swarm
{
    /// <summary>Adds addresses and dials them if there is room.</summary>
    /// <param name="endpoints">Addresses at which peers listen.</param>
    /// <param name="source">Their source.</param>
    /// <param name="byAlias">They know the torrent by its alias.</param>
    public void AddPeers(IEnumerable<IPEndPoint> endpoints, PeerSources source, bool byAlias = false)
    {
        lock (Gate)
        {
            foreach (var endpoint in endpoints)
                Book.Add(endpoint, source, byAlias: byAlias);
        }

        _dialler.Dial();
    }

    /// <summary>A private torrent has changed its tracker: only the new one's peers stay connected, and only they are dialled (BEP
    /// 27).</summary>
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

    /// <summary>Restricts a private torrent to peers that its tracker named, or that learned our address there (BEP 27). Peers named by a
    /// magnet link or another peer are dropped. Under the gate.</summary>
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
    private void TellNode(Peer peer)
    {
        // <len=0003><id=9><listen-port>
        if (NodePort(peer.Remote.AddressFamily) is not (> 0 and var port))
            return;
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)port);
        peer.Outbox.Message(MessageId.Port, bytes);
    }

    /// <inheritdoc/>
    public void MeetNode(Peer peer, int port)
    {
        if (port > 0 && NodePort(peer.Remote.AddressFamily) > 0)
            Context.Dht!.Meet(new IPEndPoint(peer.Remote.Address, port));
    }
}
