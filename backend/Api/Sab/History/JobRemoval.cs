using NzbDav.Api.Sab.Jobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;

namespace NzbDav.Api.Sab.History;

/// <summary>Removes ended .nzb jobs from the history, with or without their files. Thread-safe.</summary>
internal sealed class JobRemoval(JobStore jobs, JobHistory history, LinkStore links, HoldStore holds)
{
    /// <summary>
    /// Removes a job that ended, or is about to end. Its files are deleted at once if the caller asks for it and no link to one of them was ever read. Otherwise the
    /// job is released, and its files are deleted once it is known that no library has a link: the *arrs ask for deletion after each import, also of the files they
    /// have just imported.
    /// </summary>
    /// <param name="id">The job; nothing happens if it is waiting or running, or does not exist.</param>
    /// <param name="withFiles">True if the caller no longer needs its files.</param>
    /// <param name="archive">True: the entry is archived; false: it is deleted.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task RemoveEndedAsync(long id, bool withFiles, bool archive, CancellationToken cancellationToken)
    {
        if (await jobs.GetAsync(id, cancellationToken) is not { } job)
            return;
        if (job.State is not (JobState.Completed or JobState.Failed))
        {
            // An entry that the history shows before its job ends is deleted for good; a job that the queue shows is not deleted from here.
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
