using System.Threading.Channels;
using NzbDav.Catalog;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Host.Serving;

/// <summary>
/// Removes torrents that nothing in the catalog needs any more, from the engine and from the disk: looks at the start and after everything that was deleted.
/// </summary>
internal sealed partial class TorrentKeeper(TorrentSessions sessions, TreeStore tree, JobStore jobs, TorrentStore torrents, ILogger<TorrentKeeper> logger, ILogger<TorrentSummary> summaries) : BackgroundService
{
    // Bounded to one: whatever was deleted, everything is looked at.
    private readonly Channel<bool> _news = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        using var summary = new TorrentSummary(sessions.Engine, TimeProvider.System, summaries);
        tree.Removed += Tell;
        jobs.Changed += OnChanged;
        try
        {
            _news.Writer.TryWrite(true);
            await foreach (var _ in _news.Reader.ReadAllAsync(stoppingToken))
                await LookAsync(stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            tree.Removed -= Tell;
            jobs.Changed -= OnChanged;
        }
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            await torrents.DeleteUnneededAsync(cancellationToken);

            // What is there first: whatever comes meanwhile is not in question.
            var there = sessions.List();
            if (there.Count == 0)
                return;
            var needed = (await tree.ListTorrentsAsync(cancellationToken)).ToHashSet(StringComparer.Ordinal);
            foreach (var hash in there.Where(hash => !needed.Contains(hash.ToString())))
            {
                await sessions.RemoveAsync(hash);
                LogRemoved(logger, hash);
            }
        }
        catch (CatalogException e)
        {
            LogTrouble(logger, e.Message);
        }
    }

    private void Tell() => _news.Writer.TryWrite(true);

    private void OnChanged(JobChange change)
    {
        if (change.State is null or JobState.Failed)
            Tell();
    }

    [LoggerMessage(251, LogLevel.Information, "Removed torrent {Hash}: nothing needs it any more.")]
    private static partial void LogRemoved(ILogger logger, InfoHash hash);

    [LoggerMessage(252, LogLevel.Warning, "Torrents that nothing needs any more could not be looked for: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
