using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Chooses the next piece to begin where no reader is. Stateless; used under the torrent's lock.</summary>
internal static class RarestFirst
{
    /// <summary>
    /// The piece that a peer serves, that is neither held nor begun and that is fetched next; −1 if there is none. Of the highest rank the rarest, equally rare ones in order.
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
