using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// One pass over all blobs. Unreferenced ones are quarantined, and deleted after <see cref="Quarantine"/>; blobs that are referred to again come back. Refuses when the orphans are so many that
/// the database is likely not the one that the blobs belong to.
/// </summary>
internal abstract class OrphanSweep(CatalogDatabase database)
{
    /// <summary>How long a quarantined blob can come back.</summary>
    public static readonly TimeSpan Quarantine = TimeSpan.FromDays(30);

    /// <summary>Hashes in one query, and blobs taken while the write lock is held: a few milliseconds.</summary>
    protected const int BatchSize = 256;

    /// <summary>The largest share of all blobs that one sweep may take, 0 … 1.</summary>
    private const double LargestPart = 0.1;

    /// <summary>Number of orphans that is always allowed, whatever their share: a few interrupted imports leave as many in a small library.</summary>
    private const int AlwaysAllowed = 16;

    protected CatalogDatabase Database => database;

    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public virtual async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        var returned = await ReturnReferencedAsync(cancellationToken);
        var before = database.Time.GetUtcNow() - BlobPlace.Grace;
        var (count, orphans) = await FindOrphansAsync(before, cancellationToken);
        var found = new SweepResult { Blobs = count, Orphans = orphans.Count, Returned = returned };
        if (orphans.Count > AlwaysAllowed && orphans.Count > count * LargestPart)
            return found with { Refused = true };
        var quarantined = 0;
        foreach (var batch in orphans.Chunk(BatchSize))
            quarantined += await QuarantineAsync(batch, before, cancellationToken);
        return found with { Quarantined = quarantined, Deleted = await DeleteAsync(before, cancellationToken) };
    }

    /// <summary>Takes blobs out of the quarantine that something refers to.</summary>
    /// <returns>How many.</returns>
    protected abstract Task<int> ReturnReferencedAsync(CancellationToken cancellationToken);

    /// <summary>Finds blobs that nothing refers to and that were not put since <paramref name="before"/>.</summary>
    /// <returns>The number of all blobs that are not in quarantine, and the orphans among them.</returns>
    protected abstract Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Quarantines those of the blobs that nothing refers to and that were not put since <paramref name="before"/>.</summary>
    /// <returns>How many.</returns>
    protected abstract Task<int> QuarantineAsync(IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Deletes blobs whose quarantine is over, and what crashes before <paramref name="before"/> left.</summary>
    /// <returns>How many.</returns>
    protected abstract Task<int> DeleteAsync(DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Those of the blobs that something refers to.</summary>
    protected async ValueTask<HashSet<BlobHash>> ReferencedAsync(IReadOnlyCollection<BlobHash> hashes, CancellationToken cancellationToken)
    {
        if (hashes.Count == 0)
            return [];
        var texts = hashes.Select(static hash => hash.ToString()).ToArray();
        var found = await database.ReadAsync(
            reader => reader.AllAsync<string>($"SELECT hash FROM blob_references WHERE {database.Engine.Dialect.In("hash", "@texts")}", new { texts }), cancellationToken);
        return [.. found.Select(BlobHash.Parse)];
    }
}
