using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Seeding;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Has the *arrs look at the moment when a torrent counts as complete: not yet when it is published, but when its peers have a whole copy.
/// Those that were complete at the start are not told: the *arrs have seen them, or poll within a minute.
/// </summary>
internal sealed partial class ReadyTorrents(
    ArrInstances arrs, IServiceProvider services, CatalogDatabase catalog, ILogger<ReadyTorrents> logger) : BackgroundService
{
    // One wake-up waits at most: the list is read as a whole.
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

            // One of several gateways does it for all.
            foreach (var torrent in catalog.IsLeading ? news : [])
            {
                if (torrent.JobId is { } job)
                    arrs.NotifyReady(job);
            }
        }
        catch (CatalogException)
        {
            // The list cannot be read now: the next change tells.
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
