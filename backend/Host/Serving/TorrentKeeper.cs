using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Upkeep;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Host.Serving;

/// <summary>Removes torrents that nothing in the catalog needs any more, from the engine and from disk.</summary>
internal sealed partial class TorrentKeeper(
    TorrentSessions sessions, TreeStore tree, JobStore jobs, TorrentStore torrents, CatalogMark mark, CatalogOptions options,
    ILogger<TorrentKeeper> logger, ILogger<TorrentSummary> summaries)
    : RemovalFollower(tree, jobs, mark, logger)
{
    /// <summary>Folders of former states that the log has named.</summary>
    private readonly HashSet<string> _named = new(StringComparer.Ordinal);

    private readonly TreeStore _tree = tree;
    private readonly ILogger _logger = logger;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var summary = new TorrentSummary(sessions.Engine, TimeProvider.System, summaries);
        await base.ExecuteAsync(stoppingToken);
    }

    /// <inheritdoc/>
    protected override async Task SweepAsync(CancellationToken cancellationToken)
    {
        await torrents.DeleteUnneededAsync(cancellationToken);
        var there = sessions.List();
        var needed = there.Count == 0 ? [] : (await _tree.ListTorrentsAsync(cancellationToken)).ToHashSet(StringComparer.Ordinal);
        InfoHash[] unneeded = [.. there.Where(hash => !needed.Contains(hash.ToString()))];

        // Called even if nothing is unneeded: the first call after a restore decides what the former state may need.
        var spared = FindSpared(unneeded);
        foreach (var hash in unneeded.Where(hash => !spared.Contains(hash.ToString())))
            await TryRemoveAsync(hash);
    }

    /// <summary>
    /// Kept torrents that may not be removed, because the state before a restore may need them. Data in the cache can be fetched again.
    /// </summary>
    private HashSet<string> FindSpared(IEnumerable<InfoHash> unneeded)
    {
        var spared = new HashSet<string>(StringComparer.Ordinal);
        var states = FormerState.ListIn(options.ConfigFolder);
        if (states.Count == 0)
            return spared;
        var kept = unneeded.Where(sessions.Engine.IsKept).Select(static hash => hash.ToString()).ToHashSet(StringComparer.Ordinal);
        foreach (var state in states)
        {
            var its = state.TorrentsOf(kept);
            its.IntersectWith(kept);
            spared.UnionWith(its);
            if (its.Count > 0 && _named.Add(state.Folder))
                LogSpared(_logger, its.Count, state.Folder);
        }

        return spared;
    }

    /// <summary>Removes a torrent. If that fails, the others are still removed.</summary>
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

    [LoggerMessage(
        701, LogLevel.Warning,
        "{Count} kept torrents are not in the catalog. Their files stay on disk, because the state before a restore, in {Folder}, may " +
        "need them. If you do not want to go back to it, delete that folder and restart: then the files are removed.")]
    private static partial void LogSpared(ILogger logger, int count, string folder);

    [LoggerMessage(692, LogLevel.Warning,
        "Torrent {Hash} is not needed any more and could not be removed. It is tried again after the next deletion.")]
    private static partial void LogFailed(ILogger logger, Exception error, InfoHash hash);
}
