using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A file of a torrent.</summary>
/// <param name="ItemId">Its id in the tree; null if it is not there.</param>
/// <param name="Path">Its path in the torrent; if the torrent is closed and its .torrent is not known, its name in the tree.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="Have">Bytes of it that are here; null if the torrent is closed.</param>
internal sealed record TorrentFileBody(string? ItemId, string Path, long Size, long? Have)
{
    /// <summary>Its number in the torrent, counting padding files; null if that is not known.</summary>
    public int? Index { get; init; }

    /// <summary>Its download priority while the torrent is kept; null if the torrent is not in the list.</summary>
    public FilePriority? Priority { get; init; }
}
