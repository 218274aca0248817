using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Upkeep;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Host.Serving;

/// <summary>Removes torrents that nothing in the catalog needs any more, from the engine and from disk.</summary>
internal sealed partial class TorrentKeeper(TorrentSessions sessions, TreeStore tree, JobStore jobs, TorrentStore torrents, CatalogMark mark, ILogger<TorrentKeeper> logger, ILogger<TorrentSummary> summaries)
    : RemovalFollower(tree, jobs, mark, logger)
{
    private readonly TreeStore _tree = tree;
    private readonly ILogger _logger = logger;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var summary = new TorrentSummary(sessions.Engine, TimeProvider.System, summaries);
        await base.ExecuteAsync(stoppingToken);
    }

    /// <inheritdoc/>
    protected override async Task LookAsync(CancellationToken cancellationToken)
    {
        await torrents.DeleteUnneededAsync(cancellationToken);
        var there = sessions.List();
        if (there.Count == 0)
            return;
        var needed = (await _tree.ListTorrentsAsync(cancellationToken)).ToHashSet(StringComparer.Ordinal);
        foreach (var hash in there.Where(hash => !needed.Contains(hash.ToString())))
            await TryRemoveAsync(hash);
    }

    /// <summary>Removes a torrent. If that fails, the others are removed nevertheless.</summary>
    private async Task TryRemoveAsync(InfoHash hash)
    {
        try
        {
            await sessions.RemoveAsync(hash);
            LogRemoved(_logger, hash);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            LogFailed(_logger, error, hash);
        }
    }

    [LoggerMessage(251, LogLevel.Information, "Removed torrent {Hash}: nothing needs it any more.")]
    private static partial void LogRemoved(ILogger logger, InfoHash hash);

    [LoggerMessage(692, LogLevel.Warning, "Torrent {Hash} is not needed any more and could not be removed. It is tried again after the next deletion.")]
    private static partial void LogFailed(ILogger logger, Exception error, InfoHash hash);
}
