using System.Globalization;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Tree;

/// <summary>A row of the tree. Immutable.</summary>
public sealed record CatalogItem
{
    /// <summary>The id of the root collection, which always exists.</summary>
    public const long RootId = 1;

    /// <summary>Never reused after the item is gone. Exceeds 2^53: write it as text where JavaScript reads it.</summary>
    public required long Id { get; init; }

    /// <summary>Null for the root only.</summary>
    public required long? ParentId { get; init; }

    /// <summary>Unique among the children of its parent, compared byte by byte. Empty for the root only.</summary>
    public required string Name { get; init; }

    /// <summary>Collection or file.</summary>
    public required CatalogItemKind Kind { get; init; }

    /// <summary>Bytes; 0 for a collection.</summary>
    public required long Size { get; init; }

    /// <summary>When the item was created; never changes.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>For a file: when its bytes last changed. For a collection: when a child was last added or removed.</summary>
    public required DateTimeOffset Modified { get; init; }

    /// <summary>Null: derived from the name.</summary>
    public string? ContentType { get; init; }

    /// <summary>The extent map, or the .torrent for a file that has a <see cref="Torrent"/>; null for a collection.</summary>
    public BlobHash? ExtentMap { get; init; }

    /// <summary>How the content of the extent map is encrypted; null: it is the plain file.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>Where the bytes are in a torrent; null: the extent map says where they are in articles.</summary>
    public TorrentPart? Torrent { get; init; }

    /// <summary>The job that published the item, while that job is on record.</summary>
    public long? JobId { get; init; }

    /// <summary>True for a collection.</summary>
    public bool IsCollection => Kind == CatalogItemKind.Collection;

    /// <summary>
    /// A strong entity tag, with its quotes. Survives a restart, and a better extent map of the same size, because the bytes are the same;
    /// different for every other file or size.
    /// </summary>
    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"{Id:x}-{Size:x}-{Created.UtcTicks:x}\"");
}

/// <summary>What an item of the tree is.</summary>
public enum CatalogItemKind
{
    /// <summary>Holds other items.</summary>
    Collection,

    /// <summary>Has bytes.</summary>
    File,
}

/// <summary>The file of a torrent that holds a catalog file's bytes.</summary>
/// <param name="InfoHash">40 lower-case hexadecimal digits.</param>
/// <param name="File">Its index in the torrent, from 0, counting padding files; for a file inside an archive, the index of the first
/// volume.</param>
public sealed record TorrentPart(string InfoHash, int File);
