using NzbDav.Catalog;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A file of a torrent.</summary>
/// <param name="ItemId">Its id in the tree; null if it is not there.</param>
/// <param name="Path">Its path in the torrent; for one that is closed and whose .torrent is not known its name in the tree.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Have">Bytes that are held; null for a torrent that is closed.</param>
internal sealed record TorrentFileBody(string? ItemId, string Path, long Size, long? Have)
{
    /// <summary>Its number in the torrent, padding counted; null if that is not known.</summary>
    public int? Index { get; init; }

    /// <summary>How soon it is fetched while the torrent is kept; null for a torrent that is not in the list.</summary>
    public FilePriority? Priority { get; init; }
}
