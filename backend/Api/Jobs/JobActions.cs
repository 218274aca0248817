using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Library.Holding;
using NzbDav.Seeding;

namespace NzbDav.Api.Jobs;

/// <summary>
/// The changes that people and clients make to jobs, for the native API, the SABnzbd interface and the qBittorrent interface: only this
/// class knows the steps and their order. Changes of a job's torrent are left to <see cref="TorrentShelf"/>, which also serves callers that
/// name the torrent instead. Each change returns why it was refused; null: it was done. Thread-safe.
/// </summary>
internal sealed class JobActions(
    JobStore jobs, JobHistory history, BlobStore blobs, HoldStore holds, UnwantedItems unwanted, UrlGrabs grabs, HistoryClock clock,
    IServiceProvider services, TimeProvider time)
{
    private const string None = "There is no such job.";
    private const string HasEnded = "It has ended.";
    private const string HasNotFailed = "It has not failed.";
    private const string IsFetched = "It is still being fetched.";
    private const string IsPublished = "It is published already: rename or move its folder.";

    /// <summary>Null where torrents are switched off.</summary>
    private readonly TorrentShelf? _shelf = services.GetService<TorrentShelf>();

    /// <summary>Null where no library is read.</summary>
    private readonly LibraryKeeper? _keeper = services.GetService<LibraryKeeper>();

    /// <summary>True while a job waits or runs.</summary>
    public static bool IsOpen(CatalogJob job) => job.State is JobState.Queued or JobState.Running;

    /// <summary>Finds a job to be changed.</summary>
    /// <returns>The job; or null, and why it cannot be changed.</returns>
    public async Task<(CatalogJob? Job, string? Refusal)> FindAsync(long id, CancellationToken cancellationToken)
    {
        if (await jobs.GetAsync(id, cancellationToken) is { } job)
            return (job, null);
        return (null, grabs.Pending.Any(grab => grab.Id == id) ? IsFetched : None);
    }

    /// <summary>Pauses a job until it is resumed. A running import ends and starts over later. Its torrent stops with it.</summary>
    public async Task<string?> PauseAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (!IsOpen(job))
            return HasEnded;
        if (!await HasTorrentAsync(job, cancellationToken))
            return await jobs.PauseAsync(job.Id, cancellationToken) ? null : HasEnded;
        await _shelf!.StopAsync([job.ContentHash!], cancellationToken);
        return null;
    }

    /// <summary>Resumes a paused job, and its torrent with it. Does nothing if the job is not paused.</summary>
    public async Task<string?> ResumeAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (!IsOpen(job))
            return HasEnded;
        if (!job.Paused)
            return null;
        if (!await HasTorrentAsync(job, cancellationToken))
            return await jobs.ResumeAsync(job.Id, cancellationToken) ? null : HasEnded;
        await _shelf!.StartAsync([job.ContentHash!], cancellationToken);
        return null;
    }

    /// <summary>Tries a failed job again. If its file was never fetched, that is a new job.</summary>
    public async Task<string?> RetryAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (job.State != JobState.Failed)
            return HasNotFailed;
        if (job.Nzb is not null)
            return await jobs.RetryAsync(job.Id, cancellationToken) ? null : HasNotFailed;
        return await RetryAsNewAsync(job, password: null, byPerson: true, cancellationToken) is null
            ? "Its source is no longer available: add it again." : null;
    }

    /// <summary>Tries a failed job again as a new job in its place, from its stored file or else from its address.</summary>
    /// <param name="job">A failed job.</param>
    /// <param name="password">Replaces the job's own; null: that one stays.</param>
    /// <param name="byPerson">See <see cref="UrlGrab.ByPerson"/>.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>The id under which clients see the new job; null: there is neither file nor address.</returns>
    public async Task<string?> RetryAsNewAsync(CatalogJob job, string? password, bool byPerson, CancellationToken cancellationToken)
    {
        string renewed;
        if (job.Nzb is { } nzb)
        {
            await using var stored = await blobs.OpenReadAsync(nzb, cancellationToken);
            var again = new NewJob
            {
                Name = job.Name,
                Category = job.Category,
                Source = job.Source,
                Priority = job.Priority,
                Password = password ?? job.Password,
                ContentHash = job.ContentHash,
                TotalBytes = job.TotalBytes,
                FileCount = job.FileCount,
                Url = job.Url,
                Replaces = job.Id,
            };
            renewed = NzoId.Of(await jobs.EnqueueAsync(again, stored, cancellationToken));
        }
        else if (job.Url is { } url)
        {
            renewed = NzoId.Of(await grabs.AddAsync(new UrlGrab
            {
                Id = jobs.NewId(),
                Url = url,
                Name = job.Name,
                Category = job.Category,
                Priority = job.Priority,
                Password = password ?? job.Password,
                Added = job.Created,
                ByPerson = byPerson,
            }, cancellationToken));
        }
        else
        {
            return null;
        }

        await DeleteReplacedAsync(job.Id, cancellationToken);
        return renewed;
    }

    /// <summary>Deletes the entry of a failed job after another has taken its place.</summary>
    public Task DeleteReplacedAsync(long id, CancellationToken cancellationToken) =>
        jobs.DeleteAsync(id, withContent: false, cancellationToken);

    /// <summary>Moves entries to the archive, where clients do not look.</summary>
    public async Task ArchiveAsync(IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        await history.ArchiveAsync(ids, archived: true, cancellationToken);
        clock.Touch();
    }

    /// <summary>Sets the priority of a job that waits or runs. Torrents have an order of their own.</summary>
    public async Task<string?> SetPriorityAsync(CatalogJob job, int priority, CancellationToken cancellationToken) =>
        IsOpen(job) && await jobs.SetPriorityAsync(job.Id, priority, cancellationToken) ? null : HasEnded;

    /// <summary>Changes the category of a job that has published nothing yet, and that of its torrent.</summary>
    /// <param name="job">The job.</param>
    /// <param name="category">A valid name, from <see cref="SabCategories.ChooseAsync"/>.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task<string?> SetCategoryAsync(CatalogJob job, string category, CancellationToken cancellationToken)
    {
        if (job.State == JobState.Completed)
            return IsPublished;
        if (!await HasTorrentAsync(job, cancellationToken))
            return await jobs.SetCategoryAsync(job.Id, category, cancellationToken) ? null : IsPublished;
        await _shelf!.SetCategoryAsync([job.ContentHash!], category, cancellationToken);
        return null;
    }

    /// <summary>Renames a job that has published nothing yet, and sets its password if one is given.</summary>
    public async Task<string?> RenameAsync(CatalogJob job, string name, string? password, CancellationToken cancellationToken) =>
        await jobs.RenameAsync(job.Id, name, password, cancellationToken) ? null : IsPublished;

    /// <summary>Deletes a job, or an address that is still being fetched.</summary>
    /// <param name="id">The job.</param>
    /// <param name="how">What becomes of its entry and its files.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task<string?> DeleteAsync(long id, JobDeletion how, CancellationToken cancellationToken)
    {
        // A fetched file becomes a job a moment before its grab is removed: delete both.
        var wasFetched = await grabs.RemoveAsync(id, cancellationToken);
        if (await jobs.GetAsync(id, cancellationToken) is { } job)
            return await DeleteAsync(job, how, cancellationToken);
        return wasFetched ? null : None;
    }

    /// <inheritdoc cref="DeleteAsync(long, JobDeletion, CancellationToken)"/>
    /// <param name="job">The job, as its caller saw it.</param>
    /// <param name="how">What becomes of its entry and its files.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task<string?> DeleteAsync(CatalogJob job, JobDeletion how, CancellationToken cancellationToken)
    {
        if (how.Shows?.Invoke(job) == false)
            return None;

        // The worker loses the job, so nothing is published from here on. The torrent goes with the job: nothing of it is published.
        if (job.State != JobState.Completed && await HasTorrentAsync(job, cancellationToken))
        {
            await _shelf!.RemoveAsync([job.ContentHash!], withData: true, cancellationToken);
            return null;
        }

        if (!IsOpen(job))
            return await DeleteEndedAsync(job, how, cancellationToken);
        if (await jobs.DeleteUnpublishedAsync(job.Id, cancellationToken))
            return null;

        // The job was published in the meantime. Who deletes an unfinished job does not want its files either.
        return await jobs.GetAsync(job.Id, cancellationToken) is { } ended
            ? await DeleteEndedAsync(ended, how.Files == JobFiles.Keep ? how with { Files = JobFiles.Abandon } : how, cancellationToken)
            : null;
    }

    private async Task<string?> DeleteEndedAsync(CatalogJob job, JobDeletion how, CancellationToken cancellationToken)
    {
        var takesFiles = false;
        if (job.ItemId is { } item && how.Files != JobFiles.Keep)
        {
            if (how.Files == JobFiles.Delete && await RefusalAsync(item, cancellationToken) is { } refusal)
                return refusal;
            takesFiles = how.Files == JobFiles.Delete || !await holds.WasLinkedAsync(item, cancellationToken);
            if (!takesFiles)
                await unwanted.MarkAbandonedAsync(item, job.Id, cancellationToken);
        }

        if (how.Archives && !takesFiles)
            await ArchiveAsync([job.Id], cancellationToken);
        else
            await jobs.DeleteAsync(job.Id, takesFiles, cancellationToken);
        return null;
    }

    /// <summary>Why files may not be deleted at once: a library has, or may have, a link to one.</summary>
    private async ValueTask<string?> RefusalAsync(long item, CancellationToken cancellationToken)
    {
        var verdict = await LibraryKeeper.FindHolderForDeletionAsync(_keeper, holds, item, time.GetUtcNow(), cancellationToken);
        if (verdict.IsUnlinked)
            return null;
        return verdict.Holder is { } holder
            ? $"A library has a link to it: {holder}. Remove that first, or delete the folder under Files."
            : "Its link was read, so a library may have it, and no library that is configured tells. "
                + "If none has it, delete the folder under Files.";
    }

    /// <summary>True if the job is to bring a torrent of the list, of which nothing is published yet.</summary>
    private async ValueTask<bool> HasTorrentAsync(CatalogJob job, CancellationToken cancellationToken) =>
        job is { Kind: not JobKind.Nzb, ContentHash: { } hash } && _shelf is not null
        && await _shelf.IsAddedByAsync(hash, job.Id, cancellationToken);
}

/// <summary>What becomes of the files that a deleted job has published.</summary>
internal enum JobFiles
{
    /// <summary>They stay.</summary>
    Keep,

    /// <summary>
    /// A client no longer needs them. They are deleted at once if no link to one of them was ever read; otherwise once it is known that no
    /// library has one. The *arrs ask for that after each import, also for the files they have just imported.
    /// </summary>
    Abandon,

    /// <summary>A person wants them gone now: refused while a library has, or may have, a link to one.</summary>
    Delete,
}

/// <summary>How an interface deletes a job. A job that has not ended is deleted with all of it in any case.</summary>
/// <param name="Files">Its files.</param>
/// <param name="Archives">
/// True: the entry of an ended job whose files stay is archived, where clients no longer look; false: it is deleted.
/// </param>
/// <param name="Shows">The jobs that the list shows from which the caller deletes; null: all.</param>
internal sealed record JobDeletion(JobFiles Files, bool Archives = false, Func<CatalogJob, bool>? Shows = null);
