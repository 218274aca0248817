using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Chooses the next piece to begin in the background. Stateless; used under the torrent's lock.</summary>
internal static class RarestFirst
{
    /// <summary>
    /// The next piece to fetch among those that a peer serves and that are neither held nor begun; −1 if there is none. Chooses the rarest of the highest rank,
    /// and equally rare ones in order.
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
