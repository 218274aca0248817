namespace NzbDav.Catalog;

/// <summary>Bytes of a file that lie together in its torrent.</summary>
/// <param name="Offset">Of the first byte, in the torrent's files put together, padding counted.</param>
/// <param name="Length">Bytes, at least 1.</param>
public readonly record struct TorrentSpan(long Offset, long Length)
{
    /// <summary>What must be true of the bytes right before it, as its place was reckoned; empty: it was read.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }
}
