using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Transfer;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Operations;

/// <summary>Makes backups on schedule and on request, on their own thread, and removes old ones. Thread-safe.</summary>
internal sealed partial class BackupKeeper(
    Backups kept, CatalogDatabase database, SettingsBook book, IHostApplicationLifetime lifetime, TimeProvider time,
    ILogger<BackupKeeper> logger) : BackgroundService
{
    /// <summary>Delay after the start: a short-lived server makes no backup.</summary>
    private static readonly TimeSpan Settling = TimeSpan.FromMinutes(15);

    /// <summary>Delay after a failed backup.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromHours(1);

    /// <summary>
    /// Longest wait before the schedule is checked again. A timer accepts at most 49 days, and backups may be a year apart.
    /// </summary>
    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(1);

    /// <summary>Raised after each scheduled attempt; null: it failed.</summary>
    internal event Action<BackupInfo?>? Ended;

    /// <summary>Makes a backup now, and removes old ones. It is completed even if the caller stops waiting.</summary>
    /// <exception cref="CatalogException">It cannot be made.</exception>
    /// <exception cref="OperationCanceledException">The server stops.</exception>
    public async Task<BackupInfo> MakeAsync(string reason)
    {
        using var copy = await kept.CopyAsync(lifetime.ApplicationStopping);
        return await Task.Factory.StartNew(
            () => Make(reason, copy?.Backups ?? kept.Now), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (database.Upgrade is { } upgrade)
            LogUpgraded(logger, upgrade.From, upgrade.To, upgrade.Backup ?? "a backup of the database server, if one was made");
        if (database.Options.Connection is not null)
        {
            LogOnServer(logger);
            return;
        }

        await Task.Yield();
        var changed = new SemaphoreSlim(0);
        void OnChanged(NzbDavSettings settings) => changed.Release();
        book.Changed += OnChanged;
        try
        {
            var least = Settling;
            while (true)
            {
                // A changed schedule or folder takes effect at once.
                var hours = book.Current.Operations.BackupEveryHours;
                var due = hours == 0 ? Timeout.InfiniteTimeSpan : Until(TimeSpan.FromHours(hours), least);
                var wait = due is not { } known ? Pause : known < LongestWait ? known : LongestWait;
                if (!await WaitAsync(changed, wait, stoppingToken) && wait == due)
                    least = await TryAsync() ? TimeSpan.Zero : Pause;
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            book.Changed -= OnChanged;
        }
    }

    private BackupInfo Make(string reason, CatalogBackup backups)
    {
        var made = LowPriority.Run(() => backups.Create(reason, lifetime.ApplicationStopping));
        LogMade(logger, made.Name, made.Size, made.Blobs, made.BlobBytes);
        if (made.MissingBlobs > 0)
            LogMissing(logger, made.MissingBlobs);
        try
        {
            backups.Prune(book.Current.Operations.BackupKeep);
            if (backups.ListDamaged() is { Count: > 0 } damaged)
                LogDamaged(logger, backups.Folder, string.Join(", ", damaged));
        }
        catch (Exception e) when (e is CatalogException || FileFaults.IsFault(e))
        {
            // The next backup removes them.
            LogKept(logger, e.Message);
        }

        return made;
    }

    /// <returns>False when the time is over, true when the settings changed first.</returns>
    private async Task<bool> WaitAsync(SemaphoreSlim changed, TimeSpan wait, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(wait, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            await changed.WaitAsync(both.Token);
            return true;
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            return false;
        }
    }

    /// <summary>
    /// Time until the next backup is due; null if the folder cannot be listed. Backups made by hand or before an upgrade count too.
    /// </summary>
    private TimeSpan? Until(TimeSpan every, TimeSpan least)
    {
        try
        {
            var wait = kept.Now.List() is [var newest, ..] ? newest.Created + every - time.GetUtcNow() : TimeSpan.Zero;

            // The clock was set back, or a file is from the future: wait no longer than after a backup made now.
            return wait < least ? least : wait > every ? every : wait;
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogFailed(logger, e.Message, Pause.TotalMinutes);
            return null;
        }
        catch (Exception e)
        {
            LogFault(logger, e, Pause.TotalMinutes);
            return null;
        }
    }

    private async Task<bool> TryAsync()
    {
        BackupInfo? made = null;
        try
        {
            made = await MakeAsync(BackupReason.Schedule);
        }
        catch (CatalogException e)
        {
            LogFailed(logger, e.Message, Pause.TotalMinutes);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            // The server stops: the next start makes the backup.
            return false;
        }
        catch (Exception e)
        {
            // An exception that leaves the service would end the schedule until the next start.
            LogFault(logger, e, Pause.TotalMinutes);
        }

        Ended?.Invoke(made);
        return made is not null;
    }

    [LoggerMessage(467, LogLevel.Information, "Made the backup {Backup}: {Size} bytes, {Blobs} blobs of {BlobBytes} bytes.")]
    private static partial void LogMade(ILogger logger, string backup, long size, int blobs, long blobBytes);

    [LoggerMessage(468, LogLevel.Warning, "The backup could not be made: {Reason} Next attempt in {Minutes:0} minutes.")]
    private static partial void LogFailed(ILogger logger, string reason, double minutes);

    [LoggerMessage(503, LogLevel.Warning,
        "The catalog was upgraded from schema {From} to {To}, which cannot be undone. The previous state is in {Backup}.")]
    private static partial void LogUpgraded(ILogger logger, int from, int to, string backup);

    [LoggerMessage(
        614, LogLevel.Information,
        "The catalog is in PostgreSQL, so no backups of it are made on schedule: back up the server (pg_dump) and the folders keys/ and " +
        "patches/, or run nzbdav backup.")]
    private static partial void LogOnServer(ILogger logger);

    [LoggerMessage(
        504, LogLevel.Warning,
        "{Missing} blobs that the catalog refers to are missing: some files cannot be read, and the backup does not contain the blobs " +
        "either.")]
    private static partial void LogMissing(ILogger logger, int missing);

    [LoggerMessage(702, LogLevel.Error, "The backup failed by an internal error. Next attempt in {Minutes:0} minutes. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, double minutes);

    [LoggerMessage(
        703, LogLevel.Warning,
        "Backups in {Folder} are damaged or cannot be read: {Names}. No blobs are removed while these backups may need them. Delete " +
        "these files.")]
    private static partial void LogDamaged(ILogger logger, string folder, string names);

    [LoggerMessage(505, LogLevel.Warning, "Old backups could not be removed: {Reason}")]
    private static partial void LogKept(ILogger logger, string reason);
}

/// <summary>The backups in the configured folder. Thread-safe.</summary>
internal sealed class Backups(CatalogOptions options, SettingsBook book, TimeProvider time)
{
    public CatalogBackup Now => new(Options, time);

    private CatalogOptions Options => options with { BackupFolder = book.Current.Catalog(options.ConfigFolder).BackupFolder };

    /// <summary>What a backup is made of, where the catalog is in PostgreSQL; null: the configuration folder itself.</summary>
    /// <exception cref="CatalogException">The database cannot be copied.</exception>
    public async Task<ServerCopy?> CopyAsync(CancellationToken cancellationToken) =>
        options.Connection is null ? null : await ServerCopy.MakeAsync(Options, time, cancellationToken);
}
