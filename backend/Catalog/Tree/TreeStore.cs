using System.Globalization;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>
/// The tree of collections and files. Lookups are cached; what this process changes is seen at once, what another changes within
/// <see cref="CatalogOptions.ForeignChangeInterval"/>. Names compare byte by byte. Thread-safe.
/// </summary>
public sealed class TreeStore
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
    /// Raised after something was removed, by whichever store: on the writer's thread by this process, later by another that tells of it,
    /// and when that may have gone unheard. Handlers must return quickly.
    /// </summary>
    public event Action? Removed;

    /// <summary>Raised when changes by other processes may have gone unheard; handlers must return quickly.</summary>
    public event Action? NoticesLost;

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
        const string Sql = TreeSql.Line + "SELECT name FROM line ORDER BY depth DESC";
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

    private void RaiseChildrenChanged(HashSet<long> parents)
    {
        if (parents.Count > 0)
            ChildrenChanged?.Invoke(parents);
    }

    private TreeWriter Writer(CatalogTransaction transaction) => new(transaction, _database.Ids, _database.Time.GetUtcNow().UtcTicks);

    /// <summary>
    /// The children of a collection by name, fetched page by page, so that any number costs the same memory. What changes
    /// meanwhile may or may not be seen; nothing is seen twice.
    /// </summary>
    /// <param name="parentId">The collection; one that is gone has no children.</param>
    /// <param name="after">Begin behind this name; null: at the beginning.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogItem> ListAsync(
        long parentId, string? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var row in RowsAsync(parentId, after, cancellationToken))
            yield return row.ToItem();
    }

    /// <summary>
    /// Like <see cref="ListAsync"/>, for showing: a row that makes no sense is one missing item, not the end of the listing.
    /// </summary>
    /// <param name="parentId">The collection.</param>
    /// <param name="damaged">Told of the id of each such row, and what is wrong with it.</param>
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

    // Lists parts of the tree: the latest files, those of a job, the torrents and posts that it needs.

    /// <summary>
    /// One of the files that were published last, of a post and with bytes; null if none of the last 200 items is such a file.
    /// </summary>
    /// <param name="maxSize">Bytes that it has at most.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<CatalogItem?> FindRecentFileAsync(long maxSize, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size BETWEEN 1 AND @maxSize ORDER BY id DESC LIMIT 1";
        var row = await _database.ReadAsync(reader => reader.FirstAsync<ItemRow>(Sql, new { maxSize }), cancellationToken);
        return row?.ToItem();
    }

    /// <summary>The largest files of posts among the last 200 items, largest first.</summary>
    /// <param name="most">How many.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListRecentFilesAsync(int most, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY size DESC LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Files of posts, the one that was published last first.</summary>
    /// <param name="before">Only those with a smaller id; <see cref="long.MaxValue"/> begins.</param>
    /// <param name="most">How many.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListNewestFilesAsync(long before, int most, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM items WHERE id < @before AND kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY id DESC " +
            $"LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { before, most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>The items that a job published directly or below, collections too, by id.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListByJobAsync(long jobId, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE job_id = @jobId ORDER BY id", new { jobId }),
            cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Info-hashes of all torrents that a file of the tree or a job that is not done yet needs.</summary>
    public async ValueTask<IReadOnlyCollection<string>> ListTorrentsAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.AllAsync<string>(
            "SELECT torrent FROM items WHERE torrent IS NOT NULL UNION " +
            "SELECT content_hash FROM jobs WHERE kind <> 'nzb' AND content_hash IS NOT NULL AND state IN ('queued', 'running')"),
        cancellationToken);

    /// <summary>Posts of which the reconstructed articles are needed: by a file, or by the import that goes on or may be tried once more.
    /// Named by the id of the job that made them.</summary>
    public async ValueTask<IReadOnlyCollection<string>> ListPatchedPostsAsync(CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            reader => reader.AllAsync<string>(
                "SELECT post FROM patched_items UNION SELECT CAST(id AS TEXT) FROM jobs WHERE kind = 'nzb' AND state <> 'completed'"),
            cancellationToken);

    /// <summary>
    /// All files of a job, and files of others that read the same articles as one of them, need the reconstructed articles for a post, from
    /// now on and as long as they are there. To be called before the first of these is kept.
    /// </summary>
    /// <param name="jobId">The job.</param>
    /// <param name="post">Names them.</param>
    /// <param name="cancellationToken">Nothing is written.</param>
    public Task NotePatchesAsync(long jobId, string post, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO patched_items (item_id, post) SELECT DISTINCT readers.id, @post FROM items JOIN items AS readers ON " +
            "readers.extent_map = items.extent_map " +
            "WHERE items.job_id = @jobId AND items.kind = 'file' ON CONFLICT DO NOTHING",
            new { jobId, post }),
        cancellationToken);
}

/// <summary>What stands under a name after a collection was asked for.</summary>
/// <param name="Item">What was made or was there before; a file if the name was taken by one.</param>
/// <param name="Created">True if it was made now.</param>
public readonly record struct EnsuredCollection(CatalogItem Item, bool Created);

/// <summary>How the moving of an item ended.</summary>
public enum RelocationOutcome
{
    /// <summary>It is there now.</summary>
    Done,

    /// <summary>The item or its new parent is not there any more.</summary>
    Gone,

    /// <summary>Something else has that name.</summary>
    NameTaken,

    /// <summary>The new parent lies inside the item.</summary>
    IntoItself,
}
