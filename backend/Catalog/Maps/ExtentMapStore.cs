using NzbDav.Content;

namespace NzbDav.Catalog;

/// <summary>Extent maps as blobs. Thread-safe.</summary>
public sealed class ExtentMapStore
{
    private readonly BlobStore _blobs;

    public ExtentMapStore(BlobStore blobs)
    {
        ArgumentNullException.ThrowIfNull(blobs);
        _blobs = blobs;
    }

    /// <summary>
    /// Stores a map; durable when the task completes. Several at a time finish sooner than one after the other, as the disk
    /// makes them durable together.
    /// </summary>
    /// <param name="map">Segments that no extent uses are not stored.</param>
    /// <param name="sizesVerified">See <see cref="StoredExtentMap.SizesVerified"/>.</param>
    /// <param name="cancellationToken">Gives up; what was written goes away.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<BlobHash> PutAsync(ExtentMap map, bool sizesVerified, CancellationToken cancellationToken) => PutAsync(new StoredExtentMap(map, sizesVerified), cancellationToken);

    /// <inheritdoc cref="PutAsync(ExtentMap, bool, CancellationToken)"/>
    /// <param name="stored">The map with what is known of it.</param>
    /// <param name="cancellationToken">Gives up; what was written goes away.</param>
    public async Task<BlobHash> PutAsync(StoredExtentMap stored, CancellationToken cancellationToken)
    {
        var blob = await _blobs.PutAsync(ExtentMapCodec.Encode(stored), cancellationToken);
        return blob.Hash;
    }

    /// <summary>Reads a map, verified against its hash.</summary>
    /// <exception cref="CatalogException">The blob is missing or damaged.</exception>
    public async Task<StoredExtentMap> ReadAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        var bytes = await _blobs.ReadAsync(hash, cancellationToken);
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
