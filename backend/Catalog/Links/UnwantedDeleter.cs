using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>
/// Deletes unwanted items. Nothing else deletes without a request from a person or a client. Each deletion checks again inside its
/// transaction, so a newly found link or a request to keep the item wins. Thread-safe.
/// </summary>
public sealed class UnwantedDeleter(CatalogDatabase database, JobStore jobs, BlobCollector blobs, UnwantedItems unwanted)
{
    /// <summary>
    /// Deletes a hidden file that no library has. Deletes its whole job, with everything else in it, if this is the last file of the job
    /// that a library ever had.
    /// </summary>
    /// <param name="itemId">The file.</param>
    /// <param name="hiddenSince">Latest time by which the file, and the rest of a job to delete, must have been hidden.</param>
    /// <param name="seeding">Info-hashes of torrents whose files stay.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    /// <returns>False if it was not deleted.</returns>
    public Task<bool> DeleteLostAsync(
        long itemId, DateTimeOffset hiddenSince, IReadOnlySet<string> seeding, CancellationToken cancellationToken)
    {
        const string Due = "cause = 'library' AND state = 'hidden' AND changed <= @since";
        const string Going = $"SELECT COUNT(*) FROM unwanted WHERE item_id = @id AND {Due}";
        const string Staying =
            "SELECT COUNT(*) FROM holds WHERE item_id IN (SELECT id FROM items WHERE post_id = @post) AND NOT EXISTS (SELECT 1 FROM " +
            $"unwanted WHERE unwanted.item_id = holds.item_id AND {Due})";
        const string Torrents = "SELECT DISTINCT torrent FROM items WHERE torrent IS NOT NULL AND (id = @id OR post_id = @id)";
        ArgumentNullException.ThrowIfNull(seeding);
        var since = hiddenSince.UtcTicks;
        return DeleteAsync(
            transaction =>
            {
                if (transaction.Scalar<long>(Going, new { id = itemId, since }) == 0 || Seeds(itemId))
                    return null;
                var post = transaction.First<long?>("SELECT post_id FROM items WHERE id = @id", new { id = itemId });
                var goesWhole = post is not null && transaction.Scalar<long>(Staying, new { post, since }) == 0 && !Seeds(post.Value);
                return goesWhole ? post : itemId;

                bool Seeds(long id) => seeding.Count > 0 && transaction.All<string>(Torrents, new { id }).Exists(seeding.Contains);
            },
            DeleteJobs,
            cancellationToken);
    }

    /// <summary>Deletes a job that an *arr gave up on, unless a library has or ever had a file of it.</summary>
    /// <returns>False if it was not deleted.</returns>
    public Task<bool> DeleteAbandonedAsync(long itemId, CancellationToken cancellationToken)
    {
        const string Going = "SELECT COUNT(*) FROM unwanted WHERE item_id = @id AND cause = 'arr'";
        const string Staying = $"SELECT COUNT(*) FROM holds WHERE item_id {TreeSql.IsWithin}";
        return DeleteAsync(
            transaction => transaction.Scalar<long>(Going, new { id = itemId }) > 0
                && transaction.Scalar<long>(Staying, new { id = itemId }) == 0 ? itemId : null,
            DeleteJobs,
            cancellationToken);
    }

    /// <summary>Deletes a post that is hidden because another one replaced it. Its history entry stays.</summary>
    /// <param name="itemId">The post.</param>
    /// <param name="hiddenSince">Latest time by which it must have been hidden.</param>
    /// <param name="record">Called in the transaction that deletes it.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    /// <returns>False if it was not deleted.</returns>
    internal Task<bool> DeleteReplacedAsync(
        long itemId, DateTimeOffset hiddenSince, Action<CatalogTransaction> record, CancellationToken cancellationToken)
    {
        const string Going =
            "SELECT COUNT(*) FROM health_posts JOIN unwanted ON unwanted.item_id = health_posts.item_id WHERE health_posts.item_id = @id " +
            "AND stage = 'Hidden' AND kept IS NULL AND cause = 'replacement' AND state = 'hidden' AND unwanted.changed <= @since";
        const string Staying =
            "SELECT COUNT(*) FROM holds WHERE item_id IN (SELECT id FROM items WHERE post_id = @id) AND NOT EXISTS (SELECT 1 FROM " +
            "unwanted WHERE unwanted.item_id = holds.item_id AND cause = 'library' AND state <> 'kept')";
        var parameters = new { id = itemId, since = hiddenSince.UtcTicks };
        return DeleteAsync(
            transaction => transaction.Scalar<long>(Going, parameters) > 0 && transaction.Scalar<long>(Staying, parameters) == 0
                ? itemId : null,
            (transaction, _, _) => record(transaction),
            cancellationToken);
    }

    private static void DeleteJobs(CatalogTransaction transaction, long itemId, Deletion deletion)
    {
        foreach (var (job, nzb) in transaction.All<(long Id, string? Nzb)>(
            "SELECT id, nzb FROM jobs WHERE item_id = @itemId AND finished IS NOT NULL", new { itemId }))
        {
            deletion.Jobs.Add(job);
            JobChange.Notify(transaction, job, "");
            transaction.Execute("DELETE FROM jobs WHERE id = @job", new { job });
            if (nzb is not null)
                deletion.Blobs.Add(BlobHash.Parse(nzb));
        }
    }

    /// <param name="choose">Returns the item to delete after checking it; null: none.</param>
    /// <param name="before">Called for the item before it is deleted.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    private async Task<bool> DeleteAsync(
        Func<CatalogTransaction, long?> choose, Action<CatalogTransaction, long, Deletion> before, CancellationToken cancellationToken)
    {
        var deletion = await database.WriteAsync(
            transaction =>
            {
                if (choose(transaction) is not { } id)
                    return null;
                var going = new Deletion([], []);
                before(transaction, id, going);
                if (new TreeWriter(transaction, database.Ids, database.Time.GetUtcNow().UtcTicks).Delete(id) is not { } maps)
                    return null;
                going.Blobs.AddRange(maps);
                return going;
            },
            cancellationToken);
        if (deletion is null)
            return false;
        foreach (var job in deletion.Jobs)
            jobs.RaiseDeleted(job);
        await blobs.CollectAsync(deletion.Blobs);
        await unwanted.LoadAsync(CancellationToken.None);
        return true;
    }

    /// <summary>What was deleted along with an item.</summary>
    private sealed record Deletion(List<BlobHash> Blobs, List<long> Jobs);
}
