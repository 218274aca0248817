using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>A file of a torrent of the user's. Padding is left out.</summary>
public sealed record ShelfFile
{
    /// <summary>Its number in the torrent, from 0, padding counted.</summary>
    public required int Index { get; init; }

    /// <summary>Safe path in the torrent, joined with '/'; without the torrent's own name.</summary>
    public required string Path { get; init; }

    /// <summary>Its path in the tree below the folder that its torrent was published as, joined with '/': another than <see cref="Path"/> where it was renamed or published under a better name. Null: not published there.</summary>
    public string? TreePath { get; init; }

    /// <summary>Bytes.</summary>
    public required long Size { get; init; }

    /// <summary>Verified bytes of it that are there.</summary>
    public long Held { get; init; }

    /// <summary>How soon it is fetched.</summary>
    public FilePriority Priority { get; init; } = FilePriority.Normal;

    /// <summary>First and last piece that hold bytes of it.</summary>
    public (int First, int Last) Pieces { get; init; }

    /// <summary>The file in the tree; null: not published.</summary>
    public long? ItemId { get; init; }
}
