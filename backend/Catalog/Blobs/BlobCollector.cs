using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Removes blobs that nothing refers to. Files are removed inside a write transaction that has just checked the references: no process can
/// commit a reference in between, since that needs the same lock and checks for the file too.
/// </summary>
public sealed class BlobCollector
{
    /// <summary>Files removed while the write lock is held: a few milliseconds.</summary>
    private const int BatchSize = 256;

    private readonly CatalogDatabase _database;
    private readonly BlobStore _blobs;

    public BlobCollector(CatalogDatabase database, BlobStore blobs)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(blobs);
        _database = database;
        _blobs = blobs;
    }

    /// <summary>
    /// Quarantines blobs that nothing refers to and that are older than an hour, deletes them after 30 days there, and deletes unfinished files that crashes left. Call it at the
    /// start, before requests arrive, or once a day.
    /// </summary>
    /// <returns>The result; nothing is done if the orphans exceed a small part of all blobs.</returns>
    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public Task<SweepResult> SweepOrphansAsync(CancellationToken cancellationToken) => new OrphanSweep(_database, _blobs, this).RunAsync(cancellationToken);

    /// <summary>Removes those of the blobs that nothing refers to any more. Not cancelled half-way: the rows are gone already.</summary>
    internal async Task CollectAsync(IReadOnlyCollection<BlobHash> candidates)
    {
        foreach (var batch in candidates.Chunk(BatchSize))
            await TakeUnreferencedAsync(batch, _blobs.Remove, CancellationToken.None);
    }

    /// <summary>Moves to quarantine the blobs that nothing refers to and that were not stored again since <paramref name="before"/>.</summary>
    /// <returns>How many.</returns>
    internal Task<int> QuarantineAsync(IReadOnlyCollection<BlobHash> candidates, DateTime before, CancellationToken cancellationToken)
        => TakeUnreferencedAsync(candidates, hash => _blobs.Quarantine.Take(hash, before), cancellationToken);

    /// <summary>Checks the blobs, or maps stored as rows, that a transaction is about to refer to.</summary>
    /// <exception cref="CatalogException">One is not there.</exception>
    internal void ThrowIfMissing(CatalogTransaction transaction, IEnumerable<BlobHash> hashes)
    {
        var distinct = hashes.Distinct().ToList();
        if (distinct.Count == 0)
            return;
        transaction.LockReferences(alone: false);
        foreach (var hash in distinct)
        {
            if (!_blobs.Exists(hash) && transaction.Scalar<long>("SELECT COUNT(*) FROM maps WHERE hash = @hash", new { hash = hash.ToString() }) == 0)
                throw new CatalogException(CatalogFault.BlobMissing, $"The blob {hash} is gone: store it again before referring to it.");
        }
    }

    /// <summary>After the commit of a transaction that refers to blobs.</summary>
    internal void Referred(IEnumerable<BlobHash> hashes)
    {
        foreach (var hash in hashes)
            _blobs.Unpin(hash);
    }

    private Task<int> TakeUnreferencedAsync(IReadOnlyCollection<BlobHash> candidates, Func<BlobHash, bool> take, CancellationToken cancellationToken)
    {
        if (candidates.Count == 0)
            return Task.FromResult(0);
        return _database.WriteAsync(
            transaction =>
            {
                // The transaction is used only for its lock and writes nothing. It must see committed data only, since a removed file cannot be restored.
                transaction.Abandon();
                transaction.LockReferences(alone: true);
                var taken = 0;
                foreach (var hash in candidates)
                {
                    if (_blobs.IsPinned(hash) || transaction.Scalar<long>("SELECT COUNT(*) FROM blob_references WHERE hash = @hash", new { hash = hash.ToString() }) > 0)
                        continue;
                    taken += take(hash) ? 1 : 0;
                }

                return taken;
            },
            WriteKind.Alone,
            cancellationToken);
    }
}
