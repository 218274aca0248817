using System.Globalization;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>
/// The tree of collections and files. Lookups are cached; what this process changes is seen at once, what another changes within
/// <see cref="CatalogOptions.ForeignChangeInterval"/>. Names compare byte by byte. Thread-safe.
/// </summary>
public sealed partial class TreeStore
{
    /// <summary>Rows fetched at once while listing: large enough to hide the query, small enough to stay flat.</summary>
    private const int PageSize = 512;

    private readonly CatalogDatabase _database;
    private readonly BlobCollector _collector;
    private readonly PathCache _cache;
    private readonly ChangeWatch _watch;

    /// <param name="database">Where the tree lives.</param>
    /// <param name="collector">Removes the extent maps of deleted files.</param>
    public TreeStore(CatalogDatabase database, BlobCollector collector)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(collector);
        _database = database;
        _collector = collector;
        _cache = new PathCache(database.Options.CachedPaths);
        _watch = new ChangeWatch(database, TreeWriter.Scope, _cache.Clear);
        database.Committed += transaction =>
        {
            Tell(transaction.Parents);
            if (transaction.Tells(NoticeKind.Removed))
                Removed?.Invoke();
        };
        database.Told += notices => Tell([.. notices.Where(static notice => notice.Kind == NoticeKind.Children).Select(static notice => long.Parse(notice.Text, CultureInfo.InvariantCulture))]);
        database.Told += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Removed))
                Removed?.Invoke();
        };
        database.Missed += () =>
        {
            Missed?.Invoke();
            Removed?.Invoke();
        };
    }

    /// <summary>
    /// Raised after something was removed, by whichever store: on the writer's thread by this process, later by another that tells of it,
    /// and when that may have gone unheard. Handlers must return quickly.
    /// </summary>
    public event Action? Removed;

    /// <summary>Raised when changes by other processes may have gone unheard; handlers must return quickly.</summary>
    public event Action? Missed;

    /// <summary>
    /// Raised after the commit with the ids of collections whose children were added, removed or renamed: on the writer's thread by this
    /// process, later by another that tells of it. Handlers must return quickly.
    /// </summary>
    public event Action<IReadOnlyCollection<long>>? ChildrenChanged;

    /// <summary>The item at a path from the root; null if there is none. No segments: the root. A cached path costs no query.</summary>
    public async ValueTask<CatalogItem?> ResolveAsync(IReadOnlyList<string> path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        foreach (var name in path)
        {
            // Such names are never stored; a '/' inside one would also pass for another path in the cache.
            if (!CatalogNames.IsValid(name))
                return null;
        }

        await _watch.CheckAsync(cancellationToken);
        var whole = string.Join('/', path);
        return _cache.Find(whole) ?? await WalkAsync(path, whole, cancellationToken);
    }

    /// <summary>The item with an id; null if there is none. Not cached.</summary>
    public async ValueTask<CatalogItem?> GetAsync(long id, CancellationToken cancellationToken)
    {
        var row = await _database.ReadAsync(
            reader => reader.FirstAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE id = @id", new { id }), cancellationToken);
        return row?.ToItem();
    }

    /// <summary>The item with an id; null if there is none. Cached like paths are.</summary>
    public async ValueTask<CatalogItem?> ResolveAsync(long id, CancellationToken cancellationToken)
    {
        await _watch.CheckAsync(cancellationToken);

        // No path begins with a '/'.
        var key = string.Create(CultureInfo.InvariantCulture, $"/{id}");
        if (_cache.Find(key) is { } known)
            return known;
        var generation = _cache.Generation;
        var item = await GetAsync(id, cancellationToken);
        if (item is not null)
            _cache.Add(key, item, generation);
        return item;
    }

    /// <summary>A child of a collection by its name; null if there is none. Not cached.</summary>
    public async ValueTask<CatalogItem?> FindChildAsync(long parentId, string name, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(name);
        var row = await ChildAsync(parentId, name, cancellationToken);
        return row?.ToItem();
    }

    /// <summary>The path of an item from the root; null if there is no such item.</summary>
    public async ValueTask<IReadOnlyList<string>?> GetPathAsync(long id, CancellationToken cancellationToken)
    {
        const string Sql =
            "WITH RECURSIVE line (id, parent_id, name, depth) AS (SELECT id, parent_id, name, 0 FROM items WHERE id = @id " +
            "UNION ALL SELECT items.id, items.parent_id, items.name, line.depth + 1 FROM items JOIN line ON items.id = line.parent_id) " +
            "SELECT name FROM line ORDER BY depth DESC";
        var names = await _database.ReadAsync(reader => reader.AllAsync<string>(Sql, new { id }), cancellationToken);
        if (names.Count == 0)
            return null;
        names.RemoveAt(0);
        return names;
    }

    /// <summary>Makes a collection if nothing has that name. Null if the parent is gone or is a file.</summary>
    /// <exception cref="ArgumentException">The name cannot be one.</exception>
    public Task<EnsuredCollection?> CreateCollectionAsync(long parentId, string name, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        return _database.WriteAsync(transaction => Writer(transaction).EnsureCollection(parentId, name, jobId: null), cancellationToken);
    }

    /// <summary>The collection at a path, made with all above it as far as they are missing.</summary>
    /// <exception cref="ArgumentException">A name cannot be one.</exception>
    /// <exception cref="InvalidOperationException">A file is in the way.</exception>
    public Task<CatalogItem> EnsureCollectionAsync(IReadOnlyList<string> path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        foreach (var name in path)
            CatalogNames.ThrowIfInvalid(name, nameof(path));
        return EnsureAsync(path, cancellationToken);
    }

    /// <summary>Removes an item with all below it, in one transaction; then the blobs that nothing refers to any more.</summary>
    /// <returns>False if it is not there.</returns>
    /// <exception cref="ArgumentException">The root cannot be removed.</exception>
    public async Task<bool> DeleteAsync(long id, CancellationToken cancellationToken)
    {
        if (id == CatalogItem.RootId)
            throw new ArgumentException("The root cannot be removed.", nameof(id));
        var maps = await _database.WriteAsync(transaction => Writer(transaction).Delete(id), cancellationToken);
        if (maps is null)
            return false;
        await _collector.CollectAsync(maps);
        return true;
    }

    /// <summary>Moves or renames an item with all below it; ids and entity tags stay.</summary>
    /// <returns>How it ended; nothing was changed unless it is <see cref="RelocationOutcome.Done"/>.</returns>
    /// <exception cref="ArgumentException">The name cannot be one, or the root was to be moved.</exception>
    public Task<RelocationOutcome> MoveAsync(long id, long parentId, string name, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        if (id == CatalogItem.RootId)
            throw new ArgumentException("The root cannot be moved.", nameof(id));
        return _database.WriteAsync(transaction => Writer(transaction).Move(id, parentId, name), cancellationToken);
    }

    /// <summary>
    /// Stores a better map of the same file. With an unchanged size the <see cref="CatalogItem.ETag"/> and the time of
    /// modification stay: the bytes are the same, only the map was wrong.
    /// </summary>
    /// <returns>False if there is no such file.</returns>
    /// <exception cref="CatalogException">The new map is not in the blob store.</exception>
    public async Task<bool> UpdateExtentMapAsync(long id, PreparedMap extentMap, long size, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(size);
        var now = _database.Time.GetUtcNow().UtcTicks;
        var map = extentMap.ToString();
        var before = await _database.WriteAsync(
            transaction =>
            {
                var old = transaction.First<string>("SELECT extent_map FROM items WHERE id = @id AND kind = 'file'", new { id });
                if (old is null || old == map)
                    return old;
                if (extentMap.IsBlob)
                    _collector.ThrowIfMissing(transaction, [extentMap.Hash]);
                MapRows.Add(transaction, [extentMap]);
                transaction.Execute(
                    "UPDATE items SET extent_map = @map, modified = CASE WHEN size = @size THEN modified ELSE @now END, size = @size WHERE id = @id",
                    new { id, map, size, now });
                MapRows.RemoveUnreferenced(transaction, [old]);
                transaction.MarkChanged(TreeWriter.Scope);
                return old;
            },
            cancellationToken);
        if (before is not null && extentMap.IsBlob)
            _collector.Referred([extentMap.Hash]);
        if (before is not null && before != map)
            await _collector.CollectAsync([BlobHash.Parse(before)]);
        return before is not null;
    }

    private async Task<CatalogItem> EnsureAsync(IReadOnlyList<string> path, CancellationToken cancellationToken)
    {
        if (await ResolveAsync(path, cancellationToken) is { IsCollection: true } there)
            return there;
        return await _database.WriteAsync(
            transaction =>
            {
                var writer = Writer(transaction);
                CatalogItem? item = null;
                foreach (var name in path)
                {
                    item = writer.EnsureCollection(item?.Id ?? CatalogItem.RootId, name, jobId: null)?.Item;
                    if (item is not { IsCollection: true })
                        throw new InvalidOperationException($"A file is in the way at '{name}' of '/{string.Join('/', path)}'.");
                }

                return item!;
            },
            cancellationToken);
    }

    private async ValueTask<CatalogItem?> WalkAsync(IReadOnlyList<string> path, string whole, CancellationToken cancellationToken)
    {
        var generation = _cache.Generation;
        if (path.Count == 0)
        {
            var root = await GetAsync(CatalogItem.RootId, cancellationToken);
            _cache.Add(whole, root!, generation);
            return root;
        }

        // From the nearest ancestor that is cached downwards, one query for each name.
        var known = path.Count;
        CatalogItem? item = null;
        var length = whole.Length;
        while (item is null && --known > 0)
        {
            length -= path[known].Length + 1;
            item = _cache.Find(whole[..length]);
        }

        if (item is null)
            length = -1;
        for (var i = known; i < path.Count; i++)
        {
            var parentId = item?.Id ?? CatalogItem.RootId;
            var name = path[i];
            var row = await ChildAsync(parentId, name, cancellationToken);
            if (row is null)
                return null;
            item = row.ToItem();
            length += name.Length + 1;
            _cache.Add(whole[..length], item, generation);
        }

        return item;
    }

    private ValueTask<ItemRow?> ChildAsync(long parentId, string name, CancellationToken cancellationToken) => _database.ReadAsync(
        reader => reader.FirstAsync<ItemRow>(
            $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name = @name", new { parentId, name }),
        cancellationToken);

    private void Tell(HashSet<long> parents)
    {
        if (parents.Count > 0)
            ChildrenChanged?.Invoke(parents);
    }

    private TreeWriter Writer(CatalogTransaction transaction) => new(transaction, _database.Ids, _database.Time.GetUtcNow().UtcTicks);
}
