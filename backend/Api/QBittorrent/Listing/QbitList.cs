using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Completion;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>The torrents as this interface shows them, and NZB jobs too if a setting says so. Thread-safe.</summary>
internal sealed class QbitList(
    IServiceProvider services, NzbTorrents jobs, JobStore store, ICompletion completion, Live<SabOptions> paths, Live<QbitOptions> options)
{
    /// <summary>Jobs whose folder was seen in the mount. A folder that has been seen once counts as visible from then on.</summary>
    private readonly ConcurrentDictionary<long, bool> _visible = new();

    /// <summary>The user's torrents; null where torrents are switched off.</summary>
    public TorrentShelf? Shelf { get; } = services.GetService<TorrentShelf>();

    /// <summary>True if NZB jobs are listed too.</summary>
    public bool ShowsJobs => options.Value.ShowsNzbJobs;

    /// <summary>All torrents, sorted by their turn.</summary>
    public async ValueTask<IReadOnlyList<QbitTorrent>> ListAsync(CancellationToken cancellationToken)
    {
        var all = new List<QbitTorrent>();
        foreach (var torrent in Shelf is null ? [] : await Shelf.ListAsync(cancellationToken))
            all.Add(await ShowAsync(torrent, cancellationToken));
        if (ShowsJobs)
            all.AddRange(await jobs.ListAsync(cancellationToken));
        return all;
    }

    /// <summary>One torrent; null if it is not in the list.</summary>
    public async ValueTask<QbitTorrent?> FindAsync(string? hash, CancellationToken cancellationToken)
    {
        if (hash is null)
            return null;
        if (Shelf is not null && await Shelf.FindAsync(hash, cancellationToken) is { } torrent)
            return await ShowAsync(torrent, cancellationToken);
        return ShowsJobs && NzbTorrents.JobOf(hash) is { } id ? await jobs.FindAsync(id, cancellationToken) : null;
    }

    private async ValueTask<QbitTorrent> ShowAsync(TorrentView torrent, CancellationToken cancellationToken) =>
        QbitTorrent.Of(torrent, paths.Value.CompletedPath, !torrent.IsReady || await IsVisibleAsync(torrent.JobId, cancellationToken));

    private async ValueTask<bool> IsVisibleAsync(long? job, CancellationToken cancellationToken)
    {
        if (job is not { } id || _visible.ContainsKey(id))
            return true;
        if (await store.GetAsync(id, cancellationToken) is { State: JobState.Completed } known && !completion.IsVisible(known))
            return false;
        _visible[id] = true;
        return true;
    }
}

/// <summary>Resolves the torrents and jobs that a command applies to. Thread-safe.</summary>
internal sealed class QbitTargets(QbitList list)
{
    /// <summary>The torrents and jobs named by <c>hashes</c>; for <c>all</c>, everything in the list.</summary>
    /// <param name="call">The command.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <param name="name">The name of the parameter, if it is not <c>hashes</c>.</param>
    public async ValueTask<QbitTarget> FindAsync(QbitCall call, CancellationToken cancellationToken, string name = "hashes")
    {
        var hashes = call.Hashes(name) ?? [.. (await list.ListAsync(cancellationToken)).Select(static torrent => torrent.Hash)];
        var jobs = list.ShowsJobs ? hashes.Select(NzbTorrents.JobOf).OfType<long>().ToList() : [];
        return new QbitTarget([.. hashes.Where(static hash => NzbTorrents.JobOf(hash) is null)], jobs);
    }
}

/// <summary>The torrents and jobs that a command applies to.</summary>
/// <param name="Torrents">Info-hashes; some may belong to no known torrent.</param>
/// <param name="Jobs">NZB jobs.</param>
internal sealed record QbitTarget(IReadOnlyList<string> Torrents, IReadOnlyList<long> Jobs);
