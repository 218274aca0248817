using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>Takes a torrent off the list, with its files or without.</summary>
internal sealed class TorrentRemoval(TorrentStore store, JobStore jobs, TreeStore tree, TorrentPlaces places, HoldStore holds)
{
    /// <summary>Removes one torrent.</summary>
    /// <param name="source">Where it comes from.</param>
    /// <param name="withData">Its files go too, unless a library has a link to one.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    public async Task RemoveAsync(TorrentSource source, bool withData, CancellationToken cancellationToken)
    {
        if (source.ItemId is not { } item)
        {
            // Nothing was published: the job is all there is.
            if (source.JobId is { } waiting)
                await jobs.DeleteAsync(waiting, withContent: false, cancellationToken);
            await store.DeleteAsync([source.InfoHash], cancellationToken);
            return;
        }

        if (!withData || await holds.JudgeAsync(item, cancellationToken) is not { Holder: null, IsUncertain: false })
        {
            await store.UpdateAsync([source.InfoHash], entry => entry with { Removed = store.Now, IsStopped = true, IsForced = false }, cancellationToken);

            // The files go as soon as it is certain that no library has them.
            if (withData)
                await holds.ReleaseAsync(item, source.JobId, cancellationToken);
            return;
        }

        await store.DeleteAsync([source.InfoHash], cancellationToken);
        if (source.JobId is { } job)
            await jobs.DeleteAsync(job, withContent: true, cancellationToken);

        // What another job published of it, or what its job no longer knows of.
        foreach (var file in await places.ListFilesAsync(source.InfoHash, cancellationToken))
            await tree.DeleteAsync(file.Id, cancellationToken);
    }
}
