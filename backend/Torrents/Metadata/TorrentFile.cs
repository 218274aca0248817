namespace NzbDav.Torrents.Metadata;

/// <summary>One file of a torrent.</summary>
/// <param name="Path">Safe and unique in the torrent: parts joined with '/', none empty, "." or ".."; without the torrent's own
/// name.</param>
/// <param name="Offset">Offset of its first byte in the torrent, whose files follow each other without gaps.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsPadding">Zeros that only align the next file to a piece (BEP 47): never shown.</param>
public sealed record TorrentFile(string Path, long Offset, long Length, bool IsPadding)
{
    /// <summary>Its path as the torrent spells it, percent-encoded, where that is not how <see cref="Path"/> would be: web seeds know no
    /// other. Null = it is.</summary>
    public string? Address { get; init; }

    /// <summary>Symbolic links before it in the metainfo that the list of files leaves out: with its index in that list they make the
    /// number that it has in the metainfo.</summary>
    public int LinksBefore { get; init; }
}
