using NzbDav.Catalog.Database;
using NzbDav.Seeding;

namespace NzbDav.Host.Serving;

/// <summary>Runs the steps of <see cref="SeedingRunner"/> while the server runs, and stores the transferred totals when it stops.</summary>
internal sealed partial class TorrentSeeder(SeedingRunner runner, TimeProvider time, ILogger<TorrentSeeder> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        using var timer = new PeriodicTimer(SeedingRunner.Pace, time);
        runner.Stalled += OnStalled;
        try
        {
            do
                await StepAsync(stoppingToken);
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            runner.Stalled -= OnStalled;
        }

        try
        {
            await runner.StoreAsync(CancellationToken.None);
        }
        catch (CatalogException e)
        {
            LogTrouble(logger, e.Message);
        }
    }

    private async Task StepAsync(CancellationToken cancellationToken)
    {
        try
        {
            await runner.StepAsync(cancellationToken);
        }
        catch (Exception e) when (e is CatalogException or IOException or ObjectDisposedException)
        {
            LogTrouble(logger, e.Message);
        }
    }

    private void OnStalled(StalledTorrent torrent) => LogStalled(logger, torrent.Name, torrent.Reason);

    [LoggerMessage(255, LogLevel.Warning, "Torrents cannot be managed at the moment: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);

    [LoggerMessage(256, LogLevel.Warning, "Gave up torrent {Name}: {Reason}")]
    private static partial void LogStalled(ILogger logger, string name, string reason);
}
