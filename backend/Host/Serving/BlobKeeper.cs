using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Host.Serving;

/// <summary>
/// Removes blobs that nothing refers to, at the start and once a day. Moves blobs that an earlier version left in the local folder into the
/// database, if blobs are stored there.
/// </summary>
internal sealed partial class BlobKeeper(
    BlobCollector collector, CatalogOptions options, TimeProvider time, ILogger<BlobKeeper> logger) : BackgroundService
{
    /// <summary>Time between two sweeps.</summary>
    internal static readonly TimeSpan Every = TimeSpan.FromDays(1);

    /// <summary>Raised after each scheduled sweep; null: it failed.</summary>
    internal event Action<SweepResult?>? Swept;

    /// <summary>Sweeps now.</summary>
    /// <exception cref="CatalogException">The blobs or the database cannot be read.</exception>
    public async Task<SweepResult> SweepAsync(CancellationToken cancellationToken)
    {
        var sweep = await collector.SweepOrphansAsync(cancellationToken);
        if (sweep.Refused && options.HasBlobsInDatabase)
            LogRowsRefused(logger, sweep.Orphans, sweep.Blobs);
        else if (sweep.Refused)
            LogRefused(
                logger, sweep.Orphans, sweep.Blobs, options.BlobFolder, options.Connection is null ? options.DatabasePath : "the database");
        else if (sweep.Quarantined > 0 || sweep.Returned > 0)
            LogSwept(logger, sweep.Quarantined, sweep.Returned);
        return sweep;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        try
        {
            await AdoptLocalAsync(stoppingToken);
            using var timer = new PeriodicTimer(Every, time);
            while (await timer.WaitForNextTickAsync(stoppingToken))
                Swept?.Invoke(await TrySweepAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    private async Task AdoptLocalAsync(CancellationToken cancellationToken)
    {
        try
        {
            var (taken, damaged) = await collector.AdoptLocalAsync(cancellationToken);
            if (taken > 0)
                LogTaken(logger, taken, options.BlobFolder);
            if (damaged > 0)
                LogDamaged(logger, damaged, options.BlobFolder);
        }
        catch (CatalogException e)
        {
            // Readers adopt what they need; the next start adopts the rest.
            LogTrouble(logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            LogFault(logger, e);
        }
    }

    private async Task<SweepResult?> TrySweepAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await SweepAsync(cancellationToken);
        }
        catch (CatalogException e)
        {
            LogTrouble(logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            LogFault(logger, e);
        }

        return null;
    }

    [LoggerMessage(
        455, LogLevel.Warning,
        "The database refers to none of {Orphans} of the {Blobs} blobs in {Folder}, which is more than crashes leave; none was removed. " +
        "If {Database} is new or another one, stop the server and restore the newest backup (nzbdav restore FILE).")]
    private static partial void LogRefused(ILogger logger, int orphans, int blobs, string folder, string database);

    [LoggerMessage(456, LogLevel.Information,
        "Blobs that nothing refers to: {Quarantined} moved to the quarantine, where they stay for 30 days; {Returned} returned from it.")]
    private static partial void LogSwept(ILogger logger, int quarantined, int returned);

    [LoggerMessage(
        620, LogLevel.Warning,
        "The database refers to none of {Orphans} of its {Blobs} blobs, which is more than crashes leave; none was removed. If rows of " +
        "it are lost, put back a backup of the database.")]
    private static partial void LogRowsRefused(ILogger logger, int orphans, int blobs);

    [LoggerMessage(621, LogLevel.Information, "Put {Blobs} blobs from {Folder} into the database, where all gateways find them.")]
    private static partial void LogTaken(ILogger logger, int blobs, string folder);

    [LoggerMessage(622, LogLevel.Warning,
        "{Blobs} blobs in {Folder} are damaged and were not put into the database: the files that need them cannot be read.")]
    private static partial void LogDamaged(ILogger logger, int blobs, string folder);

    [LoggerMessage(623, LogLevel.Warning, "Blobs could not be looked through: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);

    [LoggerMessage(624, LogLevel.Error, "Blobs were not looked through because of an error in the program; the next attempt is in a day.")]
    private static partial void LogFault(ILogger logger, Exception exception);
}
