using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>
/// <c>/nzbs/&lt;category&gt;</c>: drop an .nzb here and its job is queued. Shows what waits, runs or failed; a failed one has a note
/// beside it that says why. Deleting an .nzb takes the job out of the queue.
/// </summary>
internal sealed class DropCollection(CatalogItem item, string? category, LibraryStore store) : IStoreCollection
{
    private const string NzbSuffix = ".nzb";
    private const string NoteSuffix = ".nzb.failed.txt";

    private static readonly TimeSpan StaysReachable = TimeSpan.FromMinutes(2);

    public string Name => item.Name;

    public DateTimeOffset CreatedAt => LibraryCollection.Stable(item.Created);

    public DateTimeOffset ModifiedAt => LibraryCollection.Stable(item.Modified);

    public string ETag => item.ETag;

    private JobFilter Unfinished => JobFilter.Unfinished(category ?? store.Drop.DefaultCategory);

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (category is null)
        {
            await foreach (var child in store.Tree.ListAsync(item.Id, after: null, cancellationToken))
                yield return store.ItemOf(child, item);
            yield break;
        }

        // Two jobs of one name: the one that goes first is shown.
        var seen = new HashSet<string>(StringComparer.Ordinal);
        await foreach (var job in store.Jobs.ListAsync(Unfinished, cancellationToken))
        {
            if (!seen.Add(job.Name))
                continue;
            yield return new DroppedNzb(job, job.Name + NzbSuffix, store.Blobs);
            if (job.State == JobState.Failed)
                yield return new FailureNote(job, job.Name + NoteSuffix);
        }
    }

    public async ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken)
    {
        if (!name.EndsWith(NzbSuffix, StringComparison.OrdinalIgnoreCase))
            return StoreWriteResult.Invalid("Only .nzb files can be dropped here.");
        try
        {
            var former = await FindAsync(store.Drop.JobName(name), cancellationToken);
            await using var stream = body.AsStream(leaveOpen: true);
            var taken = await store.Drop.TakeAsync(name, category, stream, cancellationToken);
            if (former is null || taken.Status != StoreWriteStatus.Created)
                return taken;
            await store.Jobs.DeleteAsync(former.Id, withContent: false, cancellationToken);
            return StoreWriteResult.Replaced;
        }
        catch (CatalogException e)
        {
            return e.Fault == CatalogFault.DiskFull ? StoreWriteResult.InsufficientStorage : StoreWriteResult.Unavailable(e.Message);
        }
    }

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        if (JobNameOf(name) is not { } jobName || await FindAsync(jobName, cancellationToken) is not { } job)
            return category is null ? StoreWriteResult.Forbidden : StoreWriteResult.NotFound;
        return await store.Jobs.DeleteAsync(job.Id, withContent: false, cancellationToken) ? StoreWriteResult.Deleted : StoreWriteResult.NotFound;
    }

    /// <summary>The child of that name; null when there is none.</summary>
    public async ValueTask<IStoreItem?> GetChildAsync(string name, CancellationToken cancellationToken)
    {
        if (JobNameOf(name) is not { } jobName)
            return null;
        if ((await FindAsync(jobName, cancellationToken) ?? await FindJustDoneAsync(jobName, cancellationToken)) is not { } job)
            return null;
        if (!name.EndsWith(NoteSuffix, StringComparison.Ordinal))
            return new DroppedNzb(job, name, store.Blobs);
        return job.State == JobState.Failed ? new FailureNote(job, name) : null;
    }

    /// <summary>
    /// A job that was done a moment ago: clients such as rclone look at a file right after they wrote it, and write it again when it
    /// is not there. It is not listed any more.
    /// </summary>
    private async ValueTask<CatalogJob?> FindJustDoneAsync(string jobName, CancellationToken cancellationToken)
    {
        var filter = Unfinished with { States = [JobState.Completed], Name = jobName, Order = JobOrder.NewestFirst };
        await foreach (var job in store.Jobs.ListAsync(filter, cancellationToken))
            return store.Time.GetUtcNow() - job.Finished < StaysReachable ? job : null;
        return null;
    }

    private static string? JobNameOf(string name) =>
        name.EndsWith(NoteSuffix, StringComparison.Ordinal) ? name[..^NoteSuffix.Length]
        : name.EndsWith(NzbSuffix, StringComparison.Ordinal) ? name[..^NzbSuffix.Length]
        : null;

    private async ValueTask<CatalogJob?> FindAsync(string jobName, CancellationToken cancellationToken)
    {
        await foreach (var job in store.Jobs.ListAsync(Unfinished with { Name = jobName }, cancellationToken))
            return job;
        return null;
    }
}
