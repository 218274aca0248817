using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Settings;

/// <summary>What <see cref="Torrent.FetchAll"/> fetches, and in which order. Readers always come first. Immutable.</summary>
public sealed record FetchOrder
{
    /// <summary>
    /// Bytes at each end of a file that players read first: headers, and the index that some containers have at their end.
    /// </summary>
    public const int EdgeBytes = 1 << 20;

    /// <summary>Smallest file whose ends are fetched first, in bytes; smaller ones are fetched as a whole.</summary>
    private const int LeastEdged = 4 * EdgeBytes;

    /// <summary>
    /// A rank for each file, including padding: 0 = not fetched, 1 = normal; higher ranks go first, up to <see cref="MostRank"/>. Files
    /// beyond the end of the list are normal.
    /// </summary>
    public IReadOnlyList<int> Files { get; init; } = [];

    /// <summary>The highest rank.</summary>
    public const int MostRank = 100;

    /// <summary>True if pieces of equal rank are fetched in order, false if rarest first.</summary>
    public bool IsSequential { get; init; }

    /// <summary>True if both ends of the selected large files are fetched before everything else.</summary>
    public bool EdgesFirst { get; init; }

    /// <summary>True if only both ends of the selected files are fetched.</summary>
    public bool EdgesOnly { get; init; }

    /// <summary>Computes a rank for each piece; null: all are equal.</summary>
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
