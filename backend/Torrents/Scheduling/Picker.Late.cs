using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Blocks that are requested again: late ones that a reader waits for, and those of bad pieces.</summary>
internal sealed partial class Picker
{
    /// <summary>Most duplicate requests in one check, so that duplicates stay rare.</summary>
    private const int MostSecondCopies = 32;

    /// <summary>
    /// A block is late when both the wait so far and the expected rest exceed twice the time that another peer would need, by this much.
    /// </summary>
    private const double LateSeconds = 0.1;

    /// <summary>Requests the late blocks of a piece from a second peer. When one copy arrives, the other is cancelled.</summary>
    private void RequestDuplicates(PieceSlot slot, long now)
    {
        var copies = 0;
        foreach (var peer in _peers)
        {
            for (var i = 0; i < peer.RequestSpan && copies < MostSecondCopies; i++)
            {
                var request = peer.RequestAt(i);
                if (request.Slot != slot || slot.Copies(request.Block) > 1 || slot.State(request.Block) != BlockState.Requested)
                    continue;
                var soonest = Other(slot, peer);
                if (soonest is null || !IsLate(peer, i, request, soonest, now))
                    continue;
                if (!_allowance.MayRequest(RequestRank.Reader, now))
                    return;
                SendRequest(soonest, slot, request.Block, now);
                copies++;
            }
        }
    }

    private static bool IsLate(Peer peer, int position, in Request request, Peer other, long now)
    {
        var waited = (double)(now - request.RequestedAt) / TimeSpan.TicksPerSecond;
        var silent = (double)(now - Math.Max(peer.LastBlock, request.RequestedAt)) / TimeSpan.TicksPerSecond;
        var eta = other.Eta(PeerForecast.UnknownRate);
        var rate = peer.Rate > 0 ? peer.Rate : PeerForecast.UnknownRate;
        var left = Math.Max((position + 1) * PieceSlot.BlockSize / rate, silent);
        return waited > LateSeconds + (2 * eta) && left > LateSeconds + (2 * eta);
    }

    private Peer? Other(PieceSlot slot, Peer than)
    {
        Peer? soonest = null;
        foreach (var peer in _peers)
        {
            if (peer == than || !peer.CanRequest || !peer.Serves(slot.Index) || !slot.Admits(peer.Number)
                || peer.RequestCount >= peer.Pipeline.PeerQueue)
                continue;
            if (soonest is null || peer.Eta(PeerForecast.UnknownRate) < soonest.Eta(PeerForecast.UnknownRate))
                soonest = peer;
        }

        return soonest;
    }

    // Peers that sent part of a bad piece are excluded, and the piece comes from the others. If no other peer serves it, one excluded peer
    // at a time is admitted: if the piece is bad again, that peer is to blame. A reader never waits for a slow peer while another could
    // send the piece.

    /// <summary>
    /// An awaited piece gets one more source if its present sources would take twice as long as another peer, plus this: a piece of 4 MiB
    /// from a peer of 5 MB/s still comes from that peer only.
    /// </summary>
    private const double BadPieceSlackSeconds = 1;

    /// <summary>A peer with requests that sends no block for this long counts as sending nothing.</summary>
    private const long SilenceTicks = TimeSpan.TicksPerSecond;

    /// <summary>Admits a source to each bad piece that has none. Call when the peers that serve have changed.</summary>
    public void FindSources()
    {
        foreach (var slot in _table.Open)
        {
            if (slot is { IsSuspect: true, IsVerifying: false })
                FindSource(slot);
        }
    }

    /// <summary>Call when a piece has failed its hash check: it is fetched again.</summary>
    public void Retry(PieceSlot slot)
    {
        slot.Restart();
        FindSource(slot);
        foreach (var reader in _readers)
            reader.OnPieceFreed(slot.Index);
    }

    /// <summary>
    /// Admits the fastest excluded peer that serves a piece, unless a peer that may send it serves it. The peer admitted last is chosen
    /// only if there is no other.
    /// </summary>
    private void FindSource(PieceSlot slot)
    {
        Peer? best = null;
        foreach (var peer in _peers)
        {
            if (!peer.CanRequest || !peer.Serves(slot.Index))
                continue;
            if (slot.Admits(peer.Number))
                return;
            if (best is null || IsBefore(peer, best, slot))
                best = peer;
        }

        if (best is not null)
            slot.Admit(best.Number);
    }

    /// <summary>Call when a reader waits for a bad piece: admits another peer if those that may send it are too slow.</summary>
    private void AdmitFaster(PieceSlot slot, long now)
    {
        Peer? other = null;
        var rate = 0.0;
        foreach (var peer in _peers)
        {
            if (!peer.CanRequest || !peer.Serves(slot.Index))
                continue;
            if (slot.Admits(peer.Number))
                rate += RateOf(peer, now);
            else if (other is null || IsBefore(peer, other, slot))
                other = peer;
        }

        var left = (double)(slot.Blocks - slot.Received) * PieceSlot.BlockSize;
        if (other is not null && left / rate > BadPieceSlackSeconds + (2 * left / RateOf(other, now)))
            slot.Admit(other.Number);
    }

    private static bool IsBefore(Peer one, Peer other, PieceSlot slot) =>
        one.Number != slot.LastAdmitted && (other.Number == slot.LastAdmitted || one.Rate > other.Rate);

    private static double RateOf(Peer peer, long now) =>
        peer.RequestCount > 0 && now - peer.LastBlock > SilenceTicks ? 0 : peer.Rate > 0 ? peer.Rate : PeerForecast.UnknownRate;
}
