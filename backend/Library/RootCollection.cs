using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library;

/// <summary>The top of the tree: what the catalog has there, and the views beside it.</summary>
internal sealed class RootCollection(CatalogItem item, ILibraryTree store) : IStoreCollection
{
    public string Name => "";

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var child in store.Tree.ListReadableAsync(item.Id, store.TellDamaged, cancellationToken))
            yield return store.ItemOf(child, item);
        foreach (var name in store.Views)
        {
            if (await store.GetItemAsync(StorePath.Root.Child(name), cancellationToken) is { } view)
                yield return view;
        }

        await foreach (var moved in store.Moved.ListBesideAsync(item, cancellationToken))
            yield return moved;
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(StoreWriteResult.Forbidden);
}
