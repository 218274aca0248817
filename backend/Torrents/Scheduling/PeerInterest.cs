using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Tells each peer whether it has something that we lack. Not whether somebody reads it at present: that changes with each seek, and the answer to an interest that is told only then would cost a round trip and
/// a place at the peer. While it is not known what the torrent holds, every peer is of interest. Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerInterest(Swarm swarm)
{
    /// <summary>A peer has more than before, or we have less: it is told at once.</summary>
    public void Look(Peer peer)
    {
        if (!peer.IsOfInterest && peer.IsGreeted && !peer.IsClosed && HasOther(peer))
            Say(peer, isOfInterest: true);
    }

    /// <summary>Once a second: peers that have nothing more for us are told.</summary>
    public void Withdraw()
    {
        foreach (var peer in swarm.Peers)
        {
            if (peer.IsOfInterest && !HasOther(peer))
                Say(peer, isOfInterest: false);
        }
    }

    /// <summary>A piece is held no longer.</summary>
    public void Lost(int piece)
    {
        foreach (var peer in swarm.Peers)
        {
            if (!peer.IsOfInterest && peer.Has(piece))
                Look(peer);
        }
    }

    private bool HasOther(Peer peer)
    {
        if (swarm.Table is not { } table)
            return true;
        return peer.HasAll ? !table.Have.IsFull : peer.Pieces?.HasOther(table.Have) == true;
    }

    private void Say(Peer peer, bool isOfInterest)
    {
        peer.IsOfInterest = isOfInterest;
        peer.Outbox.Message(isOfInterest ? MessageId.Interested : MessageId.NotInterested);
        swarm.MarkDirty(peer);
    }
}
