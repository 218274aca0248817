namespace NzbDav.Api.Native.Files;


/// <summary>A file or a collection of the tree.</summary>
internal record FileItemBody
{
    /// <summary>Stays for the item's life, whatever it is called. A decimal string: it exceeds 2^53.</summary>
    public required string Id { get; init; }

    /// <summary>The collection that it is in; null for the top.</summary>
    public required string? ParentId { get; init; }

    /// <summary>Unique in its collection.</summary>
    public required string Name { get; init; }

    /// <summary>From the top of the tree, not encoded: <c>/content/movies/Film/film.mkv</c>.</summary>
    public required string Path { get; init; }

    /// <summary>File or collection.</summary>
    public required FileItemKind Kind { get; init; }

    /// <summary>Bytes; 0 for a collection.</summary>
    public required long Size { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>When its bytes, or its list of children, last changed.</summary>
    public required DateTimeOffset Modified { get; init; }

    /// <summary>Media type; null for a collection.</summary>
    public required string? ContentType { get; init; }

    /// <summary>The job that published it, while that is remembered.</summary>
    public required string? JobId { get; init; }

    /// <summary>Its type is one that is watched or listened to.</summary>
    public required bool Playable { get; init; }
}
