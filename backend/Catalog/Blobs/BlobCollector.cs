using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Removes blobs that nothing refers to, and checks those that a transaction is about to refer to.</summary>
public sealed class BlobCollector
{
    /// <summary>Blobs removed while the write lock is held: a few milliseconds.</summary>
    private const int BatchSize = 256;

    /// <summary>Hashes in one query.</summary>
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
    /// Quarantines blobs that nothing refers to and that are older than an hour, deletes them after 30 days there, and deletes unfinished
    /// files that crashes left. Call it at the start, before requests arrive, and once a day.
    /// </summary>
    /// <returns>The result; nothing is done if the orphans exceed a small part of all blobs.</returns>
    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public Task<SweepResult> SweepOrphansAsync(CancellationToken cancellationToken)
    {
        OrphanSweep sweep = _blobs.Place is FolderBlobs folder
            ? new FolderSweep(_database, folder, _removal) : new RowSweep(_database, _removal);
        return sweep.RunAsync(cancellationToken);
    }

    /// <summary>Puts the blobs that an earlier version left in the local folder, and that something refers to, into the database, if blobs
    /// are there. Other gateways find them then.</summary>
    /// <returns>How many it put, and how many are damaged.</returns>
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

    /// <summary>Removes those of the blobs that nothing refers to any more. Not cancelled half-way: the rows are gone already.</summary>
    internal async Task CollectAsync(IReadOnlyCollection<BlobHash> candidates)
    {
        foreach (var batch in candidates.Chunk(BatchSize))
            await _removal.RemoveUnreferencedAsync(batch, _blobs.Place.Remove, CancellationToken.None);
    }

    /// <summary>Checks the blobs, or maps stored as rows, that a transaction is about to refer to.</summary>
    /// <exception cref="CatalogException">One is not there.</exception>
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

    /// <summary>After the commit of a transaction that refers to blobs.</summary>
    internal void ReleasePins(IEnumerable<BlobHash> hashes)
    {
        foreach (var hash in hashes)
            _blobs.Unpin(hash);
    }
}

/// <summary>Takes away blobs inside a write transaction that has just checked the references: no process can commit a reference in between,
/// since that needs the same lock and checks for the blob too.</summary>
internal sealed class BlobRemoval(CatalogDatabase database, BlobStore blobs)
{
    /// <summary>Passes those of the blobs that nothing refers to, and that are not pinned, to <paramref name="take"/>.</summary>
    /// <param name="candidates">A few hundred at most.</param>
    /// <param name="take">Removes them and tells how many. May be called again, if the transaction failed because of another one.</param>
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
                // Alone: it must see committed data only.
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

/// <summary>What a sweep for orphaned blobs found and did.</summary>
public sealed record SweepResult
{
    /// <summary>Blobs in the folder, quarantined ones excluded.</summary>
    public required int Blobs { get; init; }

    /// <summary>Of these: nothing refers to them and they are older than an hour.</summary>
    public required int Orphans { get; init; }

    /// <summary>True if the orphans are too large a part of all blobs: nothing was moved or removed.</summary>
    public bool Refused { get; init; }

    /// <summary>Orphans that were moved to the quarantine.</summary>
    public int Quarantined { get; init; }

    /// <summary>Blobs that were moved back from the quarantine, because something refers to them again.</summary>
    public int Returned { get; init; }

    /// <summary>Files that were deleted: unfinished ones, and blobs whose quarantine is over.</summary>
    public int Deleted { get; init; }
}
