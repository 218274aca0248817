using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Transfer;

/// <summary>
/// Copies the blobs that a catalog references. Checks each against its address when reading it, and again at the target. The source is not
/// changed; a blob that is already there is not copied again.
/// </summary>
/// <param name="from">The source.</param>
/// <param name="to">The target.</param>
internal sealed class BlobTransfer(BlobStore from, BlobStore to)
{
    private const int MaxAtOnce = 4;

    private int _lost;

    /// <summary>Called before each blob, so that tests can interrupt there.</summary>
    public Action<BlobHash>? BeforeBlob { get; init; }

    /// <returns>The number of blobs in the target, and of those missing or damaged in the source.</returns>
    /// <exception cref="CatalogException">The target cannot be written, or does not hold what was written.</exception>
    public async Task<(int Copied, int Lost)> CopyAsync(CatalogDatabase catalog, CancellationToken cancellationToken)
    {
        var texts = await catalog.ReadAsync(
            static reader => reader.AllAsync<string>("SELECT DISTINCT hash FROM blob_references"), cancellationToken);
        await Parallel.ForEachAsync(
            texts.Select(BlobHash.Parse),
            new ParallelOptions { MaxDegreeOfParallelism = MaxAtOnce, CancellationToken = cancellationToken },
            async (hash, stopping) => await CopyAsync(hash, stopping));
        return (texts.Count - _lost, _lost);
    }

    private async Task CopyAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        BeforeBlob?.Invoke(hash);
        if (await to.Place.VerifyAsync(hash, cancellationToken))
            return;
        try
        {
            await using var content = await OpenAsync(hash, cancellationToken);

            // Delete a damaged file first: it would pass for the blob, because its length is right.
            if (to.Place is FolderBlobs folder && folder.PathOf(hash) != from.PathOf(hash))
                BlobFile.TryDelete(folder.PathOf(hash));
            await to.PutAsync(content, cancellationToken);
        }
        catch (CatalogException error) when (error.Fault is CatalogFault.BlobMissing or CatalogFault.BlobDamaged)
        {
            Interlocked.Increment(ref _lost);
            return;
        }

        if (!await to.Place.VerifyAsync(hash, cancellationToken))
            throw new CatalogException(
                CatalogFault.Corrupt, $"What was copied is not what was read: the blob {hash}. The old catalog is as it was.");
    }

    private async ValueTask<Stream> OpenAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        // Fall back to a blob that was quarantined under a wrong database.
        if (from.Place is FolderBlobs folder && !folder.Exists(hash) && folder.Quarantine.PathOf(hash) is var path && File.Exists(path))
            return BlobFile.Decode(hash, BlobFile.Open(path), verifyHash: true, damaged: null);
        return await from.OpenReadAsync(hash, cancellationToken);
    }
}
