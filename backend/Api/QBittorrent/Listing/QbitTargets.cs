namespace NzbDav.Api.QBittorrent;

/// <summary>Finds out what a command is about. Thread-safe.</summary>
internal sealed class QbitTargets(QbitList list)
{
    /// <summary>The torrents and jobs that <c>hashes</c> names; all that are listed for <c>all</c>.</summary>
    /// <param name="call">The command.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <param name="name">The parameter, where it is not <c>hashes</c>.</param>
    public async ValueTask<QbitTarget> FindAsync(QbitCall call, CancellationToken cancellationToken, string name = "hashes")
    {
        var hashes = call.Hashes(name) ?? [.. (await list.ListAsync(cancellationToken)).Select(static torrent => torrent.Hash)];
        var jobs = list.ShowsJobs ? hashes.Select(NzbTorrents.JobOf).OfType<long>().ToList() : [];
        return new QbitTarget([.. hashes.Where(static hash => NzbTorrents.JobOf(hash) is null)], jobs);
    }
}
