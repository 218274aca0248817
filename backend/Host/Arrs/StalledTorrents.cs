using NzbDav.Arr.Client;
using NzbDav.Arr.Queue;
using NzbDav.Catalog.Database;
using NzbDav.Seeding;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Asks the *arrs to give up torrents of which no complete copy was found. An *arr that does not answer is asked again once a minute, for a day. After a restart the
/// *arrs are asked again about all torrents listed as given up, which has no effect if they have given them up already.
/// </summary>
internal sealed partial class StalledTorrents(ArrInstances arrs, IServiceProvider services, TimeProvider time, ILogger<StalledTorrents> logger) : BackgroundService
{
    private static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Patience = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private readonly List<(StalledTorrent Torrent, long Since)> _waiting = [];

    /// <summary>Reports a torrent that was given up.</summary>
    public void Add(StalledTorrent torrent)
    {
        lock (_gate)
            _waiting.Add((torrent, time.GetTimestamp()));
    }

    /// <summary>Asks about all waiting torrents.</summary>
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
                    Add(new StalledTorrent(torrent.Hash, torrent.Name, reason));
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
            // The list cannot be read: torrents given up from now on are handled at the next start.
        }
        finally
        {
            runner.Stalled -= Add;
        }
    }

    /// <returns>True if there is nobody left to ask about it.</returns>
    private async Task<bool> AskAsync(StalledTorrent torrent, CancellationToken cancellationToken)
    {
        // All of them: their torrents have another category than their posts, and one that did not send the torrent does not know the info-hash.
        var isDone = true;
        foreach (var instance in arrs.All.Where(static instance => instance.Settings.Options.Application != ArrApplication.Prowlarr))
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
                // Its settings changed in the meantime.
                isDone = false;
            }
        }

        return isDone;
    }

    [LoggerMessage(463, LogLevel.Information, "{Name} gave up {Torrent} and searches for another release.")]
    private static partial void LogGivenUp(ILogger logger, string name, string torrent);
}
