using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library;

/// <summary>
/// A folder of the catalog. Uploads are refused. Below a category, jobs and files can be renamed, moved and deleted, unless a library may
/// have a link to what would be deleted.
/// </summary>
/// <param name="item">The folder.</param>
/// <param name="depth">0 for <c>/content</c>, 1 for a category, 2 for a job, more below; negative where nothing can be changed.</param>
/// <param name="store">The tree.</param>
internal sealed class LibraryCollection(CatalogItem item, int depth, ILibraryTree store) : IStoreCollection
{
    public string Name => item.Name;

    public long? Id => FolderId;

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var child in store.Tree.ListReadableAsync(item.Id, store.ReportDamaged, cancellationToken))
        {
            if (!store.Unwanted.IsHidden(child.Id))
                yield return store.ItemOf(child, item);
        }

        await foreach (var moved in store.Moved.ListExtraAsync(item, cancellationToken))
            yield return moved;
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        if (depth < 1)
            return StoreWriteResult.Forbidden;
        try
        {
            if (await FindShownAsync(name, cancellationToken) is not { } child)
                return StoreWriteResult.NotFound;
            if (await RefusalToDeleteAsync(child, cancellationToken) is { } refusal)
                return refusal;
            return await store.Tree.DeleteAsync(child.Id, cancellationToken) ? StoreWriteResult.Deleted : StoreWriteResult.NotFound;
        }
        catch (CatalogException e)
        {
            return CatalogAnswer.To(e);
        }
    }

    public StoreWriteResult? RefusalOf(IStoreCollection destination, string newName, bool isMove)
    {
        if (!isMove)
            return StoreWriteResult.Forbidden;
        if (depth < 1 || destination is not LibraryCollection target || !target.Accepts(depth))
            return new(StoreWriteStatus.Forbidden,
                "Jobs can be moved from category to category, files and folders inside jobs from job to job, nothing else.");
        return store.IsSafeName(newName) ? null : StoreWriteResult.Invalid("That name would not be safe on every system.");
    }

    public async ValueTask<StoreWriteResult> MoveAsync(
        string name, IStoreCollection destination, string newName, CancellationToken cancellationToken)
    {
        if (RefusalOf(destination, newName, isMove: true) is { } refusal)
            return refusal;
        try
        {
            if (await FindShownAsync(name, cancellationToken) is not { } child)
                return StoreWriteResult.NotFound;
            return await MoveAsync(child, (LibraryCollection)destination, newName, cancellationToken);
        }
        catch (CatalogException e)
        {
            return CatalogAnswer.To(e);
        }
    }

    private async ValueTask<StoreWriteResult> MoveAsync(
        CatalogItem child, LibraryCollection target, string newName, CancellationToken cancellationToken) =>
        await store.Tree.MoveAsync(child.Id, target.FolderId, newName, cancellationToken) switch
        {
            RelocationOutcome.Done => StoreWriteResult.Created,
            RelocationOutcome.Gone => StoreWriteResult.NotFound,
            RelocationOutcome.IntoItself => StoreWriteResult.Conflict("A folder cannot be moved into itself."),
            _ => await ReplaceAsync(child, target, newName, cancellationToken),
        };

    /// <summary>
    /// Replaces an item that already has the new name: it is renamed first and deleted last. If the move fails, it gets its name back.
    /// </summary>
    private async ValueTask<StoreWriteResult> ReplaceAsync(
        CatalogItem child, LibraryCollection target, string newName, CancellationToken cancellationToken)
    {
        if (await target.FindShownAsync(newName, cancellationToken) is not { } former)
            return StoreWriteResult.Conflict(
                "Something that is hidden has that name, because no library has it any more: see GET /api/v1/library.");
        if (await RefusalToDeleteAsync(former, cancellationToken) is { } refusal)
            return refusal;
        if (await store.Tree.MoveAsync(former.Id, target.FolderId, $"{Guid.NewGuid():N}.replaced", cancellationToken) != RelocationOutcome.Done)
            return NameTaken;
        var isThere = false;
        try
        {
            isThere = await store.Tree.MoveAsync(child.Id, target.FolderId, newName, CancellationToken.None) == RelocationOutcome.Done;
        }
        finally
        {
            if (!isThere)
                await store.Tree.MoveAsync(former.Id, target.FolderId, newName, CancellationToken.None);
        }

        if (!isThere)
            return NameTaken;
        await store.Tree.DeleteAsync(former.Id, CancellationToken.None);
        return StoreWriteResult.Replaced;
    }

    private static StoreWriteResult NameTaken => StoreWriteResult.Conflict("Something else took that name meanwhile.");

    private async ValueTask<StoreWriteResult?> RefusalToDeleteAsync(CatalogItem child, CancellationToken cancellationToken)
    {
        if (store.DeletesLinked)
            return null;
        var verdict = await store.FindHolderForDeletionAsync(child.Id, cancellationToken);
        return verdict.IsUnlinked ? null : new(StoreWriteStatus.Forbidden, Refusal(verdict));
    }

    private static string Refusal(HoldVerdict verdict) =>
        (verdict.Holder is { } link
            ? $"A library has a link to it: {link}. Delete that link there, and this goes by itself. "
            : "Its link was read, so a library may have it, and no library that is configured tells (NzbDav__Library__Folders, " +
                "NzbDav__Arrs). ")
        + "To delete it all the same, POST /api/v1/library/delete with its path, or set NzbDav__WebDav__DeleteLinked=true.";

    private async ValueTask<CatalogItem?> FindShownAsync(string name, CancellationToken cancellationToken) =>
        await store.Tree.FindChildAsync(item.Id, name, cancellationToken) is { } child && !store.Unwanted.IsHidden(child.Id) ? child : null;

    private long FolderId => item.Id;

    /// <summary>True if an item may move here: jobs into categories, items inside jobs into jobs and their folders.</summary>
    private bool Accepts(int fromDepth) => fromDepth == 1 ? depth == 1 : depth >= 2;
}

/// <summary>The parts of the tree that the collections of the catalog use. Thread-safe.</summary>
internal interface ILibraryTree : IStore
{
    TreeStore Tree { get; }

    UnwantedItems Unwanted { get; }

    /// <summary>Old paths that still lead somewhere.</summary>
    MovedPaths Moved { get; }

    /// <summary>Top-level collections that are not in the catalog, in the order in which they are listed.</summary>
    IReadOnlyList<string> Views { get; }

    /// <summary>True when files can be deleted although a library has a link to them.</summary>
    bool DeletesLinked { get; }

    /// <inheritdoc cref="Holding.LibraryKeeper.FindHolderForDeletionAsync"/>
    ValueTask<HoldVerdict> FindHolderForDeletionAsync(long itemId, CancellationToken cancellationToken);

    /// <summary>Logs that an item cannot be shown because its row in the catalog is damaged.</summary>
    void ReportDamaged(long id, string reason);

    /// <summary>True for a name that is safe on every system.</summary>
    bool IsSafeName(string name);

    /// <summary>The store item of a listed child.</summary>
    IStoreItem ItemOf(CatalogItem child, CatalogItem parent);
}
