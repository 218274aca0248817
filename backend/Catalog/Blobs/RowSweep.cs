using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Sweeps the rows of a PostgreSQL database. A blob in quarantine has a time at which it expires, and can be read until then. Several gateways may sweep at once.</summary>
internal sealed class RowSweep(CatalogDatabase database, BlobRemoval removal) : OrphanSweep(database)
{
    private const string IsReferenced = "EXISTS (SELECT 1 FROM blob_references AS r WHERE r.hash = blobs.hash)";

    /// <inheritdoc/>
    protected override Task<int> ReturnReferencedAsync(CancellationToken cancellationToken) => Database.WriteAsync(
        static transaction => transaction.Execute($"UPDATE blobs SET expires = NULL WHERE expires IS NOT NULL AND {IsReferenced}"), cancellationToken);

    /// <inheritdoc/>
    protected override async Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(DateTimeOffset before, CancellationToken cancellationToken)
    {
        var count = await Database.ReadAsync(static reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM blobs WHERE expires IS NULL"), cancellationToken);
        var orphans = await Database.ReadAsync(
            reader => reader.AllAsync<string>($"SELECT hash FROM blobs WHERE expires IS NULL AND touched < @UtcTicks AND NOT {IsReferenced}", new { before.UtcTicks }), cancellationToken);
        return (count, [.. orphans.Select(BlobHash.Parse)]);
    }

    /// <inheritdoc/>
    protected override Task<int> QuarantineAsync(IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken)
    {
        var until = (Database.Time.GetUtcNow() + Quarantine).UtcTicks;
        return removal.TakeUnreferencedAsync(
            orphans,
            (transaction, free) => transaction.Execute(
                "UPDATE blobs SET expires = @until WHERE hash = ANY(@texts) AND expires IS NULL AND touched < @UtcTicks", new { until, texts = Texts(free), before.UtcTicks }),
            cancellationToken);
    }

    /// <inheritdoc/>
    protected override async Task<int> DeleteAsync(DateTimeOffset before, CancellationToken cancellationToken)
    {
        var now = Database.Time.GetUtcNow().UtcTicks;
        var deleted = 0;
        foreach (var batch in (await Database.ReadAsync(reader => reader.AllAsync<string>("SELECT hash FROM blobs WHERE expires <= @now", new { now }), cancellationToken)).Select(BlobHash.Parse).Chunk(BatchSize))
        {
            deleted += await removal.TakeUnreferencedAsync(
                batch, (transaction, free) => transaction.Execute("DELETE FROM blobs WHERE hash = ANY(@texts) AND expires <= @now", new { texts = Texts(free), now }), cancellationToken);
        }

        return deleted;
    }

    private static string[] Texts(IEnumerable<BlobHash> hashes) => [.. hashes.Select(static hash => hash.ToString())];
}
