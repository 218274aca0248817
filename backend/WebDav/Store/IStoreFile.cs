namespace NzbDav.WebDav.Store;

/// <summary>A file.</summary>
public interface IStoreFile : IStoreItem
{
    /// <summary>The file's id in the tree, whatever path it is asked by; null for a file that is not published content and whose reads are not tracked.</summary>
    long? Id => null;

    /// <summary>Exact size in bytes: the same number in listings, HEAD and <c>Content-Range</c>.</summary>
    long Length { get; }

    /// <summary>The media type; by extension unless the store knows better.</summary>
    string ContentType => MediaTypes.FromName(Name);

    /// <summary>
    /// Opens the bytes. Called only when bytes are needed: never for HEAD, listings, 304, 412 or 416. Whatever it costs is part of
    /// the time to the first byte. An expected failure is a value.
    /// </summary>
    ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken);
}
