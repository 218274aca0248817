using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// One pass over all blobs. Unreferenced ones are quarantined, and deleted after <see cref="Quarantine"/>; blobs that are referred to again
/// come back. Refuses when the orphans are so many that the database is likely not the one that the blobs belong to.
/// </summary>
internal abstract class OrphanSweep(CatalogDatabase database)
{
    /// <summary>How long a quarantined blob can come back.</summary>
    public static readonly TimeSpan Quarantine = TimeSpan.FromDays(30);

    /// <summary>Hashes in one query, and blobs taken while the write lock is held: a few milliseconds.</summary>
    protected const int BatchSize = 256;

    /// <summary>The largest share of all blobs that one sweep may take, 0 … 1.</summary>
    private const double LargestPart = 0.1;

    /// <summary>
    /// Number of orphans that is always allowed, whatever their share: a few interrupted imports leave as many in a small library.
    /// </summary>
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
    protected abstract Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(
        DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Quarantines those of the blobs that nothing refers to and that were not put since <paramref name="before"/>.</summary>
    /// <returns>How many.</returns>
    protected abstract Task<int> QuarantineAsync(
        IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken);

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
            reader => reader.AllAsync<string>($"SELECT hash FROM blob_references WHERE {database.Engine.Dialect.In("hash", "@texts")}",
                new { texts }), cancellationToken);
        return [.. found.Select(BlobHash.Parse)];
    }
}

/// <summary>Sweeps the rows of a PostgreSQL database. A blob in quarantine has a time at which it expires, and can be read until then.
/// Several gateways may sweep at once.</summary>
internal sealed class RowSweep(CatalogDatabase database, BlobRemoval removal) : OrphanSweep(database)
{
    private const string IsReferenced = "EXISTS (SELECT 1 FROM blob_references AS r WHERE r.hash = blobs.hash)";

    /// <inheritdoc/>
    protected override Task<int> ReturnReferencedAsync(CancellationToken cancellationToken) => Database.WriteAsync(
        static transaction =>
            transaction.Execute($"UPDATE blobs SET expires = NULL WHERE expires IS NOT NULL AND {IsReferenced}"), cancellationToken);

    /// <inheritdoc/>
    protected override async Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(
        DateTimeOffset before, CancellationToken cancellationToken)
    {
        var count = await Database.ReadAsync(
            static reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM blobs WHERE expires IS NULL"), cancellationToken);
        var orphans = await Database.ReadAsync(
            reader =>
                reader.AllAsync<string>($"SELECT hash FROM blobs WHERE expires IS NULL AND touched < @UtcTicks AND NOT {IsReferenced}",
                new { before.UtcTicks }), cancellationToken);
        return (count, [.. orphans.Select(BlobHash.Parse)]);
    }

    /// <inheritdoc/>
    protected override Task<int> QuarantineAsync(
        IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken)
    {
        var until = (Database.Time.GetUtcNow() + Quarantine).UtcTicks;
        return removal.RemoveUnreferencedAsync(
            orphans,
            (transaction, free) => transaction.Execute(
                "UPDATE blobs SET expires = @until WHERE hash = ANY(@texts) AND expires IS NULL AND touched < @UtcTicks",
                new { until, texts = Texts(free), before.UtcTicks }),
            cancellationToken);
    }

    /// <inheritdoc/>
    protected override async Task<int> DeleteAsync(DateTimeOffset before, CancellationToken cancellationToken)
    {
        var now = Database.Time.GetUtcNow().UtcTicks;
        var deleted = 0;
        foreach (var batch in (await Database.ReadAsync(reader => reader.AllAsync<string>(
            "SELECT hash FROM blobs WHERE expires <= @now", new { now }), cancellationToken)).Select(BlobHash.Parse).Chunk(BatchSize))
        {
            deleted += await removal.RemoveUnreferencedAsync(
                batch, (transaction, free) => transaction.Execute(
                    "DELETE FROM blobs WHERE hash = ANY(@texts) AND expires <= @now", new { texts = Texts(free), now }), cancellationToken);
        }

        return deleted;
    }

    private static string[] Texts(IEnumerable<BlobHash> hashes) => [.. hashes.Select(static hash => hash.ToString())];
}
