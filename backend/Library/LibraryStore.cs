using System.Collections.Immutable;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Drop;
using NzbDav.Library.Gateways;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Library.Links;
using NzbDav.Library.Opening;
using NzbDav.Library.Scratch;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library;

/// <summary>
/// The tree that clients see: what the catalog holds, the folders where .nzb and .torrent files are dropped, links for the *arrs, stable
/// paths, and a scratch folder if there is one. Thread-safe.
/// </summary>
public sealed partial class LibraryStore : ILibraryTree, IStoreChanges
{
    /// <summary>Holds every file by its id. Never listed; links that people share lead there.</summary>
    private const string PlayName = ".play";

    private readonly LibraryCatalog _catalog;
    private readonly ILogger<LibraryStore> _logger;
    private readonly LibraryKeeper? _keeper;
    private readonly TimeProvider _time;
    private readonly ContentOpener _opener;
    private readonly Live<LibraryOptions> _options;
    private readonly INzbDrop _drop;
    private readonly DropDesk _drops;
    private readonly IdView _ids;
    private readonly LinkView _links;
    private readonly MovedPaths _moved;
    private readonly Live<ScratchFolder?> _scratch;

    /// <param name="catalog">Tree, jobs, blobs and links.</param>
    /// <param name="opener">Opens files.</param>
    /// <param name="drop">Accepts dropped files.</param>
    /// <param name="options">What is shown beside the catalog.</param>
    /// <param name="time">Clock.</param>
    /// <param name="scratch">The scratch folder; null: there is none.</param>
    /// <param name="views">Signs the addresses in .strm files; null: there are none.</param>
    /// <param name="logger">Logs items that cannot be shown; null: they are not logged.</param>
    /// <param name="keeper">Scans the libraries again when a link prevents a deletion; null: the last scan counts.</param>
    public LibraryStore(LibraryCatalog catalog, ContentOpener opener, INzbDrop drop, Live<LibraryOptions> options, TimeProvider time,
        Live<ScratchFolder?>? scratch = null, ViewLinks? views = null, ILogger<LibraryStore>? logger = null, LibraryKeeper? keeper = null)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        (_catalog, _time, _keeper) = (catalog, time, keeper);
        _logger = logger ?? NullLogger<LibraryStore>.Instance;
        _opener = opener;
        _options = options;
        _drop = drop;
        _drops = new DropDesk(catalog, drop, time);
        var given = new LinkReadRecorder(catalog.Links, catalog.Unwanted, time);
        var files = new IdFiles(opener, given);
        _moved = new MovedPaths(catalog, files, Views);
        _ids = new IdView(catalog, files, _moved);
        _links = new LinkView(catalog, opener, options, given, views);
        _scratch = scratch ?? new Live<ScratchFolder?>(null);
        catalog.Tree.ChildrenChanged += folders => ChildrenChanged?.Invoke(folders);
        catalog.Tree.NoticesLost += () => ChildrenChanged?.Invoke(null);
        catalog.Unwanted.HiddenChanged += () => ChildrenChanged?.Invoke(null);
        options.Changed += () => ChildrenChanged?.Invoke(null);
    }

    /// <inheritdoc/>
    public event Action<IReadOnlyCollection<long>?>? ChildrenChanged;

    /// <summary>Top-level folders that nzbdav has at the root of its address: programs written for it look for them there.</summary>
    public static IReadOnlyList<string> NamesOfNzbdav { get; } =
        [JobStore.ContentCollection, DropPlace.NzbFolder, LinkView.Top, IdPath.Top];

    private static IReadOnlyList<string> Views { get; } = [IdPath.Top, LinkView.Top, ScratchFolder.Top];

    /// <summary>The path from the root of the tree that a file keeps for life. Links of libraries lead to it.</summary>
    public static string StablePath(long itemId) => IdPath.Of(itemId);

    /// <summary>
    /// The path from the root of the tree under which a shared link opens a file, however it is renamed or moved. Unlike
    /// <see cref="StablePath"/> it is for people: reading it does not mean that a library has a link to the file.
    /// </summary>
    public static string PlayPath(long itemId) => $"/{PlayName}/{IdPath.NameOf(itemId)}";

    TreeStore ILibraryTree.Tree => _catalog.Tree;

    UnwantedItems ILibraryTree.Unwanted => _catalog.Unwanted;

    MovedPaths ILibraryTree.Moved => _moved;

    IReadOnlyList<string> ILibraryTree.Views => Views;

    bool ILibraryTree.DeletesLinked => _options.Value.DeletesLinked;

    /// <summary>Creates the collections that always exist.</summary>
    public Task EnsureRootsAsync(IEnumerable<string> categories, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(categories);
        return _drops.EnsureRootsAsync(categories, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (await FindAsync(path.Segments, cancellationToken) is { } item)
            return item;
        return await InCaseAsync(path.Segments, cancellationToken) is { } names ? await FindAsync(names, cancellationToken) : null;
    }

    private async ValueTask<IStoreItem?> FindAsync(ImmutableArray<string> names, CancellationToken cancellationToken)
    {
        switch (names)
        {
            case [DropPlace.NzbFolder or DropPlace.TorrentFolder, ..]:
                return await _drops.FindAsync(names, cancellationToken);
            case [LinkView.Top, ..]:
                return await _links.FindAsync(names, cancellationToken);
            case [IdPath.Top, ..]:
                return await _ids.FindAsync(names, cancellationToken);
            case [PlayName, var id]:
                return IdPath.TryId(id) is { } play ? await FindFileAsync(play, cancellationToken) : null;
            case [OwnPath.Top, var id]:
                return OwnPath.TryId(id) is { } own ? await FindFileAsync(own, isOwn: true, cancellationToken) : null;
            case [ScratchFolder.Top, ..]:
                return _scratch.Value is { } scratch ? ScratchTree.Find(scratch, names.AsSpan()[1..]) : null;
        }

        return await ShownAsync(names, cancellationToken) switch
        {
            null => await _moved.FindAsync(string.Join('/', names), names[^1], cancellationToken),
            { Id: CatalogItem.RootId } root => new RootCollection(root, this),
            { IsCollection: true } folder =>
                new LibraryCollection(folder, names[0] == JobStore.ContentCollection ? names.Length - 1 : -1, this),
            var file => new LibraryFile(file, _opener),
        };
    }

    /// <summary>The file with an id; null if there is none or it is hidden.</summary>
    public ValueTask<IStoreFile?> FindFileAsync(long id, CancellationToken cancellationToken) =>
        FindFileAsync(id, isOwn: false, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Segments is [DropPlace.NzbFolder or DropPlace.TorrentFolder, var category] && _drop.IsCategory(category)
            && await InCaseAsync(path.Segments, cancellationToken) is null)
            await EnsureRootsAsync([category], cancellationToken);
        return await GetItemAsync(path, cancellationToken);
    }

    /// <inheritdoc/>
    public bool MayHoldJunk(StorePath path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path.Segments is [DropPlace.NzbFolder or DropPlace.TorrentFolder or ScratchFolder.Top, ..];
    }

    /// <inheritdoc/>
    public bool MayListDeep(StorePath path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path.Segments is [JobStore.ContentCollection or LinkView.Top, _, _, ..];
    }

    /// <inheritdoc/>
    void ILibraryTree.ReportDamaged(long id, string reason) => LogDamaged(_logger, id, reason);

    /// <inheritdoc/>
    ValueTask<HoldVerdict> ILibraryTree.FindHolderForDeletionAsync(long itemId, CancellationToken cancellationToken) =>
        LibraryKeeper.FindHolderForDeletionAsync(_keeper, _catalog.Holds, itemId, _time.GetUtcNow(), cancellationToken);

    /// <inheritdoc/>
    bool ILibraryTree.IsSafeName(string name) => _drop.IsCategory(name);

    /// <inheritdoc/>
    IStoreItem ILibraryTree.ItemOf(CatalogItem child, CatalogItem parent)
    {
        if (!child.IsCollection)
            return new LibraryFile(child, _opener);
        return parent.Id == CatalogItem.RootId && DropPlace.Of(child.Name) is { } place
            ? _drops.Collection(child, place) : new LibraryCollection(child, depth: -1, this);
    }

    /// <summary>
    /// The path with its category spelled as the folder is, for programs that ask for <c>Movies</c> where there is <c>movies</c>. Null if
    /// it is already spelled like that, or if no category matches.
    /// </summary>
    private async ValueTask<ImmutableArray<string>?> InCaseAsync(ImmutableArray<string> names, CancellationToken cancellationToken)
    {
        if (names is not [JobStore.ContentCollection or DropPlace.NzbFolder or DropPlace.TorrentFolder or LinkView.Top, var asked, ..]
            || await _catalog.Tree.ResolveAsync([JobStore.ContentCollection], cancellationToken) is not { } content)
            return null;
        string? found = null;
        await foreach (var category in _catalog.Tree.ListAsync(content.Id, after: null, cancellationToken))
        {
            if (category.Name == asked)
                return null;
            if (category.IsCollection && category.Name.Equals(asked, StringComparison.OrdinalIgnoreCase))
                found ??= category.Name;
        }

        return found is null ? null : names.SetItem(1, found);
    }

    private async ValueTask<IStoreFile?> FindFileAsync(long id, bool isOwn, CancellationToken cancellationToken) =>
        await _catalog.Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item && !_catalog.Unwanted.IsHidden(id)
            ? new LibraryFile(item, _opener, isOwn) : null;

    /// <summary>The item at a path, unless it or its job is hidden.</summary>
    private async ValueTask<CatalogItem?> ShownAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        if (await _catalog.Tree.ResolveAsync(names, cancellationToken) is not { } item || _catalog.Unwanted.IsHidden(item.Id))
            return null;
        if (!_catalog.Unwanted.AnyHidden || names is not [JobStore.ContentCollection, var category, var job, _, ..])
            return item;
        return await _catalog.Tree.ResolveAsync([JobStore.ContentCollection, category, job], cancellationToken) is { } above
            && _catalog.Unwanted.IsHidden(above.Id) ? null : item;
    }

    [LoggerMessage(313, LogLevel.Error, "Item {Id} is not shown. {Reason}")]
    private static partial void LogDamaged(ILogger logger, long id, string reason);
}

/// <summary>The root of the tree: the catalog's top-level items, and the views beside them.</summary>
internal sealed class RootCollection(CatalogItem item, ILibraryTree store) : IStoreCollection
{
    public string Name => "";

    public long? Id => item.Id;

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var child in store.Tree.ListReadableAsync(item.Id, store.ReportDamaged, cancellationToken))
            yield return store.ItemOf(child, item);
        foreach (var name in store.Views)
        {
            if (await store.GetItemAsync(StorePath.Root.Child(name), cancellationToken) is { } view)
                yield return view;
        }

        await foreach (var moved in store.Moved.ListExtraAsync(item, cancellationToken))
            yield return moved;
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);
}
