using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>Stores extent maps: small ones as rows of the database, others as blobs. Thread-safe.</summary>
public sealed class ExtentMapStore
{
    /// <summary>Size limit of a map stored as a row, in bytes before compression: about 1,500 segments, a post of 1 GB.</summary>
    internal const int LargestRow = 64 << 10;

    private readonly CatalogDatabase _database;
    private readonly BlobStore _blobs;

    public ExtentMapStore(CatalogDatabase database, BlobStore blobs)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(blobs);
        _database = database;
        _blobs = blobs;
    }

    /// <summary>
    /// Prepares a map to be referenced. A small one is only packed: the referring transaction stores it. A larger one is a durable blob
    /// when the task completes. Concurrent calls finish sooner than sequential ones, because the disk makes them durable together.
    /// </summary>
    /// <param name="map">Segments that no extent uses are not stored.</param>
    /// <param name="sizesVerified">See <see cref="StoredExtentMap.SizesVerified"/>.</param>
    /// <param name="cancellationToken">Cancels the operation and removes what was written.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<PreparedMap> PutAsync(ExtentMap map, bool sizesVerified, CancellationToken cancellationToken) =>
        PutAsync(new StoredExtentMap(map, sizesVerified), cancellationToken);

    /// <inheritdoc cref="PutAsync(ExtentMap, bool, CancellationToken)"/>
    /// <param name="stored">The map and what is known about its accuracy.</param>
    /// <param name="cancellationToken">Cancels the operation and removes what was written.</param>
    public async Task<PreparedMap> PutAsync(StoredExtentMap stored, CancellationToken cancellationToken)
    {
        var bytes = ExtentMapCodec.Encode(stored);
        if (bytes.Length <= LargestRow)
            return new PreparedMap(BlobHash.Of(SHA256.HashData(bytes.Span)), MapPacking.Pack(bytes.Span));
        var blob = await _blobs.PutAsync(bytes, cancellationToken);
        return blob.Hash;
    }

    /// <summary>Reads a referenced map and verifies it against its hash.</summary>
    /// <exception cref="CatalogException">The map is missing or damaged.</exception>
    public async Task<StoredExtentMap> ReadAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        var row = await _database.ReadAsync(
            reader => reader.ScalarAsync<byte[]>("SELECT content FROM maps WHERE hash = @hash", new { hash = hash.ToString() }),
            cancellationToken);
        var bytes = row is null ? await _blobs.ReadAsync(hash, cancellationToken) : MapPacking.Unpack(hash, row);
        try
        {
            return ExtentMapCodec.Decode(bytes.Span);
        }
        catch (InvalidDataException error)
        {
            throw BlobReadStream.Damaged(hash, error.Message, error);
        }
    }
}

/// <summary>
/// An extent map ready to be referenced: the referring transaction stores a small one; any other is already in the blob store.
/// </summary>
/// <param name="Hash">Its address.</param>
/// <param name="Content">The content of its row; empty: it is a blob.</param>
public readonly record struct PreparedMap(BlobHash Hash, ReadOnlyMemory<byte> Content)
{
    /// <summary>True if a blob of this address must exist before the map is referenced.</summary>
    public bool IsBlob => Content.IsEmpty;

    /// <summary>A map in the blob store.</summary>
    public static implicit operator PreparedMap(BlobHash blob) => new(blob, default);

    /// <inheritdoc/>
    public override string ToString() => Hash.ToString();
}

/// <summary>The rows of small extent maps, inside a write transaction.</summary>
internal static class MapRows
{
    /// <summary>Hashes per statement.</summary>
    private const int BatchSize = 256;

    /// <summary>Inserts the small maps. Several files with the same map share one row.</summary>
    public static void Add(CatalogTransaction transaction, IEnumerable<PreparedMap> maps) => transaction.ExecuteAll(
        "INSERT INTO maps (hash, content) VALUES (@Hash, @Content) ON CONFLICT (hash) DO NOTHING",
        maps.Where(map => !map.IsBlob).DistinctBy(map => map.Hash)
            .Select(map => new { Hash = map.Hash.ToString(), Content = map.Content.ToArray() }));

    /// <summary>Removes those of the rows that are referenced neither by an item nor by a swap that can be undone.</summary>
    public static void RemoveUnreferenced(CatalogTransaction transaction, IEnumerable<string> hashes)
    {
        foreach (var batch in hashes.Chunk(BatchSize))
        {
            transaction.Execute(
                $"DELETE FROM maps WHERE {transaction.Dialect.In("hash", "@batch")} AND NOT EXISTS (SELECT 1 FROM items WHERE " +
                $"items.extent_map = maps.hash) " +
                "AND NOT EXISTS (SELECT 1 FROM health_swaps WHERE health_swaps.map = maps.hash)",
                new { batch });
        }
    }
}
