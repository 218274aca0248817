using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Seeding;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Notifies the *arrs when a torrent counts as complete: not when it is published, but when its peers have a whole copy. Skips torrents
/// that were complete at the start: the *arrs have seen them, or poll within a minute.
/// </summary>
internal sealed partial class ReadyTorrents(
    ArrInstances arrs, IServiceProvider services, CatalogDatabase catalog, ILogger<ReadyTorrents> logger) : BackgroundService
{
    // Capacity 1: each wake-up reads the whole list.
    private readonly Channel<bool> _changed =
        Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    private HashSet<string>? _ready;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (services.GetService<TorrentShelf>() is not { } shelf)
            return;
        void OnChanged(IReadOnlyCollection<string> hashes) => _changed.Writer.TryWrite(true);
        shelf.Changed += OnChanged;
        try
        {
            await TryAsync(shelf, stoppingToken);
            await foreach (var _ in _changed.Reader.ReadAllAsync(stoppingToken))
                await TryAsync(shelf, stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            shelf.Changed -= OnChanged;
        }
    }

    private async Task TryAsync(TorrentShelf shelf, CancellationToken cancellationToken)
    {
        try
        {
            var ready = (await shelf.ListAsync(cancellationToken)).Where(static torrent => torrent.IsReady).ToList();
            var news = _ready is { } known ? ready.FindAll(torrent => !known.Contains(torrent.Hash)) : [];
            _ready = ready.Select(static torrent => torrent.Hash).ToHashSet(StringComparer.Ordinal);

            // With several gateways, only the leader does this.
            foreach (var torrent in catalog.IsLeading ? news : [])
            {
                if (torrent.JobId is { } job)
                    arrs.NotifyReady(job);
            }
        }
        catch (CatalogException)
        {
            // The list cannot be read now: try again at the next change.
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // An exception that leaves the service would end it until the next start.
            LogFault(logger, e);
        }
    }

    [LoggerMessage(
        741,
        LogLevel.Error,
        "No *arr was notified of torrents that are complete now, because of an internal error. They poll by themselves within a minute. "
        + "Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
