using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>What a .torrent says that lists need, without its hashes. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Size">Bytes of all files, without padding.</param>
/// <param name="PieceLength">Bytes of each piece but the last.</param>
/// <param name="Pieces">How many.</param>
/// <param name="IsPrivate">Peers come from its tracker only.</param>
/// <param name="Files">In order, padding included.</param>
internal sealed record TorrentFacts(string Name, long Size, int PieceLength, int Pieces, bool IsPrivate, IReadOnlyList<TorrentFile> Files)
{
    public static TorrentFacts Of(TorrentInfo info) => new(
        info.Name, info.Files.Where(static file => !file.IsPadding).Sum(static file => file.Length), info.PieceLength, info.PieceCount, info.IsPrivate, info.Files);

    /// <summary>The file that counts most: the longest.</summary>
    public TorrentFile? Main => Files.Where(static file => !file.IsPadding).MaxBy(static file => file.Length);
}
