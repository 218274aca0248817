using Dapper;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Health;

/// <content>Files that read from another post of the same release.</content>
public sealed partial class HealthStore
{
    /// <summary>
    /// Files of other posts that may be the same as a given one: they have the same length, and the same post name or file name.
    /// </summary>
    /// <param name="file">A file of the post.</param>
    /// <param name="post">Its post.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> FindTwinsAsync(
        CatalogItem file, HealthPost post, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(post);
        const string Named =
            "SELECT id FROM items WHERE kind = 'file' AND folded = @name AND size = @Size AND id <> @Id AND torrent IS NULL LIMIT 20";
        const string Beside =
            $"SELECT id FROM items WHERE id {TreeSql.IsWithin} AND kind = 'file' AND size = @Size AND torrent IS NULL";
        return await _database.ReadAsync(
            async reader =>
            {
                var found = (await reader.AllAsync<long>(Named, new { name = FoldedName.Of(file.Name), file.Size, file.Id })).ToHashSet();
                foreach (var other in await reader.AllAsync<long>(
                    "SELECT id FROM items WHERE kind = 'collection' AND folded = @name AND id <> @ItemId LIMIT 20",
                    new { name = FoldedName.Of(post.Name), post.ItemId }))
                    found.UnionWith(await reader.AllAsync<long>(Beside, new { id = other, file.Size }));
                found.Remove(file.Id);
                var twins = new List<CatalogItem>();
                foreach (var id in found)
                {
                    var item = (await reader.SingleAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE id = @id", new { id }))
                        .ToItem();
                    if (item.ExtentMap != file.ExtentMap)
                        twins.Add(item);
                }

                return twins;
            },
            cancellationToken);
    }

    /// <summary>Makes a file read the articles of another. Keeps the file's own map, so that it can be restored.</summary>
    /// <returns>False if one of the two is gone or has another length now.</returns>
    public Task<bool> SwapAsync(long fileId, long sourceId, DateTimeOffset at, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            const string Same =
                "SELECT COUNT(*) FROM items one JOIN items other ON other.size = one.size WHERE one.id = @fileId AND other.id = " +
                "@sourceId AND other.extent_map IS NOT NULL AND other.torrent IS NULL";
            var parameters = new { fileId, sourceId, at = at.UtcTicks };
            if (transaction.Scalar<long>(Same, parameters) == 0)
                return false;

            // Keep the first map: a second swap must not overwrite it.
            transaction.Execute(
                "INSERT INTO health_swaps (item_id, map, encryption, source_id, at) SELECT id, extent_map, encryption, @sourceId, @at " +
                "FROM items WHERE id = @fileId " +
                "ON CONFLICT (item_id) DO UPDATE SET source_id = excluded.source_id, at = excluded.at",
                parameters);
            transaction.Execute(
                "UPDATE items SET extent_map = (SELECT extent_map FROM items WHERE id = @sourceId), encryption = (SELECT encryption FROM " +
                "items WHERE id = @sourceId) WHERE id = @fileId", parameters);

            // The other post may be deleted; its reconstructed articles must stay.
            transaction.Execute(
                "INSERT INTO patched_items (item_id, post) SELECT @fileId, post FROM patched_items WHERE item_id = @sourceId ON CONFLICT " +
                "DO NOTHING", parameters);
            transaction.MarkChanged(TreeWriter.Scope);
            return true;
        },
        cancellationToken);

    /// <summary>True if a file of a post reads from another post.</summary>
    public ValueTask<bool> IsSwappedAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.ScalarAsync<long>(
            "SELECT COUNT(*) FROM health_swaps WHERE item_id IN (SELECT id FROM items WHERE post_id = @itemId)", new { itemId })) > 0,
        cancellationToken);

    /// <summary>Restores the maps that the files of a post had before <see cref="SwapAsync"/>.</summary>
    /// <returns>The number of files restored.</returns>
    public async Task<int> SwapBackAsync(long itemId, CancellationToken cancellationToken)
    {
        var freed = await _database.WriteAsync(
            transaction =>
            {
                var swapped = transaction.All<(long Id, string Map, string Now)>(
                    "SELECT items.id, health_swaps.map, items.extent_map FROM health_swaps JOIN items ON items.id = " +
                        "health_swaps.item_id WHERE items.post_id = @itemId",
                    new { itemId });
                foreach (var (id, _, _) in swapped)
                {
                    transaction.Execute(
                        "UPDATE items SET extent_map = (SELECT map FROM health_swaps WHERE item_id = @id), encryption = (SELECT " +
                        "encryption FROM health_swaps WHERE item_id = @id) WHERE id = @id", new { id });
                    transaction.Execute("DELETE FROM health_swaps WHERE item_id = @id", new { id });
                }

                if (swapped.Count > 0)
                    transaction.MarkChanged(TreeWriter.Scope);
                var former = swapped.ConvertAll(row => row.Now);
                MapRows.RemoveUnreferenced(transaction, former);
                return former;
            },
            cancellationToken);
        await _collector.CollectAsync([.. freed.Select(BlobHash.Parse)]);
        return freed.Count;
    }
}
