using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Declares interest in each peer that has a piece we lack, whether or not it is being read: that changes with each seek, and a late
/// declaration would cost a round trip and a slot at the peer. No peer is of interest a minute after the last reader has left, if nothing
/// else is to be fetched. While the torrent's contents are unknown, every peer is of interest. Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerInterest(Swarm swarm)
{
    /// <summary>
    /// How long interest lasts after the last reader has left. A reader often comes back: players close one range and open another, and a
    /// peer in which we lose interest gives our slot away.
    /// </summary>
    private static readonly long InterestLinger = TimeSpan.TicksPerMinute;

    /// <summary>True if nothing more is fetched unless a reader opens: everything but the deselected files is held (BEP 21).</summary>
    public bool IsPartialSeed =>
        swarm is { Table: { LeavesOut: true, HoldsWanted: true }, Scheduler.Background: true, Readers.Open: 0 };

    private bool WantsNothing => IsPartialSeed
        || (swarm.Readers.Ended is { } ended && swarm.Now - ended > InterestLinger && swarm.Scheduler is not { Background: true });

    /// <summary>Call when a peer has more pieces than before, or we have fewer. Declares interest at once.</summary>
    public void DeclareIfInteresting(Peer peer)
    {
        if (!peer.AmInterested && peer.HandshakeDone && !peer.IsClosed && HasOther(peer))
            SetInterested(peer, interested: true);
    }

    /// <summary>Called once a second: withdraws the interest in peers that have nothing more for us.</summary>
    public void Withdraw()
    {
        foreach (var peer in swarm.Peers)
        {
            if (peer.AmInterested && !HasOther(peer))
                SetInterested(peer, interested: false);
        }
    }

    /// <summary>A piece is no longer held.</summary>
    public void OnPieceLost(int piece)
    {
        foreach (var peer in swarm.Peers)
        {
            if (!peer.AmInterested && peer.Has(piece))
                DeclareIfInteresting(peer);
        }
    }

    private bool HasOther(Peer peer)
    {
        if (swarm.Table is not { } table)
            return true;
        if (WantsNothing)
            return false;
        return peer.HasAll ? !table.Have.IsFull : peer.Pieces?.HasOther(table.Have) == true;
    }

    private void SetInterested(Peer peer, bool interested)
    {
        peer.AmInterested = interested;
        peer.Outbox.Message(interested ? MessageId.Interested : MessageId.NotInterested);
        swarm.MarkDirty(peer);
    }
}
