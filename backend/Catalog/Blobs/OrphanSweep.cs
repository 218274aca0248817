using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// One pass over all blobs. Quarantines unreferenced blobs and deletes them after <see cref="Quarantine"/>; returns blobs that are
/// referenced again. Refuses if there are so many orphans that the database is probably not the one that the blobs belong to.
/// </summary>
internal abstract class OrphanSweep(CatalogDatabase database)
{
    /// <summary>How long a quarantined blob can be returned.</summary>
    public static readonly TimeSpan Quarantine = TimeSpan.FromDays(30);

    /// <summary>Hashes per query, and blobs taken per hold of the write lock: a few milliseconds.</summary>
    protected const int BatchSize = 256;

    /// <summary>Largest part of all blobs that one sweep may take, 0 … 1.</summary>
    private const double LargestPart = 0.1;

    /// <summary>
    /// Number of orphans that is always allowed, whatever their share: a few interrupted imports leave that many in a small library.
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

    /// <summary>Returns referenced blobs from the quarantine.</summary>
    /// <returns>The number returned.</returns>
    protected abstract Task<int> ReturnReferencedAsync(CancellationToken cancellationToken);

    /// <summary>Finds unreferenced blobs that were not put since <paramref name="before"/>.</summary>
    /// <returns>The number of all blobs that are not in quarantine, and the orphans among them.</returns>
    protected abstract Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(
        DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Quarantines those of the blobs that are unreferenced and were not put since <paramref name="before"/>.</summary>
    /// <returns>The number quarantined.</returns>
    protected abstract Task<int> QuarantineAsync(
        IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Deletes blobs whose quarantine is over, and what crashes before <paramref name="before"/> left.</summary>
    /// <returns>The number deleted.</returns>
    protected abstract Task<int> DeleteAsync(DateTimeOffset before, CancellationToken cancellationToken);

    /// <summary>Those of the blobs that are referenced.</summary>
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

/// <summary>
/// Sweeps the rows of a PostgreSQL database. A quarantined blob has an expiry time and can be read until then. Several gateways may sweep
/// at once.
/// </summary>
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
