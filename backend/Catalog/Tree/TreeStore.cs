using System.Globalization;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>
/// The tree of collections and files. Lookups are cached: changes by this process are seen at once, those by others within
/// <see cref="CatalogOptions.ForeignChangeInterval"/>. Names compare byte by byte. Thread-safe.
/// </summary>
public sealed class TreeStore
{
    /// <summary>Rows per query while listing: enough to hide the query's latency, few enough to bound memory.</summary>
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
            RaiseChildrenChanged(transaction.Parents);
            if (transaction.Notifies(NoticeKind.Removed))
                Removed?.Invoke();
        };
        database.NoticesReceived += notices => RaiseChildrenChanged([.. notices.Where(static notice => notice.Kind == NoticeKind.Children)
            .Select(static notice => long.Parse(notice.Text, CultureInfo.InvariantCulture))]);
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Removed))
                Removed?.Invoke();
        };
        database.NoticesLost += () =>
        {
            NoticesLost?.Invoke();
            Removed?.Invoke();
        };
    }

    /// <summary>
    /// Raised after something was removed, by any store: on the writer's thread for this process, when the notice arrives for others, and
    /// when such a notice may have been missed. Handlers must return quickly.
    /// </summary>
    public event Action? Removed;

    /// <summary>Raised when changes by other processes may have been missed. Handlers must return quickly.</summary>
    public event Action? NoticesLost;

    /// <summary>
    /// Raised after a commit with the ids of collections whose children were added, removed or renamed: on the writer's thread for this
    /// process, when the notice arrives for others. Handlers must return quickly.
    /// </summary>
    public event Action<IReadOnlyCollection<long>>? ChildrenChanged;

    /// <summary>The item at a path from the root; null if there is none. No segments: the root. A cached path costs no query.</summary>
    public async ValueTask<CatalogItem?> ResolveAsync(IReadOnlyList<string> path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        foreach (var name in path)
        {
            // Invalid names are never stored, and one with a '/' would match another path in the cache.
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

    /// <summary>The item with an id; null if there is none. Cached, as paths are.</summary>
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
        const string Sql = TreeSql.Line + "SELECT name FROM line ORDER BY depth DESC";
        var names = await _database.ReadAsync(reader => reader.AllAsync<string>(Sql, new { id }), cancellationToken);
        if (names.Count == 0)
            return null;
        names.RemoveAt(0);
        return names;
    }

    /// <summary>Creates a collection unless something has that name. Null if the parent is gone or is a file.</summary>
    /// <exception cref="ArgumentException">The name is not valid.</exception>
    public Task<EnsuredCollection?> CreateCollectionAsync(long parentId, string name, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        return _database.WriteAsync(transaction => Writer(transaction).EnsureCollection(parentId, name, jobId: null), cancellationToken);
    }

    /// <summary>The collection at a path. Creates it and its ancestors if they are missing.</summary>
    /// <exception cref="ArgumentException">A name is not valid.</exception>
    /// <exception cref="InvalidOperationException">A file is in the way.</exception>
    public Task<CatalogItem> EnsureCollectionAsync(IReadOnlyList<string> path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        foreach (var name in path)
            CatalogNames.ThrowIfInvalid(name, nameof(path));
        return EnsureAsync(path, cancellationToken);
    }

    /// <summary>Removes an item and everything below it in one transaction, then the blobs that are no longer referenced.</summary>
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

    /// <summary>Moves or renames an item with everything below it; ids and entity tags stay.</summary>
    /// <returns>The outcome; nothing was changed unless it is <see cref="RelocationOutcome.Done"/>.</returns>
    /// <exception cref="ArgumentException">The name is not valid, or the item is the root.</exception>
    public Task<RelocationOutcome> MoveAsync(long id, long parentId, string name, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        if (id == CatalogItem.RootId)
            throw new ArgumentException("The root cannot be moved.", nameof(id));
        return _database.WriteAsync(transaction => Writer(transaction).Move(id, parentId, name), cancellationToken);
    }

    /// <summary>
    /// Stores a better map of the same file. If the size is unchanged, the <see cref="CatalogItem.ETag"/> and the modification time stay:
    /// the bytes are the same, only the map was wrong.
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
                const string Resized = "SELECT parent_id FROM items WHERE id = @id AND size <> @size";
                if (transaction.First<long?>(Resized, new { id, size }) is { } parent)
                    transaction.Parents.Add(parent);
                transaction.Execute(
                    "UPDATE items SET extent_map = @map, modified = CASE WHEN size = @size THEN modified ELSE @now END, size = @size " +
                    "WHERE id = @id",
                    new { id, map, size, now });
                MapRows.RemoveUnreferenced(transaction, [old]);
                transaction.MarkChanged(TreeWriter.Scope);
                return old;
            },
            cancellationToken);
        if (before is not null && extentMap.IsBlob)
            _collector.ReleasePins([extentMap.Hash]);
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

        // Walk down from the nearest cached ancestor, one query per name.
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

    private void RaiseChildrenChanged(HashSet<long> parents)
    {
        if (parents.Count > 0)
            ChildrenChanged?.Invoke(parents);
    }

    private TreeWriter Writer(CatalogTransaction transaction) => new(transaction, _database.Ids, _database.Time.GetUtcNow().UtcTicks);

    /// <summary>
    /// The children of a collection by name, fetched page by page, so that memory does not grow with their number. Concurrent changes may
    /// or may not be seen; nothing is listed twice.
    /// </summary>
    /// <param name="parentId">The collection; one that is gone has no children.</param>
    /// <param name="after">Start after this name; null: at the beginning.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogItem> ListAsync(
        long parentId, string? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var row in RowsAsync(parentId, after, cancellationToken))
            yield return row.ToItem();
    }

    /// <summary>Like <see cref="ListAsync"/>, for display: a damaged row is one missing item, not the end of the listing.</summary>
    /// <param name="parentId">The collection.</param>
    /// <param name="damaged">Called with the id of each damaged row, and what is wrong with it.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogItem> ListReadableAsync(
        long parentId, Action<long, string> damaged, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(damaged);
        await foreach (var row in RowsAsync(parentId, after: null, cancellationToken))
        {
            foreach (var item in ItemRow.Readable([row], damaged))
                yield return item;
        }
    }

    private async IAsyncEnumerable<ItemRow> RowsAsync(
        long parentId, string? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name > @last ORDER BY name LIMIT @PageSize";
        var last = after ?? "";
        while (true)
        {
            var parameters = new { parentId, last, PageSize };
            var page = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, parameters), cancellationToken);
            foreach (var row in page)
                yield return row;
            if (page.Count < PageSize)
                yield break;
            last = page[^1].Name;
        }
    }

    // Lists parts of the tree: the latest files, the files of a job, the torrents and posts in use.

    /// <summary>The newest non-empty Usenet file among the last 200 items; null if there is none.</summary>
    /// <param name="maxSize">Most bytes that it may have.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<CatalogItem?> FindRecentFileAsync(long maxSize, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size BETWEEN 1 AND @maxSize ORDER BY id DESC LIMIT 1";
        var row = await _database.ReadAsync(reader => reader.FirstAsync<ItemRow>(Sql, new { maxSize }), cancellationToken);
        return row?.ToItem();
    }

    /// <summary>The largest Usenet files among the last 200 items, largest first.</summary>
    /// <param name="most">Most files to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListRecentFilesAsync(int most, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY size DESC LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Usenet files, newest first.</summary>
    /// <param name="before">Only files with a smaller id; pass <see cref="long.MaxValue"/> for the first page.</param>
    /// <param name="most">Most files to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListNewestFilesAsync(long before, int most, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM items WHERE id < @before AND kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY id DESC " +
            $"LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { before, most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>The items that a job published at any depth, including collections, by id.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListByJobAsync(long jobId, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE job_id = @jobId ORDER BY id", new { jobId }),
            cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Info-hashes of all torrents needed by a file of the tree or by a job that is not done yet.</summary>
    public async ValueTask<IReadOnlyCollection<string>> ListTorrentsAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.AllAsync<string>(
            "SELECT torrent FROM items WHERE torrent IS NOT NULL UNION " +
            "SELECT content_hash FROM jobs WHERE kind <> 'nzb' AND content_hash IS NOT NULL AND state IN ('queued', 'running')"),
        cancellationToken);

    /// <summary>
    /// Posts whose reconstructed articles are still needed: by a file, or by an import that is running or may be retried. Each is named by
    /// the id of its job.
    /// </summary>
    public async ValueTask<IReadOnlyCollection<string>> ListPatchedPostsAsync(CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            reader => reader.AllAsync<string>(
                "SELECT post FROM patched_items UNION SELECT CAST(id AS TEXT) FROM jobs WHERE kind = 'nzb' AND state <> 'completed'"),
            cancellationToken);

    /// <summary>
    /// Records that all files of a job, and other files with the same extent map, need the reconstructed articles of a post for as long as
    /// they exist. Call before the first article is stored.
    /// </summary>
    /// <param name="jobId">The job.</param>
    /// <param name="post">The post's name.</param>
    /// <param name="cancellationToken">Cancels the wait; nothing is written then.</param>
    public Task NotePatchesAsync(long jobId, string post, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO patched_items (item_id, post) SELECT DISTINCT readers.id, @post FROM items JOIN items AS readers ON " +
            "readers.extent_map = items.extent_map " +
            "WHERE items.job_id = @jobId AND items.kind = 'file' ON CONFLICT DO NOTHING",
            new { jobId, post }),
        cancellationToken);
}

/// <summary>The item under a name after a collection was requested there.</summary>
/// <param name="Item">The new or existing item; a file if the name was taken by one.</param>
/// <param name="Created">True if it was created now.</param>
public readonly record struct EnsuredCollection(CatalogItem Item, bool Created);

/// <summary>The outcome of a move.</summary>
public enum RelocationOutcome
{
    /// <summary>The item was moved, or was there already.</summary>
    Done,

    /// <summary>The item or its new parent no longer exists.</summary>
    Gone,

    /// <summary>Another item has that name.</summary>
    NameTaken,

    /// <summary>The new parent lies inside the item.</summary>
    IntoItself,
}
