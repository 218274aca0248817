using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>
/// Records which files libraries link to. The same transaction marks in <see cref="UnwantedItems"/> the files that they no longer link to.
/// Times come from the caller's clock. Only one caller at a time may record; everything else is thread-safe.
/// </summary>
/// <param name="database">The catalog.</param>
/// <param name="unwanted">Reloaded when a hidden file is held again.</param>
public sealed class HoldStore(CatalogDatabase database, UnwantedItems unwanted)
{
    /// <summary>Rows per transaction: few enough that nobody waits long for the writer.</summary>
    private const int BatchSize = 1_000;

    /// <summary>When all libraries were read; null: never.</summary>
    public ValueTask<LibraryReadings?> ReadingsAsync(CancellationToken cancellationToken) =>
        database.ReadAsync(ReadingsAsync, cancellationToken);

    /// <summary>Number of files that libraries link to, as last recorded.</summary>
    public ValueTask<int> CountHeldAsync(CancellationToken cancellationToken) => database.ReadAsync(
        reader => reader.ScalarAsync<int>($"SELECT COUNT(*) FROM holds WHERE {UnwantedItems.IsHeld}"), cancellationToken);

    /// <summary>Number of files held by links below a folder, as last recorded.</summary>
    /// <param name="folder">Absolute, without a trailing slash.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<int> CountHeldBelowAsync(string folder, CancellationToken cancellationToken) => database.ReadAsync(

        // '0' is the character after '/'.
        reader => reader.ScalarAsync<int>($"SELECT COUNT(*) FROM holds WHERE {UnwantedItems.IsHeld} AND holder >= @from AND holder < @to",
            new { from = folder + "/", to = folder + "0" }),
        cancellationToken);

    /// <summary>Records files as held, whatever their state was. Skips ids without a file.</summary>
    /// <param name="held">The files, and a link to each.</param>
    /// <param name="at">When they were found.</param>
    /// <param name="cancellationToken">Cancels the operation; batches already written stay.</param>
    public async Task AddAsync(IReadOnlyDictionary<long, string> held, DateTimeOffset at, CancellationToken cancellationToken)
    {
        const string Upsert =
            "INSERT INTO holds (item_id, holder, held) SELECT id, @holder, @now FROM items WHERE id = @id AND kind = 'file' " +
            "ON CONFLICT (item_id) DO UPDATE SET holder = excluded.holder";
        ArgumentNullException.ThrowIfNull(held);
        var known = await RowsAsync(cancellationToken);
        var news = held.Where(pair => !known.TryGetValue(pair.Key, out var row) || row.State is not null || row.Holder != pair.Value)
            .ToList();
        var now = at.UtcTicks;
        foreach (var batch in news.Chunk(BatchSize))
        {
            await database.WriteAsync(
                transaction =>
                {
                    transaction.ExecuteAll(Upsert, batch.Select(pair => (object)new { id = pair.Key, holder = pair.Value, now }));
                    UnwantedItems.MarkHeld(transaction, batch.Select(static pair => pair.Key));
                    if (batch.Any(WasHidden))
                        transaction.Notify(NoticeKind.Hidden);
                    return 0;
                },
                cancellationToken);
        }

        if (news.Exists(WasHidden))
            await unwanted.LoadAsync(cancellationToken);

        bool WasHidden(KeyValuePair<long, string> pair) => known.GetValueOrDefault(pair.Key)?.State == "hidden";
    }

    /// <summary>
    /// The files that a complete reading would mark as lost: held until now by a library that was read, and no longer held by any. Files
    /// held by a library that is no longer configured stay held.
    /// </summary>
    /// <param name="held">All files that a library links to.</param>
    /// <param name="prefixes">Prefixes of the links of the libraries that were read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyCollection<long>> FindMissingAsync(
        IReadOnlyDictionary<long, string> held, IReadOnlyCollection<string> prefixes, CancellationToken cancellationToken) =>
        [.. (await RowsAsync(cancellationToken)).Values
            .Where(row => row.State is null && !held.ContainsKey(row.ItemId)
                && prefixes.Any(prefix => row.Holder.StartsWith(prefix, StringComparison.Ordinal)))
            .Select(row => row.ItemId)];

    /// <summary>Records a complete reading.</summary>
    /// <param name="missing">From <see cref="FindMissingAsync"/>; marked as lost.</param>
    /// <param name="categories">The categories whose *arr was read.</param>
    /// <param name="began">When the reading began.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task RecordAsync(IReadOnlyCollection<long> missing, IReadOnlyCollection<string> categories, DateTimeOffset began,
        CancellationToken cancellationToken)
    {
        var now = began.UtcTicks;
        await database.WriteAsync(
            transaction =>
            {
                UnwantedItems.MarkLost(transaction, missing, began);
                return transaction.Execute(
                    "INSERT INTO readings (id, first, last, categories) VALUES (1, @now, @now, @all) ON CONFLICT (id) DO UPDATE SET last " +
                    "= excluded.last, categories = excluded.categories",
                    new { now, all = string.Join('/', categories) });
            },
            cancellationToken);
    }

    /// <summary>True if a library has or ever had a link to the item or to a file below it.</summary>
    public ValueTask<bool> WasHeldAsync(long itemId, CancellationToken cancellationToken) => database.ReadAsync(
        async reader => (await reader.ScalarAsync<long>(
            $"SELECT COUNT(*) FROM holds WHERE item_id {TreeSql.IsWithin}", new { id = itemId })) > 0, cancellationToken);

    private static async ValueTask<LibraryReadings?> ReadingsAsync(CatalogReader reader)
    {
        var row = await reader.FirstAsync<(long First, long Last, string Categories)>(
            "SELECT first, last, categories FROM readings WHERE id = 1");
        return row.Categories is null
            ? null
            : new LibraryReadings(new DateTimeOffset(row.First, TimeSpan.Zero), new DateTimeOffset(row.Last, TimeSpan.Zero),
                row.Categories.Split('/', StringSplitOptions.RemoveEmptyEntries));
    }

    private ValueTask<Dictionary<long, HoldRow>> RowsAsync(CancellationToken cancellationToken) => database.ReadAsync(
        async reader =>
            (await reader.AllAsync<HoldRow>(
                "SELECT holds.item_id AS ItemId, holder AS Holder, state AS State FROM holds LEFT JOIN unwanted ON unwanted.item_id = " +
                "holds.item_id AND cause = 'library'")).ToDictionary(row => row.ItemId),
        cancellationToken);

    // Queries about the links to an item.

    /// <summary>The library link to an item, as far as is known.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<HoldVerdict> FindHolderAsync(long itemId, CancellationToken cancellationToken) => database.ReadAsync(
        async reader =>
        {
            var holder = await reader.FirstAsync<string>(
                $"SELECT holder FROM holds WHERE {UnwantedItems.IsHeld} AND item_id {TreeSql.IsWithin} LIMIT 1", new { id = itemId });
            if (holder is not null)
                return new HoldVerdict(holder, IsUncertain: false);
            var given = await reader.FirstAsync<long?>(
                $"SELECT MAX(given) FROM links WHERE item_id {TreeSql.IsWithin} AND NOT EXISTS (SELECT 1 FROM holds WHERE " +
                    "holds.item_id = links.item_id)", new { id = itemId });
            if (given is null)
                return default;

            // A missing link proves something only where the reading would have found it.
            var path = await reader.AllAsync<string>(TreeSql.Line + "SELECT name FROM line ORDER BY depth DESC", new { id = itemId });
            var category = path.Count > 2 ? path[2] : null;
            var readings = await ReadingsAsync(reader);
            var covered = readings is not null && given < readings.Last.UtcTicks && category is not null
                && (readings.Categories.Contains(category, StringComparer.OrdinalIgnoreCase) || await AnyInCategoryAsync(reader, category));
            return new HoldVerdict(null, !covered);
        },
        cancellationToken);

    /// <summary>
    /// True if somebody has read the link to an item or to a file below it, or a library has or ever had it. Such a link may have reached a
    /// library since the last reading, so only a later reading can show that the item is free.
    /// </summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<bool> WasLinkedAsync(long itemId, CancellationToken cancellationToken) => database.ReadAsync(
        async reader => await reader.ScalarAsync<long>(
            $"SELECT COUNT(*) FROM (SELECT item_id FROM holds WHERE item_id {TreeSql.IsWithin} UNION ALL " +
            $"SELECT item_id FROM links WHERE given IS NOT NULL AND item_id {TreeSql.IsWithin} LIMIT 1) AS found",
            new { id = itemId }) > 0,
        cancellationToken);

    /// <summary>The files of an item that a library links to, as last recorded, each with that link.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<IReadOnlyDictionary<long, string>> ListHoldersAsync(long itemId, CancellationToken cancellationToken) =>
        database.ReadAsync<IReadOnlyDictionary<long, string>>(
            async reader => (await reader.AllAsync<(long Id, string Holder)>(
                    $"SELECT item_id, holder FROM holds WHERE {UnwantedItems.IsHeld} AND item_id {TreeSql.IsWithin}", new { id = itemId }))
                .ToDictionary(static row => row.Id, static row => row.Holder),
            cancellationToken);

    /// <summary>True if one of these libraries has or ever had a link to a file of the category.</summary>
    /// <param name="category">Its name.</param>
    /// <param name="prefixes">The prefix of each library's links.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<bool> AnyInCategoryAsync(string category, IReadOnlyList<string> prefixes, CancellationToken cancellationToken) =>
        database.ReadAsync(
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

    /// <summary>A file that a library has or had. The state is its <see cref="UnwantedState"/>; null: a library has it.</summary>
    private sealed class HoldRow
    {
        public long ItemId { get; set; }

        public string Holder { get; set; } = "";

        public string? State { get; set; }
    }
}

/// <summary>Whether a library has a link to an item.</summary>
/// <param name="Holder">The link to it or to a file below it; null: none is known.</param>
/// <param name="IsUncertain">Its link was read, and no later reading shows whether a library has it.</param>
public readonly record struct HoldVerdict(string? Holder, bool IsUncertain)
{
    /// <summary>True if no library can have a link to it.</summary>
    public bool IsUnlinked => Holder is null && !IsUncertain;
}

/// <summary>The times when all libraries were read.</summary>
/// <param name="First">The first time that all could be read.</param>
/// <param name="Last">The last time.</param>
/// <param name="Categories">The categories whose *arr was read the last time.</param>
public sealed record LibraryReadings(DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Categories);
