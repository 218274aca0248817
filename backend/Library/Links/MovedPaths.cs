using System.Runtime.CompilerServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>The paths that files had in another program, as part of the tree: where nothing of this program's own has the name.</summary>
internal sealed class MovedPaths(LibraryStore store)
{
    /// <summary>What such a path leads to: a file, or a folder in which there are some; null if it leads to nothing.</summary>
    /// <param name="path">From the root, names joined by '/'.</param>
    /// <param name="name">The last of them.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async ValueTask<IStoreItem?> FindAsync(string path, string name, CancellationToken cancellationToken)
    {
        if (await store.Aliases.FindAsync(path, cancellationToken) is { } id)
            return await FileAsync(id, name, cancellationToken);
        return (await store.Aliases.ListAsync(path, cancellationToken)).Count > 0 ? new MovedCollection(store, path, name) : null;
    }

    /// <summary>All that such paths have in a folder.</summary>
    public async IAsyncEnumerable<IStoreItem> ListAsync(string path, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var (name, id) in await store.Aliases.ListAsync(path, cancellationToken))
        {
            if (id is null)
                yield return new MovedCollection(store, path.Length == 0 ? name : $"{path}/{name}", name);
            else if (await FileAsync(id.Value, name, cancellationToken) is { } file)
                yield return file;
        }
    }

    /// <summary>What such paths have in a folder of the catalog beside what it has itself: a mount finds only what is listed.</summary>
    public async IAsyncEnumerable<IStoreItem> ListBesideAsync(CatalogItem folder, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (!await store.Aliases.AnyAsync(cancellationToken) || await store.Tree.GetPathAsync(folder.Id, cancellationToken) is not { } path)
            yield break;
        await foreach (var moved in ListAsync(string.Join('/', path), cancellationToken))
        {
            if ((folder.Id != CatalogItem.RootId || !LibraryStore.Views.Contains(moved.Name)) && await store.Tree.FindChildAsync(folder.Id, moved.Name, cancellationToken) is null)
                yield return moved;
        }
    }

    private async ValueTask<IStoreItem?> FileAsync(long id, string name, CancellationToken cancellationToken) =>
        await store.Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item ? store.IdFileOf(item, name) : null;
}
