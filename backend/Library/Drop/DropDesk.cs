using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>The folders at the top of the tree where jobs are dropped, with their contents. Thread-safe.</summary>
/// <param name="catalog">Tree, jobs and blobs.</param>
/// <param name="drop">Takes what is dropped.</param>
/// <param name="time">Clock.</param>
internal sealed class DropDesk(LibraryCatalog catalog, INzbDrop drop, TimeProvider time)
{
    public TreeStore Tree => catalog.Tree;

    public JobStore Jobs => catalog.Jobs;

    public BlobStore Blobs => catalog.Blobs;

    public INzbDrop Drop => drop;

    public TimeProvider Time => time;

    public PendingUploads Pending { get; } = new(time);

    public TakenUploads Taken { get; } = new(time);

    /// <summary>Creates the folders of categories, both for dropping jobs and for published content.</summary>
    public async Task EnsureRootsAsync(IEnumerable<string> categories, CancellationToken cancellationToken)
    {
        foreach (var category in categories)
        {
            await Tree.EnsureCollectionAsync([JobStore.ContentCollection, category], cancellationToken);
            foreach (var place in DropPlace.All)
                await Tree.EnsureCollectionAsync([place.Folder, category], cancellationToken);
        }
    }

    /// <summary>The item at a path; null if there is none.</summary>
    /// <param name="names">From the root of the tree; the first is a <see cref="DropPlace"/>'s.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        var place = DropPlace.Of(names[0])!;
        switch (names.Count)
        {
            case 1:
                return await Tree.ResolveAsync([names[0]], cancellationToken) is { } top ? Collection(top, place) : null;
            case > 3:
                return null;
        }

        if (await Tree.ResolveAsync([names[0], names[1]], cancellationToken) is { IsCollection: true } category)
        {
            var folder = Collection(category, place, category.Name);
            return names.Count == 2 ? folder : await folder.GetChildAsync(names[2], cancellationToken);
        }

        // Directly in the folder: files that wait for their bytes.
        return names.Count == 2 && await Tree.ResolveAsync([names[0]], cancellationToken) is { } root
            ? await Collection(root, place).GetChildAsync(names[1], cancellationToken)
            : null;
    }

    /// <summary>A folder where jobs are dropped.</summary>
    /// <param name="item">As the catalog holds it.</param>
    /// <param name="place">What it takes.</param>
    /// <param name="category">The category that it is for; null for the one above all categories.</param>
    public DropCollection Collection(CatalogItem item, DropPlace place, string? category = null) => new(item, place, category, this);
}
