using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides which peers send a bad piece again. Peers that sent part of it are excluded, and the piece comes from the others. If no other
/// peer serves it, one excluded peer at a time is admitted: if the piece is bad again, that peer is to blame. A reader does not wait for a
/// slow peer while another could send the piece. Used under the torrent's lock.
/// </summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="peers">The torrent's peers.</param>
internal sealed class SuspectPieces(PieceTable table, List<Peer> peers)
{
    /// <summary>An awaited piece gets one more source if it would take twice as long from those that may send it as from another, and this
    /// much longer: a piece of 4 MiB from a peer of 5 MB/s still comes from that one alone.</summary>
    private const double SlackSeconds = 1;

    /// <summary>A peer with requests that sends no block for this long counts as sending nothing.</summary>
    private const long SilenceTicks = TimeSpan.TicksPerSecond;

    /// <summary>Admits a source to each bad piece that has none. Call when the peers that serve have changed.</summary>
    public void FindSources()
    {
        foreach (var slot in table.Open)
        {
            if (slot is { IsSuspect: true, IsVerifying: false })
                FindSource(slot);
        }
    }

    /// <summary>
    /// Admits the quickest excluded peer that serves a piece, unless a peer that may send it serves it. The peer admitted last is chosen
    /// only if there is no other.
    /// </summary>
    public void FindSource(PieceSlot slot)
    {
        Peer? best = null;
        foreach (var peer in peers)
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

    /// <summary>A reader waits for a bad piece: admits another peer if those that may send it are too slow.</summary>
    public void AdmitFaster(PieceSlot slot, long now)
    {
        Peer? other = null;
        var rate = 0.0;
        foreach (var peer in peers)
        {
            if (!peer.CanRequest || !peer.Serves(slot.Index))
                continue;
            if (slot.Admits(peer.Number))
                rate += RateOf(peer, now);
            else if (other is null || IsBefore(peer, other, slot))
                other = peer;
        }

        var left = (double)(slot.Blocks - slot.Received) * PieceSlot.BlockSize;
        if (other is not null && left / rate > SlackSeconds + (2 * left / RateOf(other, now)))
            slot.Admit(other.Number);
    }

    private static bool IsBefore(Peer one, Peer other, PieceSlot slot) =>
        one.Number != slot.LastAdmitted && (other.Number == slot.LastAdmitted || one.Rate > other.Rate);

    private static double RateOf(Peer peer, long now) =>
        peer.Requests.Count > 0 && now - peer.LastBlock > SilenceTicks ? 0 : peer.Rate > 0 ? peer.Rate : PeerForecast.UnknownRate;
}
