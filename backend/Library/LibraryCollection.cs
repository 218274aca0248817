using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>A folder of the catalog; read-only for clients.</summary>
internal sealed class LibraryCollection(CatalogItem item, LibraryStore store) : IStoreCollection
{
    public string Name => item.Name;

    public DateTimeOffset CreatedAt => Stable(item.Created);

    public DateTimeOffset ModifiedAt => Stable(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var child in store.Tree.ListAsync(item.Id, after: null, cancellationToken))
            yield return store.ItemOf(child, item);
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    /// <summary>The root has no date of its own; clients want none before 1970.</summary>
    internal static DateTimeOffset Stable(DateTimeOffset date) => date < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : date;
}
