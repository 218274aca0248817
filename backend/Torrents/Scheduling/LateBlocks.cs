using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Finds late blocks that a reader waits for, and peers that would be quicker. Used under the torrent's lock.</summary>
/// <param name="peers">The torrent's peers.</param>
/// <param name="ledger">Sends the requests.</param>
internal sealed class LateBlocks(List<Peer> peers, RequestLedger ledger)
{
    /// <summary>Most second requests in one check, so that duplicates stay rare.</summary>
    private const int MostSecondCopies = 32;

    /// <summary>
    /// A block is late when both the wait so far and the expected rest exceed twice the time that another peer would need, by this much.
    /// </summary>
    private const double SlackSeconds = 0.1;

    /// <summary>Requests the late blocks of a piece from a second peer. When one copy arrives, the other is cancelled.</summary>
    public void RequestDuplicates(PieceSlot slot, long now)
    {
        var copies = 0;
        foreach (var peer in peers)
        {
            for (var i = 0; i < peer.Requests.Span && copies < MostSecondCopies; i++)
            {
                var request = peer.Requests.At(i);
                if (request.Slot != slot || slot.Copies(request.Block) > 1 || slot.State(request.Block) != BlockState.Requested)
                    continue;
                var soonest = Other(slot, peer);
                if (soonest is null || !IsLate(peer, i, request, soonest, now))
                    continue;
                if (!ledger.MayRequest(RequestRank.Reader, now))
                    return;
                ledger.SendRequest(soonest, slot, request.Block, now);
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
        return waited > SlackSeconds + (2 * eta) && left > SlackSeconds + (2 * eta);
    }

    private Peer? Other(PieceSlot slot, Peer than)
    {
        Peer? soonest = null;
        foreach (var peer in peers)
        {
            if (peer == than || !peer.CanRequest || !peer.Serves(slot.Index) || !slot.Admits(peer.Number)
                || peer.Requests.Count >= peer.Pipeline.PeerQueue)
                continue;
            if (soonest is null || peer.Eta(PeerForecast.UnknownRate) < soonest.Eta(PeerForecast.UnknownRate))
                soonest = peer;
        }

        return soonest;
    }
}
