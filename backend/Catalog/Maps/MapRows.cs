using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Maps;

/// <summary>The rows of small extent maps, inside a write transaction.</summary>
internal static class MapRows
{
    /// <summary>Hashes in one statement.</summary>
    private const int BatchSize = 256;

    /// <summary>Stores those that are to be rows. The same map in several files is one row.</summary>
    public static void Add(CatalogTransaction transaction, IEnumerable<PreparedMap> maps) => transaction.ExecuteAll(
        "INSERT INTO maps (hash, content) VALUES (@Hash, @Content) ON CONFLICT (hash) DO NOTHING",
        maps.Where(map => !map.IsBlob).DistinctBy(map => map.Hash).Select(map => new { Hash = map.Hash.ToString(), Content = map.Content.ToArray() }));

    /// <summary>Removes those of the rows that no item refers to any more, nor a swap that can be undone.</summary>
    public static void RemoveUnreferenced(CatalogTransaction transaction, IEnumerable<string> hashes)
    {
        foreach (var batch in hashes.Chunk(BatchSize))
        {
            transaction.Execute(
                $"DELETE FROM maps WHERE {transaction.Dialect.In("hash", "@batch")} AND NOT EXISTS (SELECT 1 FROM items WHERE items.extent_map = maps.hash) " +
                "AND NOT EXISTS (SELECT 1 FROM health_swaps WHERE health_swaps.map = maps.hash)",
                new { batch });
        }
    }
}
