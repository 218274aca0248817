using NzbDav.Catalog.Database;
using NzbDav.Seeding;

namespace NzbDav.Host.Serving;

/// <summary>Runs the steps of <see cref="SeedingRunner"/> while the server runs, and stores the transferred totals when it stops.</summary>
internal sealed partial class TorrentSeeder(SeedingRunner runner, TimeProvider time, ILogger<TorrentSeeder> logger) : BackgroundService
{
    /// <summary>Message of the internal error that the last step failed by; null: it did not.</summary>
    private string? _fault;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        using var timer = new PeriodicTimer(SeedingRunner.Pace, time);
        runner.Stalled += OnStalled;
        runner.Failed += OnFailed;
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
            runner.Failed -= OnFailed;
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
            _fault = null;
        }
        catch (Exception e) when (e is CatalogException or IOException or ObjectDisposedException)
        {
            LogTrouble(logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // Otherwise no torrent would be managed until the server is restarted. Logged once, as the next step may fail alike.
            if (_fault != e.Message)
                LogFault(logger, e);
            _fault = e.Message;
        }
    }

    private void OnStalled(StalledTorrent torrent) => LogStalled(logger, torrent.Name, torrent.Reason);

    private void OnFailed(FailedTorrent torrent) => LogFailed(logger, torrent.Error, torrent.Name);

    [LoggerMessage(255, LogLevel.Warning, "Torrents cannot be managed at the moment: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);

    [LoggerMessage(256, LogLevel.Warning, "Gave up torrent {Name}: {Reason}")]
    private static partial void LogStalled(ILogger logger, string name, string reason);

    [LoggerMessage(690, LogLevel.Warning,
        "Torrent {Name} cannot be managed at the moment. It is tried again every two seconds; the other torrents go on.")]
    private static partial void LogFailed(ILogger logger, Exception error, string name);

    [LoggerMessage(691, LogLevel.Error,
        "Torrents cannot be managed because of an internal error. It is tried again every two seconds. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
