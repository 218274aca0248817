using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>
/// <c>/completed-symlinks</c> and its folders: the shape of <c>/content</c> with a link for each file. Deleting here takes links out of the
/// list: that is what the *arrs do after an import. A job whose folder was deleted is released: its files go if it turns out that no library has any of them.
/// </summary>
internal sealed class LinkCollection(CatalogItem item, string name, int depth, LinkStyle style, LinkView view) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var names = style == LinkStyle.Address ? await view.AddressNamesAsync(item.Id, cancellationToken) : null;
        await foreach (var child in view.Catalog.Links.ListAsync(item.Id, cancellationToken))
        {
            if (!view.Catalog.Holds.IsHidden(child.Id))
                yield return view.LinkOf(child, names?.Of(child.Name) ?? LinkNames.LinkOf(child.Name), depth + 1, depth == 0 ? view.StyleOf(child.Name) : style);
        }
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        // Categories stay: the *arrs want to see them even when they are empty.
        if (depth < 1)
            return StoreWriteResult.Forbidden;
        if (await view.FindLinkedAsync(item, name, style, cancellationToken) is not { } child)
            return StoreWriteResult.NotFound;
        if (!await view.Catalog.Links.DropAsync(child.Id, cancellationToken))
            return StoreWriteResult.NotFound;
        if (depth == 1)
            await view.Catalog.Holds.ReleaseAsync(child.Id, jobId: null, cancellationToken);
        return StoreWriteResult.Deleted;
    }
}
