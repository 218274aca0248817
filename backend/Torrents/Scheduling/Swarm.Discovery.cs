using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What peer finders need of the torrent.</summary>
internal sealed partial class Swarm
{
    /// <summary>A private torrent has changed its tracker: only the new one's peers stay connected, and only they are dialled (BEP 27).</summary>
    /// <param name="endpoints">Those peers.</param>
    /// <param name="also">Peers from these sources stay too.</param>
    public void KeepOnly(IReadOnlyCollection<IPEndPoint> endpoints, PeerSources also)
    {
        var stay = endpoints.ToHashSet();
        lock (Gate)
        {
            Book.KeepOnly(stay, also);
            foreach (var peer in Peers)
            {
                if ((peer.Sources & also) == 0 && !stay.Contains(peer.Listening ?? peer.Remote))
                    peer.Connection.Close("The private torrent has another tracker now.");
            }
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
