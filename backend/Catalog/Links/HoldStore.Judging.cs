using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <content>What is known of links to an item.</content>
public sealed partial class HoldStore
{
    private const string AboveNames = Line + "SELECT id, name FROM line ORDER BY depth DESC";

    /// <summary>Whether a library has a link to an item, as far as is known.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<HoldVerdict> JudgeAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader =>
        {
            var holder = await reader.FirstAsync<string>(
                Subtree + "SELECT holder FROM holds WHERE lost IS NULL AND item_id IN (SELECT id FROM subtree) LIMIT 1", new { id = itemId });
            if (holder is not null)
                return new HoldVerdict(holder, IsUncertain: false);
            var given = await reader.FirstAsync<long?>(
                Subtree + "SELECT MAX(given) FROM links WHERE item_id IN (SELECT id FROM subtree) AND NOT EXISTS (SELECT 1 FROM holds WHERE holds.item_id = links.item_id)", new { id = itemId });
            if (given is null)
                return default;

            // Finding no link is evidence only where a link would have been found.
            var path = await reader.AllAsync<(long Id, string Name)>(AboveNames, new { id = itemId });
            var category = path.Count > 2 ? path[2].Name : null;
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
            Subtree + "SELECT COUNT(*) FROM (SELECT item_id FROM holds WHERE item_id IN (SELECT id FROM subtree) " +
            "UNION ALL SELECT item_id FROM links WHERE given IS NOT NULL AND item_id IN (SELECT id FROM subtree) LIMIT 1) AS found",
            new { id = itemId }) > 0,
        cancellationToken);

    /// <summary>The files of an item that a library has a link to, as of what was recorded last, each with that link.</summary>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<IReadOnlyDictionary<long, string>> ListHoldersAsync(long itemId, CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyDictionary<long, string>>(
            async reader => (await reader.AllAsync<(long Id, string Holder)>(
                    Subtree + "SELECT item_id, holder FROM holds WHERE lost IS NULL AND item_id IN (SELECT id FROM subtree)",
                    new { id = itemId }))
                .ToDictionary(static row => row.Id, static row => row.Holder),
            cancellationToken);

    /// <summary>True if one of these libraries has, or once had, a link to a file of the category.</summary>
    /// <param name="category">Its name.</param>
    /// <param name="prefixes">What the links of each library begin with.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<bool> AnyInCategoryAsync(string category, IReadOnlyList<string> prefixes, CancellationToken cancellationToken) => _database.ReadAsync(
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
        const string Folder = "SELECT category.id FROM items category JOIN items content ON content.id = category.parent_id WHERE content.parent_id = @Root AND content.name = @Content AND category.name = @category";
        var id = await reader.FirstAsync<long?>(Folder, new { Root = CatalogItem.RootId, Content = JobStore.ContentCollection, category });
        return id is not null && (await reader.ScalarAsync<long>(
            Subtree + "SELECT COUNT(*) FROM (SELECT 1 FROM holds WHERE item_id IN (SELECT id FROM subtree) AND substr(holder, 1, length(@prefix)) = @prefix LIMIT 1) AS found", new { id, prefix })) > 0;
    }
}
