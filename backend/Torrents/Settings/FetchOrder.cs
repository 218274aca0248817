using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Settings;

/// <summary>What <see cref="Torrent.FetchAll"/> fetches and what first. Readers come before all of it. Immutable.</summary>
public sealed record FetchOrder
{
    /// <summary>What players read first: headers, and the index that some containers have at their end.</summary>
    public const int EdgeBytes = 1 << 20;

    /// <summary>Nothing at a file's edge is worth being fetched first below this: the whole of it is.</summary>
    private const int LeastEdged = 4 * EdgeBytes;

    /// <summary>A rank for each file, padding counted: 0 is not fetched, 1 is normal, up to <see cref="MostRank"/> goes first. Files past its end are normal.</summary>
    public IReadOnlyList<int> Files { get; init; } = [];

    /// <summary>The highest rank.</summary>
    public const int MostRank = 100;

    /// <summary>Pieces of equal rank are fetched in order; else the rarest first.</summary>
    public bool IsSequential { get; init; }

    /// <summary>Head and tail of large files that are fetched go before all else.</summary>
    public bool EdgesFirst { get; init; }

    /// <summary>Head and tail of files that are fetched are all that is.</summary>
    public bool EdgesOnly { get; init; }

    /// <summary>A rank for each piece; null: all alike.</summary>
    internal byte[]? Ranks(TorrentInfo info)
    {
        if (!EdgesFirst && !EdgesOnly && Files.All(static rank => rank == 1))
            return null;
        var ranks = new byte[info.PieceCount];
        for (var file = 0; file < info.Files.Count; file++)
        {
            var (offset, length) = (info.Files[file].Offset, info.Files[file].Length);
            var rank = Math.Clamp(file < Files.Count ? Files[file] : 1, 0, MostRank);
            if (rank == 0 || length == 0 || info.Files[file].IsPadding)
                continue;
            if (!EdgesOnly)
                Raise(offset, offset + length, rank);
            if (!EdgesOnly && (!EdgesFirst || length < LeastEdged))
                continue;
            Raise(offset, offset + Math.Min(length, EdgeBytes), MostRank + rank);
            Raise(offset + length - Math.Min(length, EdgeBytes), offset + length, MostRank + rank);
        }

        return ranks;

        void Raise(long from, long to, int rank)
        {
            for (var piece = (int)(from / info.PieceLength); piece <= (int)((to - 1) / info.PieceLength); piece++)
                ranks[piece] = (byte)Math.Max(ranks[piece], rank);
        }
    }
}
