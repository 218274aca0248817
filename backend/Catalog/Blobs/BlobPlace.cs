using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Where blobs are stored: in a folder, or in the database with a local cache. Thread-safe.</summary>
internal abstract class BlobPlace
{
    /// <summary>How long a stored blob without a reference is safe from removal.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromHours(1);

    /// <summary>The local folder for files being written.</summary>
    public abstract string Folder { get; }

    /// <summary>The path of a blob's local file, whether or not it exists.</summary>
    public abstract string PathOf(BlobHash hash);

    /// <summary>Renews a blob that exists with the right length: it is then as safe as one just put.</summary>
    /// <returns>False if there is none.</returns>
    public abstract ValueTask<bool> TryKeepAsync(BlobHash hash, long length, CancellationToken cancellationToken);

    /// <summary>Completes a file and turns it into a blob, which is pinned before it exists. Durable when the task completes.</summary>
    /// <param name="writer">Has written all content; disposed here.</param>
    /// <param name="file">Its path. The file may be gone afterwards.</param>
    /// <param name="cancellationToken">Cancels the operation; the blob does not exist then.</param>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public abstract Task<StoredBlob> FinishAsync(BlobWriter writer, string file, CancellationToken cancellationToken);

    /// <summary>True if the blob exists; its content is not checked.</summary>
    public abstract ValueTask<bool> ExistsAsync(BlobHash hash, CancellationToken cancellationToken);

    /// <summary>Opens the file of a blob.</summary>
    /// <exception cref="CatalogException">The blob is missing or cannot be read.</exception>
    public abstract ValueTask<FileStream> OpenAsync(BlobHash hash, CancellationToken cancellationToken);

    /// <summary>Called when a reader finds the local file of a blob damaged.</summary>
    public virtual void OnDamaged(BlobHash hash)
    {
    }

    /// <summary>Checks a blob against its address where it is stored, not in a cache.</summary>
    /// <returns>False if it is missing or damaged.</returns>
    public abstract ValueTask<bool> VerifyAsync(BlobHash hash, CancellationToken cancellationToken);

    /// <summary>
    /// Those of the blobs that do not exist, whatever snapshot the transaction has. It holds
    /// <see cref="CatalogTransaction.LockReferences"/>.
    /// </summary>
    public abstract IReadOnlyList<BlobHash> Missing(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes);

    /// <summary>
    /// Removes unreferenced blobs, in the transaction that found them unreferenced. It holds
    /// <see cref="CatalogTransaction.LockReferences"/> alone.
    /// </summary>
    /// <returns>The number removed.</returns>
    public abstract int Remove(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes);
}
