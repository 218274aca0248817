using System.Globalization;
using System.Text;
using Dapper;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Browsing;

/// <summary>
/// Browses the tree page by page: sorted listings and search by name. Leaves out hidden items (<see cref="UnwantedItems.IsHidden"/>).
/// Thread-safe.
/// </summary>
public sealed class TreeBrowser
{
    /// <summary>Most words of a search; further ones are ignored.</summary>
    internal const int MostWords = 16;

    private const string Top = JobStore.ContentCollection;

    // The root and its children, and what lies beside /content.
    private const string Elsewhere =
        "id NOT IN (SELECT id FROM items WHERE id = 1 OR parent_id = 1 OR parent_id IN (SELECT id FROM items WHERE parent_id = 1 AND " +
        "name <> '" + Top + "'))";

    private readonly CatalogDatabase _database;
    private readonly UnwantedItems _unwanted;

    /// <param name="database">Where the tree lives.</param>
    /// <param name="unwanted">Knows which items are hidden.</param>
    public TreeBrowser(CatalogDatabase database, UnwantedItems unwanted)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(unwanted);
        _database = database;
        _unwanted = unwanted;
    }

    /// <summary>A page of a collection's children, collections first.</summary>
    /// <param name="parentId">The collection.</param>
    /// <param name="order">The sort key.</param>
    /// <param name="descending">True to reverse the order; collections still come first.</param>
    /// <param name="offset">Items to skip at the beginning.</param>
    /// <param name="limit">Most items to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<TreePage> ListAsync(
        long parentId, TreeOrder order, bool descending, int offset, int limit, CancellationToken cancellationToken)
    {
        (string, bool)[] by = order switch
        {
            TreeOrder.Size => [("kind", false), ("size", descending), ("folded", false), ("id", false)],
            TreeOrder.Modified => [("kind", false), ("modified", descending), ("folded", false), ("id", false)],
            _ => [("kind", false), ("folded", descending), ("id", descending)],
        };
        return PageAsync("parent_id = @parentId" + Shown(_unwanted.Hidden), by, new DynamicParameters(new { parentId }), offset, limit,
            cancellationToken);
    }

    /// <summary>Items of <c>/content</c> whose names contain all words, in any order and case; collections first, then by name.</summary>
    /// <param name="query">Words, separated by spaces, dots or underscores. Without words, nothing is found.</param>
    /// <param name="kind">Only items of this kind; null: both.</param>
    /// <param name="offset">Items to skip at the beginning.</param>
    /// <param name="limit">Most items to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<TreePage> SearchAsync(string query, CatalogItemKind? kind, int offset, int limit, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(query);
        // Long words first: they exclude the most items.
        string[] words = [.. FoldedName.Of(query).Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Distinct(StringComparer.Ordinal).OrderByDescending(word => word.Length)];
        if (words.Length == 0)
            return ValueTask.FromResult(new TreePage([], 0));
        var where = new StringBuilder(kind switch
        {
            CatalogItemKind.File => "kind = 'file'",
            CatalogItemKind.Collection => "kind = 'collection'",
            _ => "kind IN ('collection', 'file')"
        });
        var parameters = new DynamicParameters();
        for (var i = 0; i < Math.Min(words.Length, MostWords); i++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"word{i}");
            where.Append(" AND ").Append(_database.Engine.Dialect.Contains("folded", "@" + name));
            parameters.Add(name, words[i]);
        }

        where.Append(" AND ").Append(Elsewhere);
        var hidden = _unwanted.Hidden;
        if (hidden.Count > 0)
            where.Append($" AND id NOT IN (SELECT id FROM items WHERE id IN ({List(hidden)}) OR post_id IN ({List(hidden)}))");
        return PageAsync(
            where.ToString(), [("kind", false), ("folded", false), ("id", false)], parameters, offset, limit, cancellationToken);
    }

    /// <summary>The path of each existing item, from below the root to the item itself.</summary>
    public async ValueTask<IReadOnlyDictionary<long, IReadOnlyList<PathStep>>> PathsAsync(
        IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(ids);
        var sql =
            $"WITH RECURSIVE line (item, id, parent_id, name, depth) AS (SELECT id, id, parent_id, name, 0 FROM items WHERE " +
            $"{_database.Engine.Dialect.In("id", "@ids")} " +
            "UNION ALL SELECT line.item, items.id, items.parent_id, items.name, line.depth + 1 FROM items JOIN line ON items.id = " +
            "line.parent_id) " +
            "SELECT item, id, name FROM line WHERE parent_id IS NOT NULL ORDER BY item, depth DESC";
        var paths = new Dictionary<long, IReadOnlyList<PathStep>>(ids.Count);
        if (ids.Count == 0)
            return paths;
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(long Item, long Id, string Name)>(sql, new { ids = ids.ToArray() }), cancellationToken);
        foreach (var group in rows.GroupBy(row => row.Item))
            paths.Add(group.Key, [.. group.Select(row => new PathStep(row.Id, row.Name))]);
        return paths;
    }

    /// <summary>How libraries use an item.</summary>
    public ValueTask<ItemLinks> LinksAsync(long id, CancellationToken cancellationToken)
    {
        return _database.ReadAsync(
            async reader =>
            {
                var given = await reader.FirstAsync<long?>(
                    $"SELECT MAX(given) FROM links WHERE item_id {TreeSql.IsWithin}", new { id });
                var holder = await reader.FirstAsync<string>(
                    $"SELECT holder FROM holds WHERE {UnwantedItems.IsHeld} AND item_id {TreeSql.IsWithin} LIMIT 1", new { id });
                var (lost, hidden) = await reader.FirstAsync<(long? Lost, long? Hidden)>(
                    "SELECT MIN(since) AS Lost, MIN(CASE WHEN state = 'hidden' THEN changed END) AS Hidden FROM unwanted WHERE cause = " +
                    $"'library' AND item_id {TreeSql.IsWithin}", new { id });
                return new ItemLinks(Time(given), holder, Time(holder is null ? lost : null), Time(hidden));
            },
            cancellationToken);
    }

    private static DateTimeOffset? Time(long? ticks) => ticks is { } value ? new DateTimeOffset(value, TimeSpan.Zero) : null;

    // Inlined as text: there may be more ids than a statement may have parameters.
    private static string Shown(IReadOnlyCollection<long> hidden) => hidden.Count == 0 ? "" : $" AND id NOT IN ({List(hidden)})";

    private static string List(IReadOnlyCollection<long> ids) =>
        string.Join(',', ids.Select(id => id.ToString(CultureInfo.InvariantCulture)));

    /// <summary>Reads the ids from an index alone, and from the table only the rows of the page.</summary>
    private ValueTask<TreePage> PageAsync(
        string where, (string Column, bool Descending)[] order, DynamicParameters parameters, int offset, int limit,
        CancellationToken cancellationToken) =>
        _database.ReadAsync(
            async reader =>
            {
                // A first page that is not full also gives the total.
                List<long> ids = offset > 0 ? [] : await IdsAsync(new PageSlice(0, limit, IsBackwards: false));
                var total = offset == 0 && ids.Count < limit
                    ? ids.Count : await reader.ScalarAsync<int>($"SELECT COUNT(*) FROM items WHERE {where}", parameters);
                if (offset > 0 && offset < total)
                    ids = await IdsAsync(PageSlice.Of(offset, limit, total));

                if (ids.Count == 0)
                    return new TreePage([], total);
                var rows = (await reader.AllAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE id IN ({List(ids)})"))
                    .ToDictionary(row => row.Id);
                return new TreePage([.. ids.Where(rows.ContainsKey).Select(id => rows[id].ToItem())], total);

                async ValueTask<List<long>> IdsAsync(PageSlice slice)
                {
                    var by = string.Join(
                        ", ", order.Select(one => one.Descending == slice.IsBackwards ? one.Column : one.Column + " DESC"));
                    parameters.AddDynamicParams(new { slice.Skip, slice.Take });
                    return slice.InOrder(await reader.AllAsync<long>(
                        $"SELECT id FROM items WHERE {where} ORDER BY {by} LIMIT @Take OFFSET @Skip", parameters));
                }
            },
            cancellationToken);
}

/// <summary>A page of a list of items.</summary>
/// <param name="Items">In the requested order.</param>
/// <param name="Total">Number of items on all pages.</param>
public sealed record TreePage(IReadOnlyList<CatalogItem> Items, int Total);

/// <summary>Sort key of a collection's children. Collections always come first.</summary>
public enum TreeOrder
{
    /// <summary>By name, ignoring case.</summary>
    Name,

    /// <summary>By bytes.</summary>
    Size,

    /// <summary>By the time of the last change.</summary>
    Modified,
}

/// <summary>One step of a path: an ancestor of an item, or the item itself.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
public readonly record struct PathStep(long Id, string Name);

/// <summary>How libraries use an item; for a collection, all files below it together.</summary>
/// <param name="LinkRead">When a link to it was last read, so that a library may have it; null: never.</param>
/// <param name="Holder">A link to it in a library; null: there is none.</param>
/// <param name="Lost">Since when no library has it any more; null while one does, or if none ever did.</param>
/// <param name="Hidden">Since when it is hidden; null: it is shown.</param>
public sealed record ItemLinks(DateTimeOffset? LinkRead, string? Holder, DateTimeOffset? Lost, DateTimeOffset? Hidden);
