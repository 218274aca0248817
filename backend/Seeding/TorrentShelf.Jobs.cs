using NzbDav.Catalog.Browsing;

namespace NzbDav.Seeding;

/// <content>
/// Actions on torrents and the jobs that add them: the only code that changes both. A job matters until it has published something; after
/// that, only the torrent can be stopped or relabelled.
/// </content>
public sealed partial class TorrentShelf
{
    /// <summary>True if a torrent in the list waits for this job, which has published nothing yet.</summary>
    public async ValueTask<bool> IsAddedByAsync(string hash, long job, CancellationToken cancellationToken) =>
        await FindSourceAsync(hash, cancellationToken) is { ItemId: null, JobId: { } id } && id == job;

    /// <summary>Starts torrents again and clears their errors. Their paused jobs are resumed, failed ones are retried.</summary>
    public async Task<int> StartAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken)
    {
        var count = await UpdateAsync(hashes, static entry => entry with { IsStopped = false, Error = null }, cancellationToken);
        await WakeAsync(hashes, cancellationToken);
        return count;
    }

    /// <summary>
    /// Stops torrents: they leave their swarms, but their files can still be read. Jobs that have published nothing yet are paused.
    /// </summary>
    public async Task<int> StopAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken)
    {
        var count = await UpdateAsync(hashes, static entry => entry with { IsStopped = true, IsForced = false }, cancellationToken);
        await ForJobsAsync(hashes, job => _jobs.PauseAsync(job, cancellationToken), cancellationToken);
        return count;
    }

    /// <summary>
    /// Sets or clears force. Forced torrents run regardless of the limits on active torrents and of their share limits. Forcing a torrent
    /// also starts it and clears its error.
    /// </summary>
    public async Task<int> ForceAsync(IReadOnlyCollection<string> hashes, bool force, CancellationToken cancellationToken)
    {
        var count = await UpdateAsync(
            hashes,
            entry => entry with { IsForced = force, IsStopped = entry.IsStopped && !force, Error = force ? null : entry.Error },
            cancellationToken);
        if (force)
            await WakeAsync(hashes, cancellationToken);
        return count;
    }

    /// <summary>
    /// Changes the category of torrents. Published files stay where they are, so that a running import still finds them; files published
    /// later go to the new category.
    /// </summary>
    /// <param name="hashes">The torrents.</param>
    /// <param name="category">The new category; empty: none. A job must have one, so it then keeps its own.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    public async Task<int> SetCategoryAsync(IReadOnlyCollection<string> hashes, string category, CancellationToken cancellationToken)
    {
        var count = await UpdateAsync(hashes, entry => entry with { Category = category }, cancellationToken);
        if (category.Length > 0)
            await ForJobsAsync(hashes, job => _jobs.SetCategoryAsync(job, category, cancellationToken), cancellationToken);
        return count;
    }

    /// <summary>Removes torrents from the list. They leave their swarms, and their queued or running jobs end.</summary>
    /// <param name="hashes">The torrents.</param>
    /// <param name="withData">True: their files are deleted too, except while a library has or may have a link to one of them. False: their
    /// files stay in the tree, and so does the data kept on disk.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer; torrents already removed stay removed.</param>
    /// <returns>Number of torrents that were in the list.</returns>
    public async Task<int> RemoveAsync(IReadOnlyCollection<string> hashes, bool withData, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        var removal = new TorrentRemoval(_store, _jobs, _tree, _places, _holds, _unwanted);
        var count = 0;
        foreach (var hash in hashes.Distinct(StringComparer.Ordinal))
        {
            if (await FindSourceAsync(hash, cancellationToken) is not { } source)
                continue;
            await removal.RemoveAsync(source, withData, cancellationToken);
            count++;
        }

        return count;
    }

    private Task WakeAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken) => ForJobsAsync(
        hashes,
        async job => await _jobs.ResumeAsync(job, cancellationToken) || await _jobs.RetryAsync(job, cancellationToken),
        cancellationToken);

    /// <summary>Changes the jobs of torrents that are in the list and not published.</summary>
    private async Task ForJobsAsync(IReadOnlyCollection<string> hashes, Func<long, Task<bool>> change, CancellationToken cancellationToken)
    {
        var asked = hashes.ToHashSet(StringComparer.Ordinal);
        foreach (var source in await _places.ListSourcesAsync(asked.Count == 1 ? asked.First() : null, cancellationToken))
        {
            if (source is { ItemId: null, JobId: { } job } && asked.Contains(source.InfoHash)
                && await _store.FindAsync(source.InfoHash, cancellationToken) is { Removed: null })
                await change(job);
        }
    }

    /// <summary>The current source of a torrent, with its job and published item; null if it is not in the list.</summary>
    private async ValueTask<TorrentSource?> FindSourceAsync(string hash, CancellationToken cancellationToken) =>
        await _store.FindAsync(hash, cancellationToken) is { Removed: null }
        && await _places.ListSourcesAsync(hash, cancellationToken) is [var source] ? source : null;
}
