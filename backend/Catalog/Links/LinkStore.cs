using System.Runtime.CompilerServices;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>
/// The links to files that the *arrs move into their libraries, and the stable paths that those links name. A link that a client has read
/// may stay in a library forever without notice. Thread-safe.
/// </summary>
public sealed class LinkStore
{
    /// <summary>
    /// Number of shards, named by five hexadecimal digits: the low 20 bits of the id, which are part of its counter and the opening of the
    /// catalog.
    /// </summary>
    public const int Shards = 1 << 20;

    private const int PageSize = 512;

    /// <summary>Rows per transaction: few enough that nobody waits long for the writer.</summary>
    private const int MarkBatch = 5_000;

    private readonly CatalogDatabase _database;

    public LinkStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>Records that somebody has read the path of a file. Costs only a query when that is recorded already.</summary>
    public async ValueTask MarkLinkReadAsync(long itemId, CancellationToken cancellationToken)
    {
        if (await AnyLinkReadAsync(itemId, cancellationToken))
            return;
        var now = _database.Time.GetUtcNow().UtcTicks;
        await _database.WriteAsync(
            transaction => transaction.Execute(
                "INSERT INTO links (item_id, given) SELECT id, @now FROM items WHERE id = @itemId ON CONFLICT (item_id) DO UPDATE SET " +
                "given = excluded.given",
                new { itemId, now }),
            cancellationToken);
    }

    /// <summary>Records that somebody has read the paths of many files, in few transactions. Skips ids without a file.</summary>
    public async Task MarkLinksReadAsync(IReadOnlyCollection<long> itemIds, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(itemIds);
        var now = _database.Time.GetUtcNow().UtcTicks;
        foreach (var batch in itemIds.Chunk(MarkBatch))
        {
            // Inlined as text: there may be more ids than a statement may have parameters.
            var sql = $"INSERT INTO links (item_id, given) SELECT id, @now FROM items WHERE id IN ({string.Join(',', batch)}) " +
                "ON CONFLICT (item_id) DO UPDATE SET given = excluded.given WHERE links.given IS NULL";
            await _database.WriteAsync(transaction => transaction.Execute(sql, new { now }), cancellationToken);
        }
    }

    /// <summary>True if somebody has read the path of the file, or of any file below the collection.</summary>
    public async ValueTask<bool> AnyLinkReadAsync(long id, CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.ScalarAsync<long>(
            $"SELECT COUNT(*) FROM (SELECT 1 FROM links WHERE given IS NOT NULL AND item_id {TreeSql.IsWithin} LIMIT 1) AS found",
            new { id }),
        cancellationToken) > 0;

    /// <summary>Removes an item from the list of links, with everything below it.</summary>
    /// <returns>False if it was unlisted already or is gone.</returns>
    public async ValueTask<bool> UnlistAsync(long itemId, CancellationToken cancellationToken)
    {
        const string Sql =
            "INSERT INTO links (item_id, dropped) SELECT id, @now FROM items WHERE id = @itemId " +
            "ON CONFLICT (item_id) DO UPDATE SET dropped = excluded.dropped WHERE links.dropped IS NULL";
        var now = _database.Time.GetUtcNow().UtcTicks;
        return await _database.WriteAsync(
            transaction =>
            {
                if (transaction.Execute(Sql, new { itemId, now }) == 0)
                    return false;
                if (transaction.First<long?>("SELECT parent_id FROM items WHERE id = @itemId", new { itemId }) is { } parent)
                    transaction.Parents.Add(parent);
                return true;
            },
            cancellationToken);
    }

    /// <summary>True if any of the items is unlisted.</summary>
    public async ValueTask<bool> AnyUnlistedAsync(IReadOnlyCollection<long> itemIds, CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            reader =>
                reader.ScalarAsync<long>(
                $"SELECT COUNT(*) FROM links WHERE dropped IS NOT NULL AND {_database.Engine.Dialect.In("item_id", "@itemIds")}",
                new { itemIds = itemIds.ToArray() }),
            cancellationToken) > 0;

    /// <summary>The children of a collection that are listed, by name, page by page.</summary>
    public async IAsyncEnumerable<CatalogItem> ListAsync(long parentId, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name > @last " +
            "AND NOT EXISTS (SELECT 1 FROM links WHERE item_id = items.id AND dropped IS NOT NULL) ORDER BY name LIMIT @PageSize";
        var last = "";
        while (true)
        {
            var parameters = new { parentId, last, PageSize };
            var page = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, parameters), cancellationToken);
            foreach (var item in ItemRow.Readable(page, damaged: null))
                yield return item;
            if (page.Count < PageSize)
                yield break;
            last = page[^1].Name;
        }
    }

    /// <summary>The shard of a file's stable path.</summary>
    public static int ShardOf(long id) => (int)(id % Shards);

    /// <summary>The files of a shard, by id.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListShardAsync(int shard, CancellationToken cancellationToken)
    {
        const string Sql = $"SELECT {ItemRow.Columns} FROM items WHERE id % 1048576 = @shard AND kind = 'file' ORDER BY id";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { shard }), cancellationToken);
        return [.. ItemRow.Readable(rows, damaged: null)];
    }

    /// <summary>True if any of the shards <c>[first, last]</c> has a file.</summary>
    public async ValueTask<bool> AnyInShardsAsync(int first, int last, CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.ScalarAsync<long>(
            "SELECT COUNT(*) FROM (SELECT 1 FROM items WHERE id % 1048576 BETWEEN @first AND @last AND kind = 'file' LIMIT 1) AS found",
            new { first, last }),
        cancellationToken) > 0;
}
