using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Listing;

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
