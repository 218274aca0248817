using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Pieces;

/// <summary>Summarises a torrent's pieces for display.</summary>
internal static class PieceRuns
{
    /// <summary>
    /// Most cells; no display shows more. The pieces of a torrent with more are grouped, and a group counts as held only if all of its
    /// pieces are.
    /// </summary>
    private const int Finest = 20_000;

    /// <summary>Lists the states of all pieces in order.</summary>
    /// <param name="held">Which are held.</param>
    /// <param name="wanted">First and last piece of each range that readers will need.</param>
    /// <param name="all">True: every piece is wanted.</param>
    public static IReadOnlyList<PieceRun> List(BitField held, IReadOnlyList<(int First, int Last)> wanted, bool all)
    {
        var runs = new List<PieceRun>();
        var group = (held.Length + Finest - 1) / Finest;
        for (var first = 0; first < held.Length; first += group)
        {
            var length = Math.Min(group, held.Length - first);
            var state = StateOf(held, wanted, all, first, length);
            if (runs.Count > 0 && runs[^1].State == state)
                runs[^1] = runs[^1] with { Length = runs[^1].Length + length };
            else
                runs.Add(new PieceRun(state, length));
        }

        return runs;
    }

    private static PieceState StateOf(BitField held, IReadOnlyList<(int First, int Last)> wanted, bool all, int first, int length)
    {
        var isHeld = true;
        for (var piece = first; piece < first + length && isHeld; piece++)
            isHeld = held[piece];
        if (isHeld)
            return PieceState.Held;
        var isWanted = all;
        for (var i = 0; i < wanted.Count && !isWanted; i++)
            isWanted = wanted[i].First < first + length && wanted[i].Last >= first;
        return isWanted ? PieceState.Wanted : PieceState.Missing;
    }
}
