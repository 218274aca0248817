namespace NzbDav.Catalog;

/// <summary>
/// Removes blobs that nothing refers to. Files are removed inside a write transaction that has just looked: no process can
/// commit a reference in between, since that needs the same lock and looks for the file too.
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
    /// Removes blobs and unfinished files that nothing refers to and that are older than an hour: what a crash left. For the
    /// start, before requests come, or once a day.
    /// </summary>
    /// <returns>How many files were removed.</returns>
    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public async Task<int> SweepOrphansAsync(CancellationToken cancellationToken)
    {
        if (!Directory.Exists(_blobs.Folder))
            return 0;
        var before = (_database.Time.GetUtcNow() - BlobStore.Grace).UtcDateTime;
        var removed = 0;
        var old = new List<BlobHash>();
        foreach (var file in new DirectoryInfo(_blobs.Folder).EnumerateFiles("*", SearchOption.AllDirectories))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (file.LastWriteTimeUtc >= before)
                continue;
            if (BlobHash.TryParse(file.Name, out var hash))
                old.Add(hash);
            else if (file.Name.EndsWith(BlobStore.TemporarySuffix, StringComparison.Ordinal))
                removed += BlobStore.TryDelete(file.FullName) ? 1 : 0;
            if (old.Count == BatchSize)
                removed += await DrainAsync();
        }

        return removed + await DrainAsync();

        async Task<int> DrainAsync()
        {
            var count = await RemoveUnreferencedAsync(old, before, cancellationToken);
            old.Clear();
            return count;
        }
    }

    /// <summary>Removes those of the blobs that nothing refers to any more. Not cancelled half-way: the rows are gone already.</summary>
    internal async Task CollectAsync(IReadOnlyCollection<BlobHash> candidates)
    {
        foreach (var batch in candidates.Chunk(BatchSize))
            await RemoveUnreferencedAsync(batch, before: null, CancellationToken.None);
    }

    /// <summary>For a transaction that is about to refer to blobs.</summary>
    /// <exception cref="CatalogException">One is not there.</exception>
    internal void ThrowIfMissing(IEnumerable<BlobHash> hashes)
    {
        foreach (var hash in hashes.Distinct())
        {
            if (!_blobs.Exists(hash))
                throw new CatalogException(CatalogFault.BlobMissing, $"The blob {hash} is gone: store it again before referring to it.");
        }
    }

    /// <summary>After the commit of a transaction that refers to blobs.</summary>
    internal void Referred(IEnumerable<BlobHash> hashes)
    {
        foreach (var hash in hashes)
            _blobs.Unpin(hash);
    }

    private Task<int> RemoveUnreferencedAsync(IReadOnlyCollection<BlobHash> candidates, DateTime? before, CancellationToken cancellationToken)
    {
        if (candidates.Count == 0)
            return Task.FromResult(0);
        return _database.WriteAsync(
            transaction =>
            {
                // Nothing is written; the transaction is there for its lock.
                transaction.Abandon();
                var removed = 0;
                foreach (var hash in candidates)
                {
                    if (_blobs.IsPinned(hash) || transaction.Scalar<long>("SELECT COUNT(*) FROM blob_references WHERE hash = @hash", new { hash = hash.ToString() }) > 0)
                        continue;
                    removed += _blobs.Remove(hash, before) ? 1 : 0;
                }

                return removed;
            },
            cancellationToken);
    }
}
