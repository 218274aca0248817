using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Links;

/// <summary>Serves the paths that files had in another program, where the tree itself has no item of that name.</summary>
/// <param name="catalog">Tree and aliases.</param>
/// <param name="files">Creates the files.</param>
/// <param name="views">Names at the top of the tree that are not in the catalog.</param>
internal sealed class MovedPaths(LibraryCatalog catalog, IdFiles files, IReadOnlyCollection<string> views)
{
    /// <summary>The item at such a path: a file, or a folder that contains some; null if there is none.</summary>
    /// <param name="path">From the root, names joined by '/'.</param>
    /// <param name="name">The last name.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(string path, string name, CancellationToken cancellationToken)
    {
        if (await catalog.Aliases.FindAsync(path, cancellationToken) is { } id)
            return await FileAsync(id, name, cancellationToken);
        return (await catalog.Aliases.ListAsync(path, cancellationToken)).Count > 0 ? new MovedCollection(this, path, name) : null;
    }

    /// <summary>All children of a folder of such paths.</summary>
    public async IAsyncEnumerable<IStoreItem> ListAsync(string path, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var (name, id) in await catalog.Aliases.ListAsync(path, cancellationToken))
        {
            if (id is null)
                yield return new MovedCollection(this, path.Length == 0 ? name : $"{path}/{name}", name);
            else if (await FileAsync(id.Value, name, cancellationToken) is { } file)
                yield return file;
        }
    }

    /// <summary>
    /// The children that such paths add to a folder of the catalog. They must be listed: a mount finds only what is listed.
    /// </summary>
    public async IAsyncEnumerable<IStoreItem> ListExtraAsync(
        CatalogItem folder, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (!await catalog.Aliases.AnyAsync(cancellationToken)
            || await catalog.Tree.GetPathAsync(folder.Id, cancellationToken) is not { } path)
            yield break;
        await foreach (var moved in ListAsync(string.Join('/', path), cancellationToken))
        {
            if ((folder.Id != CatalogItem.RootId || !views.Contains(moved.Name))
                && await catalog.Tree.FindChildAsync(folder.Id, moved.Name, cancellationToken) is null)
                yield return moved;
        }
    }

    private async ValueTask<IStoreItem?> FileAsync(long id, string name, CancellationToken cancellationToken) =>
        await catalog.Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item ? files.Of(item, name) : null;
}

/// <summary>A folder that exists only in another program's paths. Read-only.</summary>
internal sealed class MovedCollection(MovedPaths paths, string path, string name) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag { get; } = $"\"moved-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(path)).AsSpan(0, 8))}\"";

    public IAsyncEnumerable<IStoreItem> GetChildrenAsync(CancellationToken cancellationToken) => paths.ListAsync(path, cancellationToken);

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);
}

/// <summary>
/// Addresses in another program's .strm files. Each opens the file that it opened there, as long as that file exists, and no other file.
/// Thread-safe.
/// </summary>
public sealed class MovedLinks(AliasStore aliases) : IOtherLinks
{
    /// <inheritdoc/>
    public async ValueTask<StorePath?> FindAsync(string path, string key, CancellationToken cancellationToken) =>
        await aliases.FindByKeyAsync(path, key, cancellationToken) is { } id ? StorePath.TryParse(IdPath.Of(id)) : null;
}
