using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>A file of one of the user's torrents. Padding is left out.</summary>
public sealed record ShelfFile
{
    /// <summary>Its index in the torrent, from 0, counting padding files.</summary>
    public required int Index { get; init; }

    /// <summary>Safe path in the torrent, joined with '/'; without the torrent's own name.</summary>
    public required string Path { get; init; }

    /// <summary>Its path in the tree below the torrent's published folder, joined with '/': differs from <see cref="Path"/> where it was renamed or published under a better name. Null: not published
    /// there.</summary>
    public string? TreePath { get; init; }

    /// <summary>Size in bytes.</summary>
    public required long Size { get; init; }

    /// <summary>Verified bytes of the file that are present.</summary>
    public long Held { get; init; }

    /// <summary>Fetch priority.</summary>
    public FilePriority Priority { get; init; } = FilePriority.Normal;

    /// <summary>First and last piece that contain bytes of the file.</summary>
    public (int First, int Last) Pieces { get; init; }

    /// <summary>The file in the tree; null: not published.</summary>
    public long? ItemId { get; init; }
}
