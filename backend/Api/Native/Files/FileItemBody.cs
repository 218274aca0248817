namespace NzbDav.Api.Native.Files;


/// <summary>A file or a collection of the tree.</summary>
internal record FileItemBody
{
    /// <summary>Stays the same as long as the item exists, also when it is renamed. A decimal string, because it exceeds 2^53.</summary>
    public required string Id { get; init; }

    /// <summary>The collection that holds it; null for the root.</summary>
    public required string? ParentId { get; init; }

    /// <summary>Unique in its collection.</summary>
    public required string Name { get; init; }

    /// <summary>Its path from the root of the tree, not encoded: <c>/content/movies/Film/film.mkv</c>.</summary>
    public required string Path { get; init; }

    /// <summary>File or collection.</summary>
    public required FileItemKind Kind { get; init; }

    /// <summary>Size in bytes; 0 for a collection.</summary>
    public required long Size { get; init; }

    /// <summary>When it was created.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>When its bytes, or its list of children, last changed.</summary>
    public required DateTimeOffset Modified { get; init; }

    /// <summary>Media type; null for a collection.</summary>
    public required string? ContentType { get; init; }

    /// <summary>The job that published it; null once that is forgotten.</summary>
    public required string? JobId { get; init; }

    /// <summary>True if its type is video or audio.</summary>
    public required bool Playable { get; init; }
}
