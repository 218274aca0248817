namespace NzbDav.Catalog.Tree;

/// <summary>Bytes of a file that lie together in its torrent.</summary>
/// <param name="Offset">Of the first byte, in the torrent's files put together, padding counted.</param>
/// <param name="Length">Bytes, at least 1.</param>
public readonly record struct TorrentSpan(long Offset, long Length)
{
    /// <summary>The archive headers that must stand right before it, as its place was inferred; empty: its place was read.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }
}
