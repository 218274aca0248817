using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>A file to publish.</summary>
public sealed record PublishedFile
{
    /// <summary>Names from the job's collection to the file; the last is the file's. All are safe for clients.</summary>
    public required IReadOnlyList<string> Path { get; init; }

    /// <summary>Bytes.</summary>
    public required long Size { get; init; }

    /// <summary>The file's extent map, from <see cref="ExtentMapStore.PutAsync(StoredExtentMap, CancellationToken)"/>; with
    /// <see cref="Torrent"/> the blob of its .torrent.</summary>
    public required PreparedMap ExtentMap { get; init; }

    /// <summary>Where the bytes are in a torrent; null: they are in articles.</summary>
    public TorrentPart? Torrent { get; init; }

    /// <summary>Where the file lies inside the torrent's archives; null: it is the file that <see cref="Torrent"/> names.</summary>
    public TorrentLayout? Layout { get; init; }

    /// <summary>
    /// How the content of the extent map, or of the layout, is encrypted; null: it is the plain file. <see cref="Size"/> is the decrypted
    /// size.
    /// </summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>Posts that have reconstructed articles of this file; see <see cref="TreeStore.ListPatchedPostsAsync"/>.</summary>
    public IReadOnlyList<string> PatchedPosts { get; init; } = [];

    /// <summary>
    /// The id, in the map, of a missing article of this file that may be reconstructed when the file is opened; null: none is known.
    /// </summary>
    public string? MissingArticle { get; init; }

    /// <summary>The id of the first segment in the map; null: unknown.</summary>
    public string? FirstArticle { get; init; }

    /// <summary>Null: derived from the name.</summary>
    public string? ContentType { get; init; }

    /// <summary>When the file was posted or packed; null: now.</summary>
    public DateTimeOffset? Modified { get; init; }
}
