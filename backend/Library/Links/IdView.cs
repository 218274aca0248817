using System.Globalization;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.Library.Opening;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary><c>/.ids</c>: every file under its stable path. Thread-safe.</summary>
/// <param name="catalog">Tree, links and aliases.</param>
/// <param name="files">Creates the files.</param>
/// <param name="moved">Paths of other programs, which may lie in these folders too.</param>
internal sealed class IdView(LibraryCatalog catalog, IdFiles files, MovedPaths moved)
{
    public LibraryCatalog Catalog => catalog;

    public IdFiles Files => files;

    public MovedPaths Moved => moved;

    /// <summary>The item at a path; null if there is none.</summary>
    /// <param name="names">From the root of the tree; the first is <see cref="IdPath.Top"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        var level = Math.Min(names.Count - 1, IdPath.Levels);
        if (names.Count > IdPath.Levels + 2 || IdPath.TryPrefix([.. names.Skip(1).Take(level)]) is not { } prefix)
            return null;
        if (names.Count - 1 <= IdPath.Levels)
            return new IdCollection(this, names[^1], level, prefix);
        if (IdPath.TryId(names[^1], prefix) is not { } id)
            return await moved.FindAsync(string.Join('/', names), names[^1], cancellationToken);
        return await catalog.Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item ? files.Of(item) : null;
    }
}

/// <summary>
/// <c>/.ids</c> and its folders. They list only folders that contain files, but any of them can be opened without a query.
/// </summary>
internal sealed class IdCollection(IdView view, string name, int level, int prefix) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"ids-{level}-{prefix:x}\"");

    /// <summary>Path from the root of the tree, without a leading slash, as aliases are stored.</summary>
    private string Path => level == 0
        ? IdPath.Top : IdPath.Top + "/" + string.Join('/', prefix.ToString($"x{level}", CultureInfo.InvariantCulture).AsEnumerable());

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (level == IdPath.Levels)
        {
            foreach (var item in await view.Catalog.Links.ListShardAsync(prefix, cancellationToken))
                yield return view.Files.Of(item);
            await foreach (var moved in view.Moved.ListAsync(Path, cancellationToken))
                yield return moved;
            yield break;
        }

        var names = await view.Catalog.Aliases.ListAsync(Path, cancellationToken);
        var each = LinkStore.Shards >> (4 * (level + 1));
        for (var digit = 0; digit < 16; digit++)
        {
            var below = (prefix * 16) + digit;
            var text = digit.ToString("x", CultureInfo.InvariantCulture);
            if (names.ContainsKey(text)
                || await view.Catalog.Links.AnyInShardsAsync(below * each, ((below + 1) * each) - 1, cancellationToken))
                yield return new IdCollection(view, text, level + 1, below);
        }
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);
}

/// <summary>
/// A file under its stable path, or under the path that it had in another program. A client that opens it knows the path, so a library may
/// link to it: that is recorded, and a hidden file is shown again.
/// </summary>
/// <param name="item">The file.</param>
/// <param name="file">Opens the file.</param>
/// <param name="linkReads">Records that the path is known.</param>
/// <param name="name">Last part of another program's path; null: of the stable path.</param>
internal sealed class IdFile(CatalogItem item, LibraryFile file, LinkReadRecorder linkReads, string? name = null) : IStoreFile
{
    public string Name { get; } = name ?? IdPath.NameOf(item.Id);

    public long? Id => item.Id;

    public DateTimeOffset CreatedAt => file.CreatedAt;

    public DateTimeOffset ModifiedAt => file.ModifiedAt;

    public string ETag => file.ETag;

    public long Length => file.Length;

    public string ContentType => file.ContentType;

    public StoreKeeping Keeping => file.Keeping;

    public async ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        await linkReads.OpenedAsync(item.Id, cancellationToken);
        return await file.OpenAsync(cancellationToken);
    }
}

/// <summary>Creates the files of stable paths. Thread-safe.</summary>
/// <param name="opener">Opens files.</param>
/// <param name="linkReads">Records which paths clients have read.</param>
internal sealed class IdFiles(ContentOpener opener, LinkReadRecorder linkReads)
{
    /// <summary>A file under its stable path.</summary>
    /// <param name="item">The file.</param>
    /// <param name="name">See <see cref="IdFile"/>.</param>
    public IdFile Of(CatalogItem item, string? name = null) => new(item, new LibraryFile(item, opener), linkReads, name);
}
