using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Requests pieces that no reader needs yet, if all of a torrent is wanted: first those already begun, then the rarest. Used under
/// the torrent's lock.</summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="ledger">Sends the requests.</param>
internal sealed class BackgroundRequests(PieceTable table, RequestLedger ledger)
{
    /// <summary>Requests as many blocks from a peer as its queue has room for.</summary>
    public void Refill(Peer peer, long now)
    {
        var limit = peer.Pipeline.Limit(bulk: !ledger.IsShared);
        var room = limit - peer.Outstanding;
        if (room < limit / 8 && peer.Outstanding >= RequestPipeline.Floor)
            return;
        while (peer.Outstanding < limit && peer.Requests.Count < RequestPipeline.Cap && ledger.MayRequest(RequestRank.Background, now))
        {
            var slot = peer.Background < 0 ? null : table.Slot(peer.Background);
            if (slot is null || !CanGoOn(peer, slot))
            {
                slot = Unfinished(peer) ?? (table.IsHeldBack?.Invoke() != true && Next(peer) is >= 0 and var piece
                    ? table.TryOpen(piece, isWaited: false) : null);
                peer.Background = slot?.Index ?? -1;
                if (slot is null)
                    return;
            }

            ledger.SendRequest(peer, slot, slot.NextFree(), now);
        }
    }

    /// <summary>
    /// The piece to begin: the one that the peer suggested (BEP 6), because it can send that at once, otherwise the rarest; from a peer
    /// that chokes us, one that it allows. −1: none.
    /// </summary>
    private int Next(Peer peer)
    {
        var suggested = peer.Suggested;
        peer.Suggested = -1;
        if ((uint)suggested < (uint)table.Info.PieceCount && CanBegin(peer, suggested))
            return suggested;
        if (!peer.PeerChoking)
            return RarestFirst.Pick(table, peer);
        foreach (var piece in peer.Allowed)
        {
            if ((uint)piece < (uint)table.Info.PieceCount && CanBegin(peer, piece))
                return piece;
        }

        return -1;
    }

    private bool CanBegin(Peer peer, int piece) => !table.Have[piece] && table.Slot(piece) is null && peer.Serves(piece);

    /// <summary>A piece that was begun and that the peer can continue; null: none.</summary>
    private PieceSlot? Unfinished(Peer peer)
    {
        foreach (var slot in table.Open)
        {
            if (CanGoOn(peer, slot))
                return slot;
        }

        return null;
    }

    private static bool CanGoOn(Peer peer, PieceSlot slot) =>
        slot is { Free: > 0, IsVerifying: false } && peer.Serves(slot.Index) && slot.Admits(peer.Number);
}

/// <summary>Chooses the next piece to begin in the background. Stateless; used under the torrent's lock.</summary>
internal static class RarestFirst
{
    /// <summary>
    /// The next piece to fetch among those that a peer serves and that are neither held nor begun; −1 if there is none. Chooses the rarest
    /// of the highest rank, and equally rare ones in order.
    /// </summary>
    public static int Pick(PieceTable table, Peer peer)
    {
        var ranks = table.Ranks;
        var (best, rank, fewest) = (-1, 0, int.MaxValue);
        for (var piece = table.FirstMissing(); piece < table.Info.PieceCount; piece++)
        {
            var its = ranks?[piece] ?? 1;
            if (its < rank || its == 0 || table.Have[piece] || table.Slot(piece) is not null || !peer.Serves(piece))
                continue;
            var count = table.IsSequential ? 0 : table.Counted(piece);
            if (its == rank && count >= fewest)
                continue;
            (best, rank, fewest) = (piece, its, count);
            if (fewest == 0 && ranks is null)
                break;
        }

        return best;
    }
}
