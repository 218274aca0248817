using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>
/// <c>/completed-symlinks</c> and its folders: the shape of <c>/content</c> with a link for each file. Deleting here takes links out of the
/// list and touches nothing else: that is what the *arrs do after an import.
/// </summary>
internal sealed class LinkCollection(CatalogItem item, string name, int depth, LinkStyle style, LibraryStore store) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => LibraryCollection.Stable(item.Created);

    public DateTimeOffset ModifiedAt => LibraryCollection.Stable(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var child in store.Links.ListAsync(item.Id, cancellationToken))
            yield return store.LinkOf(child, depth + 1, depth == 0 ? store.StyleOf(child.Name) : style);
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        // Categories stay: the *arrs want to see them even when they are empty.
        if (depth < 1)
            return StoreWriteResult.Forbidden;
        if (await store.FindLinkedAsync(item, name, style, cancellationToken) is not { } child)
            return StoreWriteResult.NotFound;
        return await store.Links.DropAsync(child.Id, cancellationToken) ? StoreWriteResult.Deleted : StoreWriteResult.NotFound;
    }
}
