namespace NzbDav.Torrents.Metadata;

/// <summary>One file of a torrent.</summary>
/// <param name="Path">Safe and unique in the torrent: parts joined with '/', none empty, "." or ".."; without the torrent's own name.</param>
/// <param name="Offset">Offset of its first byte in the torrent, whose files follow each other without gaps.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsPadding">Zeros that only align the next file to a piece (BEP 47): never shown.</param>
public sealed record TorrentFile(string Path, long Offset, long Length, bool IsPadding);
