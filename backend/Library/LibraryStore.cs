using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>The tree that clients see: what the catalog holds, and the folders where .nzb files are dropped. Thread-safe.</summary>
public sealed class LibraryStore : IStore
{
    /// <summary>The collection at the top of the tree where .nzb files are dropped.</summary>
    public const string DropFolder = "nzbs";

    private readonly ContentOpener _opener;

    public LibraryStore(TreeStore tree, JobStore jobs, BlobStore blobs, ContentOpener opener, INzbDrop drop, TimeProvider time)
    {
        Tree = tree;
        Jobs = jobs;
        Blobs = blobs;
        Drop = drop;
        Time = time;
        _opener = opener;
    }

    internal TreeStore Tree { get; }

    internal JobStore Jobs { get; }

    internal BlobStore Blobs { get; }

    internal INzbDrop Drop { get; }

    internal TimeProvider Time { get; }

    /// <summary>Makes the collections that are always there.</summary>
    public async Task EnsureRootsAsync(IEnumerable<string> categories, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(categories);
        foreach (var category in categories)
        {
            await Tree.EnsureCollectionAsync([JobStore.ContentCollection, category], cancellationToken);
            await Tree.EnsureCollectionAsync([DropFolder, category], cancellationToken);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Segments is [DropFolder, _, var name])
            return await GetItemAsync(path.Parent, cancellationToken) is DropCollection drop ? await drop.GetChildAsync(name, cancellationToken) : null;
        var item = await Tree.ResolveAsync(path.Segments, cancellationToken);
        return item is null ? null : ItemOf(item, path.Segments is [DropFolder], path.Segments is [DropFolder, _]);
    }

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Segments is [DropFolder, var category] && Drop.IsCategory(category))
            await EnsureRootsAsync([category], cancellationToken);
        return await GetItemAsync(path, cancellationToken);
    }

    internal IStoreItem ItemOf(CatalogItem child, CatalogItem parent) =>
        ItemOf(child, parent.Id == CatalogItem.RootId && child.Name == DropFolder, parent.Name == DropFolder && parent.ParentId == CatalogItem.RootId);

    private IStoreItem ItemOf(CatalogItem item, bool isDropRoot, bool isDropCategory) =>
        !item.IsCollection ? new LibraryFile(item, _opener)
        : isDropRoot ? new DropCollection(item, category: null, this)
        : isDropCategory ? new DropCollection(item, item.Name, this)
        : new LibraryCollection(item, this);
}
