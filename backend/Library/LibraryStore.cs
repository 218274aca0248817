using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>
/// The tree that clients see: what the catalog holds, the folders where .nzb and .torrent files are dropped, links for the *arrs, stable paths, and a scratch
/// folder if there is one. Thread-safe.
/// </summary>
public sealed class LibraryStore : IStore
{
    /// <summary>The collection at the top of the tree where .nzb files are dropped.</summary>
    public const string DropFolder = "nzbs";

    /// <summary>The collection at the top of the tree where .torrent and .magnet files are dropped.</summary>
    public const string TorrentFolder = "torrents";

    internal const string LinksName = "completed-symlinks";
    internal const string IdsName = ".ids";
    internal const string ScratchName = "scratch";

    /// <summary>Holds every file by its id. Listed nowhere: links that people are given lead there.</summary>
    private const string PlayName = ".play";

    private readonly ContentOpener _opener;
    private readonly Live<LibraryOptions> _options;
    private readonly GivenLinks _given;
    private readonly ViewLinks? _views;
    private readonly Live<ScratchFolder?> _scratch;

    /// <param name="catalog">Tree, jobs, blobs and links.</param>
    /// <param name="opener">Opens files.</param>
    /// <param name="drop">Takes what is dropped.</param>
    /// <param name="options">What is shown beside the catalog.</param>
    /// <param name="time">Clock.</param>
    /// <param name="scratch">The scratch folder; null: there is none.</param>
    /// <param name="views">Makes the addresses in .strm files; null: there are none.</param>
    public LibraryStore(LibraryCatalog catalog, ContentOpener opener, INzbDrop drop, Live<LibraryOptions> options, TimeProvider time, Live<ScratchFolder?>? scratch = null, ViewLinks? views = null)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        (Tree, Jobs, Blobs, Links, Holds, Aliases) = (catalog.Tree, catalog.Jobs, catalog.Blobs, catalog.Links, catalog.Holds, catalog.Aliases);
        Moved = new MovedPaths(this);
        Drop = drop;
        Time = time;
        Pending = new PendingUploads(time);
        Taken = new TakenUploads(time);
        _opener = opener;
        _options = options;
        _given = new GivenLinks(Links, Holds, time);
        _views = views;
        _scratch = scratch ?? new Live<ScratchFolder?>(null);
    }

    /// <summary>Collections at the top that the catalog does not hold, in the order in which they are listed.</summary>
    internal static IReadOnlyList<string> Views { get; } = [IdsName, LinksName, ScratchName];

    /// <summary>The path from the root of the tree under which a file stays for all its life: what links lead to.</summary>
    public static string StablePath(long itemId) => IdPath.Of(itemId);

    /// <summary>
    /// The path from the root of the tree under which a person's link opens a file whatever it is called by then. Unlike <see cref="StablePath"/> it stays with people: reading it does
    /// not mean that a library has a link to the file.
    /// </summary>
    public static string PlayPath(long itemId) => $"/{PlayName}/{IdPath.NameOf(itemId)}";

    internal TreeStore Tree { get; }

    internal JobStore Jobs { get; }

    internal BlobStore Blobs { get; }

    internal LinkStore Links { get; }

    internal HoldStore Holds { get; }

    internal AliasStore Aliases { get; }

    internal MovedPaths Moved { get; }

    internal bool DeletesLinked => _options.Value.DeletesLinked;

    internal INzbDrop Drop { get; }

    internal TimeProvider Time { get; }

    internal PendingUploads Pending { get; }

    internal TakenUploads Taken { get; }

    /// <summary>Makes the collections that are always there.</summary>
    public async Task EnsureRootsAsync(IEnumerable<string> categories, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(categories);
        foreach (var category in categories)
        {
            await Tree.EnsureCollectionAsync([JobStore.ContentCollection, category], cancellationToken);
            foreach (var place in DropPlace.All)
                await Tree.EnsureCollectionAsync([place.Folder, category], cancellationToken);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        var names = path.Segments;
        switch (names)
        {
            case [DropFolder or TorrentFolder, _, ..]:
                return await GetDroppedAsync(names, cancellationToken);
            case [DropFolder or TorrentFolder] when await Tree.ResolveAsync(names, cancellationToken) is { } drops:
                return new DropCollection(drops, DropPlace.Of(names[0])!, category: null, this);
            case [LinksName, ..]:
                return await GetLinkAsync(names, cancellationToken);
            case [IdsName, ..]:
                return await GetByIdAsync(names, cancellationToken);
            case [PlayName, var id]:
                return IdPath.TryId(id) is { } play ? await FindFileAsync(play, cancellationToken) : null;
            case [ScratchName, ..]:
                return _scratch.Value?.Find(names.AsSpan()[1..]);
        }

        return await ShownAsync(names, cancellationToken) switch
        {
            null => await Moved.FindAsync(string.Join('/', names), names[^1], cancellationToken),
            { Id: CatalogItem.RootId } root => new RootCollection(root, this),
            { IsCollection: true } folder => new LibraryCollection(folder, names[0] == JobStore.ContentCollection ? names.Length - 1 : -1, this),
            var file => new LibraryFile(file, _opener),
        };
    }

    /// <summary>The file with an id; null if there is none, or it is not shown.</summary>
    public async ValueTask<IStoreFile?> FindFileAsync(long id, CancellationToken cancellationToken) =>
        await Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item && !Holds.IsHidden(id) ? new LibraryFile(item, _opener) : null;

    /// <inheritdoc/>
    public async ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Segments is [DropFolder or TorrentFolder, var category] && Drop.IsCategory(category))
            await EnsureRootsAsync([category], cancellationToken);
        return await GetItemAsync(path, cancellationToken);
    }

    /// <inheritdoc/>
    public bool MayHoldJunk(StorePath path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path.Segments is [DropFolder or TorrentFolder or ScratchName, ..];
    }

    internal static StoreWriteResult Failed(CatalogException error) =>
        error.Fault == CatalogFault.DiskFull ? StoreWriteResult.InsufficientStorage : StoreWriteResult.Unavailable(error.Message);

    /// <summary>A child that was listed.</summary>
    internal IStoreItem ItemOf(CatalogItem child, CatalogItem parent)
    {
        if (!child.IsCollection)
            return new LibraryFile(child, _opener);
        if (parent.Id == CatalogItem.RootId && DropPlace.Of(child.Name) is { } place)
            return new DropCollection(child, place, category: null, this);
        return parent.ParentId == CatalogItem.RootId && DropPlace.Of(parent.Name) is { } above
            ? new DropCollection(child, above, child.Name, this)
            : new LibraryCollection(child, depth: -1, this);
    }

    /// <summary>A file under its stable path.</summary>
    /// <param name="item">The file.</param>
    /// <param name="name">See <see cref="IdFile"/>.</param>
    internal IdFile IdFileOf(CatalogItem item, string? name = null) => new(item, new LibraryFile(item, _opener), _given, name);

    /// <summary>An item of <c>/content</c> as <c>/completed-symlinks</c> shows it.</summary>
    /// <param name="item">The item.</param>
    /// <param name="shown">The name of a file there.</param>
    /// <param name="depth">See <see cref="LinkCollection"/>.</param>
    /// <param name="style">Its category's.</param>
    internal IStoreItem LinkOf(CatalogItem item, string shown, int depth, LinkStyle style)
    {
        if (item.IsCollection)
            return new LinkCollection(item, depth == 0 ? LinksName : item.Name, depth, style, this);
        if (style == LinkStyle.Address && LinkNames.IsSideFile(item.Name))
            return new LibraryFile(item, _opener);
        var target = style == LinkStyle.Link
            ? _options.Value.MountPath + IdPath.Of(item.Id)
            : _options.Value.AddressRoot + _views!.PathTo(StorePath.TryParse(IdPath.Of(item.Id))!, item.Name);
        return new LinkFile(item, shown, target, _given);
    }

    /// <summary>What the files of a folder are called as addresses.</summary>
    internal async ValueTask<AddressNames> AddressNamesAsync(long parentId, CancellationToken cancellationToken) =>
        new(await Tree.ListAsync(parentId, after: null, cancellationToken).ToListAsync(cancellationToken));

    /// <summary>How a category's files are shown to the *arrs.</summary>
    internal LinkStyle StyleOf(string category) =>
        _views is not null && _options.Value.AddressCategories.Contains(category, StringComparer.Ordinal) ? LinkStyle.Address : LinkStyle.Link;

    /// <summary>The child of a collection of <c>/content</c> that its link's name stands for; null if there is none.</summary>
    internal async ValueTask<CatalogItem?> FindLinkedAsync(CatalogItem parent, string linkName, LinkStyle style, CancellationToken cancellationToken)
    {
        if (await FileOfAsync(parent, linkName, style, cancellationToken) is { } name && await Tree.FindChildAsync(parent.Id, name, cancellationToken) is { IsCollection: false } file)
            return file;
        return await Tree.FindChildAsync(parent.Id, linkName, cancellationToken) is { IsCollection: true } folder ? folder : null;
    }

    /// <summary>The item at a path, unless it or its job is hidden.</summary>
    private async ValueTask<CatalogItem?> ShownAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        if (await Tree.ResolveAsync(names, cancellationToken) is not { } item || Holds.IsHidden(item.Id))
            return null;
        if (!Holds.AnyHidden || names is not [JobStore.ContentCollection, var category, var job, _, ..])
            return item;
        return await Tree.ResolveAsync([JobStore.ContentCollection, category, job], cancellationToken) is { } above && Holds.IsHidden(above.Id) ? null : item;
    }

    private async ValueTask<IStoreItem?> GetDroppedAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        if (names.Count > 3)
            return null;
        var place = DropPlace.Of(names[0])!;
        if (await Tree.ResolveAsync([names[0], names[1]], cancellationToken) is { IsCollection: true } category)
        {
            var drop = new DropCollection(category, place, category.Name, this);
            return names.Count == 2 ? drop : await drop.GetChildAsync(names[2], cancellationToken);
        }

        // Directly in the folder: what waits for its bytes.
        return names.Count == 2 && await Tree.ResolveAsync([names[0]], cancellationToken) is { } root
            ? await new DropCollection(root, place, category: null, this).GetChildAsync(names[1], cancellationToken)
            : null;
    }

    private async ValueTask<IStoreItem?> GetLinkAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        // The same path below /content; at its end a file's name has the suffix and a folder's has not.
        var path = new List<string> { JobStore.ContentCollection };
        var item = await Tree.ResolveAsync(path, cancellationToken);
        var seen = new List<long>();
        var style = names.Count > 1 ? StyleOf(names[1]) : LinkStyle.Link;
        for (var depth = 1; depth < names.Count && item is not null; depth++)
        {
            var name = names[depth];
            var file = depth == names.Count - 1 ? await FileOfAsync(item, name, style, cancellationToken) : null;
            item = await Tree.ResolveAsync([.. path, file ?? name], cancellationToken);
            if (item is not null && item.IsCollection == file is not null)
            {
                // A folder may be called as if it were a file's link.
                item = await Tree.ResolveAsync([.. path, name], cancellationToken);
                if (item is { IsCollection: false })
                    return null;
            }

            path.Add(item?.Name ?? name);
            seen.Add(item?.Id ?? 0);
        }

        // A folder that was deleted is gone with all below it.
        return item is null || seen.Exists(Holds.IsHidden) || (seen.Count > 1 && await Links.AnyDroppedAsync(seen, cancellationToken)) ? null : LinkOf(item, names[^1], names.Count - 1, style);
    }

    /// <summary>The file of a folder that its link's name stands for; null if it stands for none.</summary>
    private async ValueTask<string?> FileOfAsync(CatalogItem parent, string shown, LinkStyle style, CancellationToken cancellationToken) =>
        style == LinkStyle.Link ? LinkNames.FileOfLink(shown) : (await AddressNamesAsync(parent.Id, cancellationToken)).FileOf(shown);

    private async ValueTask<IStoreItem?> GetByIdAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        var level = Math.Min(names.Count - 1, IdPath.Levels);
        if (names.Count > IdPath.Levels + 2 || IdPath.TryPrefix([.. names.Skip(1).Take(level)]) is not { } prefix)
            return null;
        if (names.Count - 1 <= IdPath.Levels)
            return new IdCollection(this, names[^1], level, prefix);
        if (IdPath.TryId(names[^1], prefix) is not { } id)
            return await Moved.FindAsync(string.Join('/', names), names[^1], cancellationToken);
        return await Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item ? IdFileOf(item) : null;
    }
}
