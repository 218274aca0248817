using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;

namespace NzbDav.Seeding;

/// <summary>Removes torrents from the list, with or without their files.</summary>
internal sealed class TorrentRemoval(TorrentStore store, JobStore jobs, TreeStore tree, TorrentPlaces places, HoldStore holds,
    UnwantedItems unwanted)
{
    /// <summary>Removes one torrent.</summary>
    /// <param name="source">The torrent with its job and published item.</param>
    /// <param name="withData">True: its files are deleted too, unless a library has or may have a link to one of them.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    public async Task RemoveAsync(TorrentSource source, bool withData, CancellationToken cancellationToken)
    {
        if (source.ItemId is null)
        {
            // Nothing was published: only the job has to be deleted. If it is published right now, the torrent is removed like any other.
            if (source.JobId is { } waiting && !await jobs.DeleteUnpublishedAsync(waiting, cancellationToken)
                && await places.ListSourcesAsync(source.InfoHash, cancellationToken) is [{ ItemId: not null } later])
            {
                await RemoveAsync(later, withData, cancellationToken);
                return;
            }

            await store.DeleteAsync([source.InfoHash], cancellationToken);
            return;
        }

        var item = source.ItemId.Value;
        if (!withData || await WasLinkedAsync(source.InfoHash, item, cancellationToken))
        {
            await store.UpdateAsync(
                [source.InfoHash], entry => entry with { Removed = store.Now, IsStopped = true, IsForced = false }, cancellationToken);

            // The files are deleted only when it is certain that no library links to them.
            if (withData)
                await unwanted.MarkAbandonedAsync(item, source.JobId, cancellationToken);
            return;
        }

        await store.DeleteAsync([source.InfoHash], cancellationToken);
        if (source.JobId is { } job)
            await jobs.DeleteAsync(job, withContent: true, cancellationToken);

        // Also delete files that another job published, or that the job no longer knows.
        foreach (var file in await places.ListFilesAsync(source.InfoHash, cancellationToken))
            await tree.DeleteAsync(file.Id, cancellationToken);
    }

    /// <summary>
    /// True if a library may have a link to anything that a removal with data deletes: the published item, or a file of the torrent in
    /// another folder.
    /// </summary>
    private async Task<bool> WasLinkedAsync(string hash, long item, CancellationToken cancellationToken)
    {
        if (await holds.WasLinkedAsync(item, cancellationToken))
            return true;
        foreach (var file in await places.ListFilesAsync(hash, cancellationToken))
        {
            if (await holds.WasLinkedAsync(file.Id, cancellationToken))
                return true;
        }

        return false;
    }
}
