using NzbDav.Arr.Queue;
using NzbDav.Catalog;
using NzbDav.Seeding;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Asks the *arrs to give up torrents of which no whole copy was found. One that does not answer is asked again once a minute, for a day; after a restart, all that stand in the list as given up are
/// asked about once more, which changes nothing where it was done.
/// </summary>
internal sealed partial class StalledTorrents(ArrInstances arrs, IServiceProvider services, TimeProvider time, ILogger<StalledTorrents> logger) : BackgroundService
{
    private static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Patience = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private readonly List<(StalledTorrent Torrent, long Since)> _waiting = [];

    /// <summary>A torrent was given up.</summary>
    public void Add(StalledTorrent torrent)
    {
        lock (_gate)
            _waiting.Add((torrent, time.GetTimestamp()));
    }

    /// <summary>Asks about all that wait.</summary>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        (StalledTorrent Torrent, long Since)[] waiting;
        lock (_gate)
            waiting = [.. _waiting];
        foreach (var one in waiting)
        {
            if (!await AskAsync(one.Torrent, cancellationToken) && time.GetElapsedTime(one.Since) < Patience)
                continue;
            lock (_gate)
                _waiting.Remove(one);
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (services.GetService<SeedingRunner>() is not { } runner)
            return;
        runner.Stalled += Add;
        try
        {
            foreach (var torrent in await services.GetRequiredService<TorrentShelf>().ListAsync(stoppingToken))
            {
                if (torrent is { State: TorrentState.Failed, Reason: { } reason } && reason.StartsWith(SeedingRunner.GivenUp, StringComparison.Ordinal))
                    Add(new StalledTorrent(torrent.Hash, torrent.Name, torrent.Entry.Category, reason));
            }

            using var timer = new PeriodicTimer(Pace, time);
            while (await timer.WaitForNextTickAsync(stoppingToken))
                await RunAsync(stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        catch (CatalogException)
        {
            // Nothing can be listed: what is given up from here on is not heard of before the next start.
        }
        finally
        {
            runner.Stalled -= Add;
        }
    }

    /// <summary>True if there is nothing left to ask anybody.</summary>
    private async Task<bool> AskAsync(StalledTorrent torrent, CancellationToken cancellationToken)
    {
        var concerned = arrs.All.Where(instance => instance.Settings.Category.Equals(torrent.Category, StringComparison.OrdinalIgnoreCase)).ToArray();
        var isDone = true;
        foreach (var instance in concerned)
        {
            try
            {
                var result = await instance.Failed.RunAsync(torrent.Hash, cancellationToken);
                isDone &= result is FailedDownloadOutcome.Done or FailedDownloadOutcome.Unknown;
                if (result == FailedDownloadOutcome.Done)
                    LogGivenUp(logger, instance.Settings.Name, torrent.Name);
            }
            catch (ObjectDisposedException)
            {
                // It is configured otherwise now.
                isDone = false;
            }
        }

        return isDone;
    }

    [LoggerMessage(463, LogLevel.Information, "{Name} gave up {Torrent} and looks for another release.")]
    private static partial void LogGivenUp(ILogger logger, string name, string torrent);
}
