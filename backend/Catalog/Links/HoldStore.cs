using System.Collections.Frozen;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>
/// Records which files libraries link to, and which they no longer link to (lost, then hidden, then deleted). Times come from the caller's
/// clock. One caller at a time records, hides and deletes; everything else is thread-safe.
/// </summary>
public sealed class HoldStore
{
    /// <summary>Rows written in one transaction, so that nobody waits long for the writer.</summary>
    private const int BatchSize = 1_000;

    private readonly CatalogDatabase _database;
    private readonly Lock _gate = new();
    private FrozenSet<long> _hidden = [];
    private long _loads;
    private long _loaded;

    public HoldStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Hidden))
                _ = FollowAsync();
            if (notices.Any(static notice => notice.Kind == NoticeKind.Abandoned))
                JobAbandoned?.Invoke();
        };
        database.NoticesLost += () =>
        {
            _ = FollowAsync();
            JobAbandoned?.Invoke();
        };
    }

    /// <summary>
    /// Raised after a job was released: by this process on the thread that did it, later by another that tells of it, and when that may
    /// have gone unheard. Handlers must return quickly.
    /// </summary>
    public event Action? JobAbandoned;

    /// <summary>Raised after what is hidden changed, on the thread that changed or read it; handlers must return quickly.</summary>
    public event Action? HiddenChanged;

    /// <summary>
    /// True if an item, or a job with all its files, is not shown. Costs no query; an item below a hidden job is not itself hidden.
    /// </summary>
    public bool IsHidden(long itemId) => _hidden.Contains(itemId);

    /// <summary>What <see cref="IsHidden"/> is true for, as of now.</summary>
    internal IReadOnlyCollection<long> Hidden => Volatile.Read(ref _hidden);

    /// <summary>True if anything is hidden.</summary>
    public bool AnyHidden => _hidden.Count > 0;

    /// <summary>
    /// Reads what is hidden. For the start; changes made through this store, or told by another process, are known by themselves.
    /// </summary>
    public async Task LoadAsync(CancellationToken cancellationToken)
    {
        var number = Interlocked.Increment(ref _loads);
        var hidden = await _database.ReadAsync(
            async reader =>
            {
                // A post whose files that libraries ever had are all hidden is hidden as a whole.
                const string Sql =
                    "SELECT item_id FROM holds WHERE hidden IS NOT NULL " +
                    "UNION SELECT post_id FROM (SELECT DISTINCT (SELECT post_id FROM items WHERE items.id = holds.item_id) AS post_id " +
                    "FROM holds WHERE hidden IS NOT NULL) AS posts WHERE post_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM items JOIN " +
                    "holds ON holds.item_id = items.id WHERE items.post_id = posts.post_id AND holds.hidden IS NULL) " +
                    "UNION SELECT item_id FROM health_posts WHERE hidden IS NOT NULL";
                return (await reader.AllAsync<long>(Sql)).ToHashSet();
            },
            cancellationToken);
        bool changed;
        lock (_gate)
        {
            // A slower call that began earlier does not replace what is true now.
            if (number < _loaded)
                return;
            _loaded = number;
            changed = !hidden.SetEquals(_hidden);
            Volatile.Write(ref _hidden, hidden.ToFrozenSet());
        }

        if (changed)
            HiddenChanged?.Invoke();
    }

    /// <summary>When all libraries were read; null: never yet.</summary>
    public ValueTask<LibraryReadings?> ReadingsAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync(ReadingsAsync, cancellationToken);

    /// <summary>How many files libraries have links to, as of what was recorded last.</summary>
    public ValueTask<int> CountHeldAsync(CancellationToken cancellationToken) => _database.ReadAsync(
        reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM holds WHERE lost IS NULL"), cancellationToken);

    /// <summary>How many files are held by links below a folder, as of what was recorded last.</summary>
    /// <param name="folder">Absolute, without a slash at its end.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<int> CountHeldBelowAsync(string folder, CancellationToken cancellationToken) => _database.ReadAsync(

        // '0' follows '/'.
        reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM holds WHERE lost IS NULL AND holder >= @from AND holder < @to",
            new { from = folder + "/", to = folder + "0" }),
        cancellationToken);

    /// <summary>The files that libraries have no more, longest ago first.</summary>
    public async ValueTask<IReadOnlyList<HeldFile>> ListLostAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        async reader => (await reader.AllAsync<HoldRow>(
            $"SELECT {HoldRow.Columns}, (SELECT torrent FROM items WHERE items.id = holds.item_id) AS InfoHash "
            + "FROM holds WHERE lost IS NOT NULL ORDER BY lost, item_id"))
            .Select(row => row.ToLost()).ToList(),
        cancellationToken);

    /// <summary>Records files as held, whatever their state was. Ids of which there is no file are left out.</summary>
    /// <param name="held">The files, and a link to each.</param>
    /// <param name="at">When they were found.</param>
    /// <param name="cancellationToken">Cancels the operation; what was remembered stays.</param>
    public async Task AddAsync(IReadOnlyDictionary<long, string> held, DateTimeOffset at, CancellationToken cancellationToken)
    {
        const string Upsert =
            "INSERT INTO holds (item_id, holder, held) SELECT id, @holder, @now FROM items WHERE id = @id AND kind = 'file' " +
            "ON CONFLICT (item_id) DO UPDATE SET holder = excluded.holder, lost = NULL, hidden = NULL, kept = NULL, accepted = NULL";
        ArgumentNullException.ThrowIfNull(held);
        var known = await RowsAsync(cancellationToken);
        var news = held.Where(pair => !known.TryGetValue(pair.Key, out var row) || row.Lost is not null || row.Holder != pair.Value)
            .ToList();
        var now = at.UtcTicks;
        foreach (var batch in news.Chunk(BatchSize))
        {
            await _database.WriteAsync(
                transaction =>
                {
                    transaction.ExecuteAll(Upsert, batch.Select(pair => (object)new { id = pair.Key, holder = pair.Value, now }));
                    if (batch.Any(pair => known.TryGetValue(pair.Key, out var row) && row.Hidden is not null))
                        transaction.Notify(NoticeKind.Hidden);
                    return 0;
                },
                cancellationToken);
        }

        if (news.Exists(pair => known.TryGetValue(pair.Key, out var row) && row.Hidden is not null))
            await LoadAsync(cancellationToken);
    }

    /// <summary>The files that a complete reading would make lost: held until now by a library that was read, and by none any more. What a
    /// library held that is not configured now stays held.</summary>
    /// <param name="held">All files that a library has a link to.</param>
    /// <param name="prefixes">What links of the libraries that were read begin with.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyCollection<long>> FindMissingAsync(
        IReadOnlyDictionary<long, string> held, IReadOnlyCollection<string> prefixes, CancellationToken cancellationToken) =>
        [.. (await RowsAsync(cancellationToken)).Values
            .Where(row => row.Lost is null && !held.ContainsKey(row.ItemId)
                && prefixes.Any(prefix => row.Holder.StartsWith(prefix, StringComparison.Ordinal)))
            .Select(row => row.ItemId)];

    /// <summary>A reading was complete.</summary>
    /// <param name="missing">See <see cref="FindMissingAsync"/>: lost from now on.</param>
    /// <param name="categories">The categories whose *arr was read.</param>
    /// <param name="began">When the reading began.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task RecordAsync(IReadOnlyCollection<long> missing, IReadOnlyCollection<string> categories, DateTimeOffset began,
        CancellationToken cancellationToken)
    {
        var now = began.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "UPDATE holds SET lost = @now WHERE item_id = @id AND lost IS NULL", missing.Select(id => (object)new { id, now }));
                return transaction.Execute(
                    "INSERT INTO readings (id, first, last, categories) VALUES (1, @now, @now, @all) ON CONFLICT (id) DO UPDATE SET last " +
                    "= excluded.last, categories = excluded.categories",
                    new { now, all = string.Join('/', categories) });
            },
            cancellationToken);
    }

    /// <summary>Shows what is lost again and lets it stay until a library has had it once more: the files of an item, a job that was
    /// released, and one that a replacement was found for.</summary>
    /// <returns>False if there was nothing to keep.</returns>
    public async Task<bool> KeepAsync(long itemId, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var parameters = new { id = itemId, now = at.UtcTicks };
        var kept = await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Hidden);
                return transaction.Execute(
                    $"UPDATE holds SET kept = @now, hidden = NULL WHERE lost IS NOT NULL AND item_id {TreeSql.IsWithin}", parameters)
                    + transaction.Execute($"DELETE FROM releases WHERE item_id {TreeSql.IsWithin}", parameters)
                    + transaction.Execute(
                        "UPDATE health_posts SET hidden = NULL, stage = 'None', kept = @now WHERE hidden IS NOT NULL AND item_id = " +
                        "(SELECT post_id FROM items WHERE id = @id)", parameters);
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
        return kept > 0;
    }

    /// <summary>An *arr gave a job up. Nothing is deleted by that alone.</summary>
    /// <param name="itemId">The job's collection.</param>
    /// <param name="jobId">The job; null: the one that published the collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task MarkAbandonedAsync(long itemId, long? jobId, CancellationToken cancellationToken)
    {
        const string Sql =
            "INSERT INTO releases (item_id, job_id, released, download_id) " +
            "SELECT items.id, COALESCE(@jobId, items.job_id), @now, jobs.download_id FROM items LEFT JOIN jobs ON jobs.id = " +
            "COALESCE(@jobId, items.job_id) WHERE items.id = @itemId AND items.kind = 'collection' " +
            "ON CONFLICT (item_id) DO UPDATE SET released = excluded.released";
        var now = _database.Time.GetUtcNow().UtcTicks;
        var released = await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Abandoned);
                return transaction.Execute(Sql, new { itemId, jobId, now });
            },
            cancellationToken);
        if (released > 0)
            JobAbandoned?.Invoke();
    }

    /// <summary>The jobs that were released, in that order.</summary>
    public ValueTask<IReadOnlyList<AbandonedJob>> ListAbandonedAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<AbandonedJob>>(
            async reader => (await reader.AllAsync<(long ItemId, long? JobId, string Name, string Category, long Created,
                string? DownloadId, string? InfoHash)>(
                    "SELECT job.id, releases.job_id, job.name, category.name, job.created, releases.download_id, " +
                    "(SELECT MAX(torrent) FROM items WHERE post_id = job.id) FROM releases " +
                    "JOIN items job ON job.id = releases.item_id " +
                    "JOIN items category ON category.id = job.parent_id ORDER BY releases.released, job.id"))
                .Select(row => new AbandonedJob(row.ItemId, row.JobId, row.Name, row.Category,
                    new DateTimeOffset(row.Created, TimeSpan.Zero))
                { DownloadId = row.DownloadId, InfoHash = row.InfoHash })
                .ToList(),
            cancellationToken);

    /// <summary>Marks a released job as settled: it stays.</summary>
    public Task KeepAbandonedAsync(long itemId, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => transaction.Execute("DELETE FROM releases WHERE item_id = @itemId", new { itemId }), cancellationToken);

    /// <summary>True if a library has, or once had, a link to the item or to a file below it.</summary>
    public ValueTask<bool> WasHeldAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.ScalarAsync<long>(
            $"SELECT COUNT(*) FROM holds WHERE item_id {TreeSql.IsWithin}", new { id = itemId })) > 0, cancellationToken);

    /// <summary>Reads what another process hid or showed again.</summary>
    private async Task FollowAsync()
    {
        try
        {
            await LoadAsync(CancellationToken.None);
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // It is read again when the server is back.
        }
    }

    private static async ValueTask<LibraryReadings?> ReadingsAsync(CatalogReader reader)
    {
        var row = await reader.FirstAsync<(long First, long Last, string Categories)>(
            "SELECT first, last, categories FROM readings WHERE id = 1");
        return row.Categories is null
            ? null
            : new LibraryReadings(new DateTimeOffset(row.First, TimeSpan.Zero), new DateTimeOffset(row.Last, TimeSpan.Zero),
                row.Categories.Split('/', StringSplitOptions.RemoveEmptyEntries));
    }

    private ValueTask<Dictionary<long, HoldRow>> RowsAsync(CancellationToken cancellationToken) => _database.ReadAsync(
        async reader =>
            (await reader.AllAsync<HoldRow>($"SELECT {HoldRow.Columns} FROM holds")).ToDictionary(row => row.ItemId), cancellationToken);

    // What is known of links to an item.

    /// <summary>Whether a library has a link to an item, as far as is known.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<HoldVerdict> FindHolderAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader =>
        {
            var holder = await reader.FirstAsync<string>(
                $"SELECT holder FROM holds WHERE lost IS NULL AND item_id {TreeSql.IsWithin} LIMIT 1", new { id = itemId });
            if (holder is not null)
                return new HoldVerdict(holder, IsUncertain: false);
            var given = await reader.FirstAsync<long?>(
                $"SELECT MAX(given) FROM links WHERE item_id {TreeSql.IsWithin} AND NOT EXISTS (SELECT 1 FROM holds WHERE " +
                    "holds.item_id = links.item_id)", new { id = itemId });
            if (given is null)
                return default;

            // Finding no link is evidence only where a link would have been found.
            var path = await reader.AllAsync<string>(TreeSql.Line + "SELECT name FROM line ORDER BY depth DESC", new { id = itemId });
            var category = path.Count > 2 ? path[2] : null;
            var readings = await ReadingsAsync(reader);
            var covered = readings is not null && given < readings.Last.UtcTicks && category is not null
                && (readings.Categories.Contains(category, StringComparer.OrdinalIgnoreCase) || await AnyInCategoryAsync(reader, category));
            return new HoldVerdict(null, !covered);
        },
        cancellationToken);

    /// <summary>
    /// True if somebody has read the link to an item or to a file below it, or a library has or once had it. Such a link may have come into
    /// a library since the last reading, so only a later one shows that the item is free.
    /// </summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<bool> WasLinkedAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => await reader.ScalarAsync<long>(
            $"SELECT COUNT(*) FROM (SELECT item_id FROM holds WHERE item_id {TreeSql.IsWithin} UNION ALL " +
            $"SELECT item_id FROM links WHERE given IS NOT NULL AND item_id {TreeSql.IsWithin} LIMIT 1) AS found",
            new { id = itemId }) > 0,
        cancellationToken);

    /// <summary>The files of an item that a library has a link to, as of what was recorded last, each with that link.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<IReadOnlyDictionary<long, string>> ListHoldersAsync(long itemId, CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyDictionary<long, string>>(
            async reader => (await reader.AllAsync<(long Id, string Holder)>(
                    $"SELECT item_id, holder FROM holds WHERE lost IS NULL AND item_id {TreeSql.IsWithin}", new { id = itemId }))
                .ToDictionary(static row => row.Id, static row => row.Holder),
            cancellationToken);

    /// <summary>True if one of these libraries has, or once had, a link to a file of the category.</summary>
    /// <param name="category">Its name.</param>
    /// <param name="prefixes">What the links of each library begin with.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<bool> AnyInCategoryAsync(string category, IReadOnlyList<string> prefixes, CancellationToken cancellationToken) =>
        _database.ReadAsync(
            async reader =>
            {
                foreach (var prefix in prefixes)
                {
                    if (await AnyInCategoryAsync(reader, category, prefix))
                        return true;
                }

                return false;
            },
            cancellationToken);

    private static async ValueTask<bool> AnyInCategoryAsync(CatalogReader reader, string category, string prefix = "")
    {
        const string Folder =
            "SELECT category.id FROM items category JOIN items content ON content.id = category.parent_id WHERE content.parent_id = " +
            "@Root AND content.name = @Content AND category.name = @category";
        var id = await reader.FirstAsync<long?>(Folder, new { Root = CatalogItem.RootId, Content = JobStore.ContentCollection, category });
        return id is not null && (await reader.ScalarAsync<long>(
            "SELECT COUNT(*) FROM (SELECT 1 FROM holds JOIN items ON items.id = holds.item_id JOIN items AS post ON post.id = " +
                "items.post_id WHERE post.parent_id = @id AND substr(holder, 1, length(@prefix)) = @prefix LIMIT 1) AS found",
            new { id, prefix })) > 0;
    }

    // What happens to files that are lost.

    /// <summary>A person has confirmed that all that is lost now may go.</summary>
    public async Task AcceptAsync(DateTimeOffset at, CancellationToken cancellationToken) => await _database.WriteAsync(
        transaction =>
            transaction.Execute("UPDATE holds SET accepted = @now WHERE lost IS NOT NULL AND accepted IS NULL", new { now = at.UtcTicks }),
        cancellationToken);

    /// <summary>No library has these files any more, as far as can be read now. Does not count as a reading of all libraries.</summary>
    public async Task MarkLostAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var now = at.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "UPDATE holds SET lost = @now WHERE item_id = @id AND lost IS NULL", itemIds.Select(id => (object)new { id, now }));
                return 0;
            },
            cancellationToken);
    }

    /// <summary>A client uses a file that is hidden: it is shown again, and is lost from now on.</summary>
    public async Task ReturnAsync(long itemId, DateTimeOffset at, CancellationToken cancellationToken)
    {
        await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Hidden);
                return transaction.Execute(
                    "UPDATE holds SET lost = @now, hidden = NULL, accepted = NULL WHERE item_id = @id AND hidden IS NOT NULL",
                    new { id = itemId, now = at.UtcTicks });
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }

    /// <summary>Stops showing files that are lost.</summary>
    public async Task HideAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var now = at.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "UPDATE holds SET hidden = @now WHERE item_id = @id AND lost IS NOT NULL AND kept IS NULL AND hidden IS NULL",
                    itemIds.Select(id => (object)new { id, now }));
                transaction.Notify(NoticeKind.Hidden);
                return 0;
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }
}

/// <summary>Whether a library has a link to an item.</summary>
/// <param name="Holder">The link to it or to a file below it; null: none is known.</param>
/// <param name="IsUncertain">Its link was read, and no later reading shows whether a library has it.</param>
public readonly record struct HoldVerdict(string? Holder, bool IsUncertain)
{
    /// <summary>True when no library can have a link to it.</summary>
    public bool IsUnlinked => Holder is null && !IsUncertain;
}

/// <summary>The times at which all libraries were read.</summary>
/// <param name="First">The first time that all could be read.</param>
/// <param name="Last">The last time.</param>
/// <param name="Categories">The categories whose *arr was read the last time.</param>
public sealed record LibraryReadings(DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Categories);

/// <summary>A job that an *arr gave up: it deleted the history entry with its files, or the folder in <c>/completed-symlinks</c>.</summary>
/// <param name="ItemId">The job's collection.</param>
/// <param name="JobId">The job, which may be forgotten; null: not known.</param>
/// <param name="Name">The collection's name.</param>
/// <param name="Category">The name of the collection that it is in.</param>
/// <param name="Published">When its files were made.</param>
public sealed record AbandonedJob(long ItemId, long? JobId, string Name, string Category, DateTimeOffset Published)
{
    /// <inheritdoc cref="CatalogJob.DownloadId"/>
    public string? DownloadId { get; init; }

    /// <summary>The torrent that its files are in: 40 lower-case hexadecimal digits. Null: it is a post.</summary>
    public string? InfoHash { get; init; }
}
