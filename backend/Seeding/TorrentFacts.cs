using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>The facts of a .torrent that lists need, without its hashes. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Size">Bytes of all files, without padding.</param>
/// <param name="PieceLength">Bytes of each piece except the last.</param>
/// <param name="Pieces">Number of pieces.</param>
/// <param name="IsPrivate">True if peers come from its tracker only (BEP 27).</param>
/// <param name="Files">Its files in order, including padding.</param>
internal sealed record TorrentFacts(string Name, long Size, int PieceLength, int Pieces, bool IsPrivate, IReadOnlyList<TorrentFile> Files)
{
    public static TorrentFacts Of(TorrentInfo info) => new(
        info.Name, info.Files.Where(static file => !file.IsPadding).Sum(static file => file.Length), info.PieceLength, info.PieceCount, info.IsPrivate, info.Files);

    /// <summary>The main file: the longest.</summary>
    public TorrentFile? Main => Files.Where(static file => !file.IsPadding).MaxBy(static file => file.Length);
}
