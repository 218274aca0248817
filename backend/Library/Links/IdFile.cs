using NzbDav.Catalog.Tree;
using NzbDav.Library.Opening;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>A file under its stable path, or under one that it had in another program. A client that opens it knows the path, so a library may link to it; a hidden file is shown again.</summary>
/// <param name="item">The file.</param>
/// <param name="file">Opens it.</param>
/// <param name="given">Remembers that the path is known.</param>
/// <param name="name">The last name of another program's path; null: of the stable one.</param>
internal sealed class IdFile(CatalogItem item, LibraryFile file, GivenLinks given, string? name = null) : IStoreFile
{
    public string Name { get; } = name ?? IdPath.NameOf(item.Id);

    public long? Id => item.Id;

    public DateTimeOffset CreatedAt => file.CreatedAt;

    public DateTimeOffset ModifiedAt => file.ModifiedAt;

    public string ETag => file.ETag;

    public long Length => file.Length;

    public string ContentType => file.ContentType;

    public async ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        await given.OpenedAsync(item.Id, cancellationToken);
        return await file.OpenAsync(cancellationToken);
    }
}

/// <summary>Makes files under their stable paths. Thread-safe.</summary>
/// <param name="opener">Opens them.</param>
/// <param name="given">Records which paths clients have read.</param>
internal sealed class IdFiles(ContentOpener opener, GivenLinks given)
{
    /// <summary>A file under its stable path.</summary>
    /// <param name="item">The file.</param>
    /// <param name="name">See <see cref="IdFile"/>.</param>
    public IdFile Of(CatalogItem item, string? name = null) => new(item, new LibraryFile(item, opener), given, name);
}
