using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>How many copies of a torrent its connected peers have together. Used under the torrent's lock.</summary>
internal sealed class SwarmCopies
{
    /// <summary>Interval of scans of all pieces, once a whole copy has been seen.</summary>
    private static readonly long Period = TimeSpan.FromSeconds(5).Ticks;

    private long _next;

    /// <summary>Number of peers with the rarest piece, plus, as a fraction, the share of pieces that more peers have.</summary>
    public double Count { get; private set; }

    /// <summary>
    /// True once every piece was held here or by a connected peer at the same time. A super seed (BEP 16) has every piece, whatever it
    /// announces.
    /// </summary>
    public bool SawWhole { get; private set; }

    /// <summary>Updates the count. Called once a second; scans only when necessary.</summary>
    /// <param name="table">The pieces; null while not described.</param>
    /// <param name="peers">Connected peers.</param>
    /// <param name="now">Ticks.</param>
    public void Update(PieceTable? table, List<Peer> peers, long now)
    {
        if (table is null || (SawWhole && peers.Count > 0 && now < _next))
            return;
        _next = now + Period;
        SawWhole |= table.Seeds > 0 || table.Have.IsFull || peers.Exists(static peer => peer.Rounds.IsProved);
        if (peers.Count == 0)
        {
            Count = 0;
            return;
        }

        var (fewest, more, whole) = (int.MaxValue, 0, true);
        for (var piece = 0; piece < table.Info.PieceCount; piece++)
        {
            var count = table.Availability(piece);
            whole &= count > 0 || table.Have[piece];
            if (count < fewest)
                (fewest, more) = (count, piece);
            else if (count > fewest)
                more++;
        }

        SawWhole |= whole;
        Count = table.Info.PieceCount == 0 ? 0 : fewest + ((double)more / table.Info.PieceCount);
    }
}
