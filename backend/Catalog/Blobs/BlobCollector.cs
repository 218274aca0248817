using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Removes unreferenced blobs, and checks blobs that a transaction is about to reference.</summary>
public sealed class BlobCollector
{
    /// <summary>Blobs removed per hold of the write lock: a few milliseconds.</summary>
    private const int BatchSize = 256;

    /// <summary>Hashes per query.</summary>
    private const int QuerySize = 1000;

    private readonly CatalogDatabase _database;
    private readonly BlobStore _blobs;
    private readonly BlobRemoval _removal;

    public BlobCollector(CatalogDatabase database, BlobStore blobs)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(blobs);
        _database = database;
        _blobs = blobs;
        _removal = new BlobRemoval(database, blobs);
    }

    /// <summary>
    /// Quarantines unreferenced blobs older than an hour, deletes them after 30 days there, and deletes unfinished files left by crashes.
    /// Call at the start, before requests arrive, and once a day.
    /// </summary>
    /// <returns>The result; nothing is done if the orphans exceed a small part of all blobs.</returns>
    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public Task<SweepResult> SweepOrphansAsync(CancellationToken cancellationToken)
    {
        OrphanSweep sweep = _blobs.Place is FolderBlobs folder
            ? new FolderSweep(_database, folder, _removal) : new RowSweep(_database, _removal);
        return sweep.RunAsync(cancellationToken);
    }

    /// <summary>
    /// Copies referenced blobs that an earlier version left in the local folder into the database, if blobs are stored there, so that other
    /// gateways find them.
    /// </summary>
    /// <returns>The number copied, and the number of damaged ones.</returns>
    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public async Task<(int Taken, int Damaged)> AdoptLocalAsync(CancellationToken cancellationToken)
    {
        if (_blobs.Place is not ServerBlobs server || !Directory.Exists(_database.Options.BlobFolder))
            return (0, 0);
        var (taken, damaged) = (0, 0);
        foreach (var text in await _database.ReadAsync(
            static reader =>
                reader.AllAsync<string>(
                "SELECT DISTINCT hash FROM blob_references AS r WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = r.hash)"),
                cancellationToken))
        {
            try
            {
                taken += await server.AdoptLocalAsync(BlobHash.Parse(text), cancellationToken) ? 1 : 0;
            }
            catch (CatalogException error) when (error.Fault == CatalogFault.BlobDamaged)
            {
                damaged++;
            }
        }

        return (taken, damaged);
    }

    /// <summary>Removes those of the blobs that are no longer referenced. Not cancellable, because the rows are gone already.</summary>
    internal async Task CollectAsync(IReadOnlyCollection<BlobHash> candidates)
    {
        foreach (var batch in candidates.Chunk(BatchSize))
            await _removal.RemoveUnreferencedAsync(batch, _blobs.Place.Remove, CancellationToken.None);
    }

    /// <summary>Checks the blobs, or maps stored as rows, that a transaction is about to reference.</summary>
    /// <exception cref="CatalogException">One is missing.</exception>
    internal void ThrowIfMissing(CatalogTransaction transaction, IEnumerable<BlobHash> hashes)
    {
        var distinct = hashes.Distinct().ToList();
        if (distinct.Count == 0)
            return;
        transaction.LockReferences(alone: false);
        foreach (var batch in distinct.Chunk(QuerySize))
        {
            var texts = batch.Select(static hash => hash.ToString()).ToArray();
            var maps = transaction.All<string>($"SELECT hash FROM maps WHERE {transaction.Dialect.In("hash", "@texts")}", new { texts })
                .ToHashSet(StringComparer.Ordinal);
            if (_blobs.Place.Missing(transaction, [.. batch.Where(hash => !maps.Contains(hash.ToString()))]) is [var missing, ..])
                throw new CatalogException(CatalogFault.BlobMissing, $"The blob {missing} is gone: store it again before referring to it.");
        }
    }

    /// <summary>Call after the commit of a transaction that references blobs.</summary>
    internal void ReleasePins(IEnumerable<BlobHash> hashes)
    {
        foreach (var hash in hashes)
            _blobs.Unpin(hash);
    }
}

/// <summary>
/// Removes blobs inside a write transaction that has just checked the references. No process can commit a reference in between: that needs
/// the same lock, and it checks for the blob too.
/// </summary>
internal sealed class BlobRemoval(CatalogDatabase database, BlobStore blobs)
{
    /// <summary>Passes those of the blobs that are neither referenced nor pinned to <paramref name="take"/>.</summary>
    /// <param name="candidates">A few hundred at most.</param>
    /// <param name="take">Removes them and returns how many. May run again if the transaction fails because of a concurrent one.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task<int> RemoveUnreferencedAsync(IReadOnlyCollection<BlobHash> candidates,
        Func<CatalogTransaction, IReadOnlyList<BlobHash>, int> take, CancellationToken cancellationToken)
    {
        if (candidates.Count == 0)
            return Task.FromResult(0);
        var texts = candidates.Select(static hash => hash.ToString()).ToArray();
        return database.WriteAsync(
            transaction =>
            {
                // Exclusive: it must see committed data only.
                transaction.LockReferences(alone: true);
                var referenced = transaction.All<string>(
                    $"SELECT hash FROM blob_references WHERE {transaction.Dialect.In("hash", "@texts")}", new { texts })
                    .ToHashSet(StringComparer.Ordinal);
                BlobHash[] free = [.. candidates.Where(hash => !referenced.Contains(hash.ToString()) && !blobs.IsPinned(hash))];
                if (free.Length > 0)
                    return take(transaction, free);
                transaction.Abandon();
                return 0;
            },
            WriteKind.Exclusive,
            cancellationToken);
    }
}

/// <summary>The result of a sweep for orphaned blobs.</summary>
public sealed record SweepResult
{
    /// <summary>All blobs except quarantined ones.</summary>
    public required int Blobs { get; init; }

    /// <summary>Of these: unreferenced blobs older than an hour.</summary>
    public required int Orphans { get; init; }

    /// <summary>True if the orphans are too large a part of all blobs; nothing was moved or removed.</summary>
    public bool Refused { get; init; }

    /// <summary>Orphans moved to the quarantine.</summary>
    public int Quarantined { get; init; }

    /// <summary>Blobs moved back from the quarantine because they are referenced again.</summary>
    public int Returned { get; init; }

    /// <summary>Deleted files: unfinished ones, and blobs whose quarantine is over.</summary>
    public int Deleted { get; init; }
}
