using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>Takes .nzb jobs that ended out of the history, with their files or without. Thread-safe.</summary>
internal sealed class JobRemoval(JobStore jobs, JobHistory history, LinkStore links, HoldStore holds)
{
    /// <summary>
    /// Removes a job that ended, or is about to. Files go at once where the caller says so and nobody has read a link to one of them. Else the job is released, and its files go when
    /// it is known that no library has any: the *arrs say the same after each import, of what they have just imported.
    /// </summary>
    /// <param name="id">The job; one that waits or runs, and one that does not exist, is left alone.</param>
    /// <param name="withFiles">The caller has done with its files.</param>
    /// <param name="archive">It is put away; false: forgotten.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    public async Task RemoveEndedAsync(long id, bool withFiles, bool archive, CancellationToken cancellationToken)
    {
        if (await jobs.GetAsync(id, cancellationToken) is not { } job)
            return;
        if (job.State is not (JobState.Completed or JobState.Failed))
        {
            // What the history shows before it is done goes for good; what the queue shows is not deleted from here.
            if (SabJobs.IsLate(job))
                await jobs.DeleteAsync(id, withContent: false, cancellationToken);
            return;
        }

        var takesFiles = false;
        if (withFiles && job.ItemId is { } item)
        {
            takesFiles = !await links.AnyGivenAsync(item, cancellationToken) && !await holds.WasHeldAsync(item, cancellationToken);
            if (!takesFiles)
                await holds.ReleaseAsync(item, id, cancellationToken);
        }

        if (archive && !takesFiles)
            await history.ArchiveAsync([id], archived: true, cancellationToken);
        else
            await jobs.DeleteAsync(id, takesFiles, cancellationToken);
    }
}
