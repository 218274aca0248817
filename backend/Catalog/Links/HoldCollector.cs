using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>Deletes files that libraries no longer link to. Each deletion checks again inside its transaction, so a newly found link or a
/// request to keep the file wins. Thread-safe.</summary>
public sealed class HoldCollector
{
    private readonly CatalogDatabase _database;
    private readonly JobStore _jobs;
    private readonly BlobCollector _blobs;
    private readonly HoldStore _holds;

    public HoldCollector(CatalogDatabase database, JobStore jobs, BlobCollector blobs, HoldStore holds) =>
        (_database, _jobs, _blobs, _holds) = (database, jobs, blobs, holds);

    /// <summary>
    /// Deletes one file that is hidden; its whole job, with all that came along, if that is the last that a library ever had of it.
    /// </summary>
    /// <param name="itemId">The file.</param>
    /// <param name="hiddenSince">It must be hidden since then at least, and so must the rest of a job that goes.</param>
    /// <param name="seeding">Info-hashes of torrents whose files stay.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    /// <returns>False if it stays.</returns>
    public async Task<bool> DeleteHiddenAsync(
        long itemId, DateTimeOffset hiddenSince, IReadOnlySet<string> seeding, CancellationToken cancellationToken)
    {
        const string Staying =
            "SELECT COUNT(*) FROM holds WHERE item_id IN (SELECT id FROM items WHERE post_id = @post) AND (lost IS NULL OR kept IS NOT " +
            "NULL OR hidden IS NULL OR hidden > @since)";
        const string Going = "SELECT COUNT(*) FROM holds WHERE item_id = @id AND lost IS NOT NULL AND kept IS NULL AND hidden <= @since";
        const string Torrents = "SELECT DISTINCT torrent FROM items WHERE torrent IS NOT NULL AND (id = @id OR post_id = @id)";
        ArgumentNullException.ThrowIfNull(seeding);
        var since = hiddenSince.UtcTicks;
        var done = await DeleteAsync(
            transaction =>
            {
                if (transaction.Scalar<long>(Going, new { id = itemId, since }) == 0 || Seeds(itemId))
                    return null;
                var post = transaction.First<long?>("SELECT post_id FROM items WHERE id = @id", new { id = itemId });
                var goesWhole = post is not null && transaction.Scalar<long>(Staying, new { post, since }) == 0 && !Seeds(post.Value);
                return goesWhole ? post : itemId;

                bool Seeds(long id) => seeding.Count > 0 && transaction.All<string>(Torrents, new { id }).Exists(seeding.Contains);
            },
            cancellationToken);
        if (done)
            await _holds.LoadAsync(cancellationToken);
        return done;
    }

    /// <summary>Deletes a job that was released, unless a library has, or once had, something of it.</summary>
    /// <returns>False if it stays.</returns>
    public Task<bool> DeleteAbandonedAsync(long itemId, CancellationToken cancellationToken)
    {
        const string Going = "SELECT COUNT(*) FROM releases WHERE item_id = @id";
        const string Holds = $"SELECT COUNT(*) FROM holds WHERE item_id {TreeSql.IsWithin}";
        return DeleteAsync(
            transaction => transaction.Scalar<long>(Going, new { id = itemId }) > 0
                && transaction.Scalar<long>(Holds, new { id = itemId }) == 0 ? itemId : null, cancellationToken);
    }

    /// <param name="choose">Checks, and returns the item to delete; null: none.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    private async Task<bool> DeleteAsync(Func<CatalogTransaction, long?> choose, CancellationToken cancellationToken)
    {
        var (blobs, jobs) = await _database.WriteAsync(
            transaction =>
            {
                List<long> gone = [];
                if (choose(transaction) is not { } id)
                    return (null, gone);
                var rows = transaction.All<(long Id, string? Nzb)>(
                    "SELECT id, nzb FROM jobs WHERE item_id = @id AND finished IS NOT NULL", new { id });
                var maps = new TreeWriter(transaction, _database.Ids, _database.Time.GetUtcNow().UtcTicks).Delete(id);
                foreach (var (job, nzb) in rows)
                {
                    gone.Add(job);
                    JobChange.Notify(transaction, job, "");
                    transaction.Execute("DELETE FROM jobs WHERE id = @job", new { job });
                    if (nzb is not null)
                        maps?.Add(BlobHash.Parse(nzb));
                }

                return (maps, gone);
            },
            cancellationToken);
        if (blobs is null)
            return false;
        foreach (var job in jobs)
            _jobs.RaiseDeleted(job);
        await _blobs.CollectAsync(blobs);
        return true;
    }
}
