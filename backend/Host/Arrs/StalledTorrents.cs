using NzbDav.Arr.Client;
using NzbDav.Arr.Queue;
using NzbDav.Catalog.Database;
using NzbDav.Import.Progress;
using NzbDav.Seeding;

namespace NzbDav.Host.Arrs;

/// <summary>
/// Asks the *arrs to give up torrents that will not arrive: those without a complete copy in the swarm, and those whose import failed, such
/// as a magnet link whose metadata no peer has. By themselves, the *arrs only show a warning for them, whatever state is reported. An *arr
/// that does not answer is asked again once a minute, for a day. After a restart they are asked again about all that are still in the list,
/// which has no effect on what they have given up already.
/// </summary>
internal sealed partial class StalledTorrents(
    ArrInstances arrs, IServiceProvider services, CatalogDatabase catalog, TimeProvider time, ILogger<StalledTorrents> logger)
    : BackgroundService
{
    private static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan RetryPeriod = TimeSpan.FromDays(1);

    /// <summary>Torrents that were given up, by info-hash: when that was noticed, and whether nobody is left to ask.</summary>
    private readonly Dictionary<string, (long Since, bool IsDone)> _known = new(StringComparer.Ordinal);

    /// <summary>Asks about all torrents that were given up. Not thread-safe.</summary>
    /// <exception cref="CatalogException">The list cannot be read.</exception>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        // With several gateways, only the leader does this.
        if (!catalog.IsLeading || services.GetService<TorrentShelf>() is not { } shelf)
            return;
        var given = (await shelf.ListAsync(cancellationToken))
            .Where(IsGivenUp).ToDictionary(static torrent => torrent.Hash, StringComparer.Ordinal);

        // A torrent that was started again may be given up again.
        foreach (var hash in _known.Keys.Where(hash => !given.ContainsKey(hash)).ToList())
            _known.Remove(hash);
        foreach (var torrent in given.Values)
        {
            var (since, isDone) = _known.GetValueOrDefault(torrent.Hash, (time.GetTimestamp(), false));
            _known[torrent.Hash] = (
                since, isDone || await AbandonAsync(torrent, cancellationToken) || time.GetElapsedTime(since) >= RetryPeriod);
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (services.GetService<SeedingRunner>() is null)
            return;
        try
        {
            using var timer = new PeriodicTimer(Pace, time);
            while (await timer.WaitForNextTickAsync(stoppingToken))
                await TryAsync(stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    private static bool IsGivenUp(TorrentView torrent) =>
        torrent.IsGivenUp || (torrent.ImportFailure is { } code && ImportFailure.IsOfRelease(code));

    private async Task TryAsync(CancellationToken cancellationToken)
    {
        try
        {
            await RunAsync(cancellationToken);
        }
        catch (CatalogException)
        {
            // The list cannot be read now.
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // An exception that leaves the service would end it until the next start.
            LogFault(logger, e);
        }
    }

    /// <returns>True if there is nobody left to ask about it.</returns>
    private async Task<bool> AbandonAsync(TorrentView torrent, CancellationToken cancellationToken)
    {
        // Ask all of them: they have another category for torrents, and an *arr that did not send the torrent does not know its info-hash.
        var all = arrs.All.Where(static instance => instance.Settings.Options.Application != ArrApplication.Prowlarr).ToList();
        var isDone = all.Count > 0;
        foreach (var instance in all)
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

    [LoggerMessage(
        740,
        LogLevel.Error,
        "An *arr could not be told of torrents that were given up, because of an internal error. "
        + "It is tried again in a minute. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
