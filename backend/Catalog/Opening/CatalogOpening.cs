using System.Data.Common;
using System.Globalization;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;
using NzbDav.Catalog.Database.Sqlite;

namespace NzbDav.Catalog.Opening;

/// <summary>
/// Opens the catalog's database. Completes an interrupted restore, and upgrades an old schema to the newest after a backup.
/// </summary>
public static class CatalogOpening
{
    /// <summary>The version of SQLite that ships with this program.</summary>
    public static string SqliteVersion => SqliteEngine.Version;

    /// <summary>Opens the database, creates it if it is missing, and upgrades it to the newest schema.</summary>
    /// <exception cref="CatalogException">It cannot be opened; the message says why and what to do.</exception>
    public static Task<CatalogDatabase> OpenAsync(CatalogOptions options, TimeProvider time, CancellationToken cancellationToken) =>
        OpenAsync(options, time, migrations: null, cancellationToken);

    internal static Task<CatalogDatabase> OpenAsync(
        CatalogOptions options, TimeProvider time, IReadOnlyList<Migration>? migrations, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        if (options.ReadConnections < 1)
            throw new ArgumentException("At least one connection must read.", nameof(options));
        return Task.Run(() => OpenWithReserveAsync(options, time, migrations), cancellationToken);
    }

    /// <summary>Retries on a full disk with the reserved space, so that committed data can still be read.</summary>
    private static async Task<CatalogDatabase> OpenWithReserveAsync(
        CatalogOptions options, TimeProvider time, IReadOnlyList<Migration>? migrations)
    {
        try
        {
            return await OpenCatalogAsync(options, time, migrations);
        }
        catch (CatalogException error) when (error.Fault == CatalogFault.DiskFull && DiskReserve.TryRelease(options.ConfigFolder))
        {
            return await OpenCatalogAsync(options, time, migrations);
        }
    }

    private static async Task<CatalogDatabase> OpenCatalogAsync(
        CatalogOptions options, TimeProvider time, IReadOnlyList<Migration>? migrations)
    {
        try
        {
            Directory.CreateDirectory(options.ConfigFolder);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, options.ConfigFolder);
        }

        CatalogRestore.CompleteInterrupted(options.ConfigFolder);
        CatalogEngine engine = options.Connection is null ? new SqliteEngine(options, time) : new PostgresEngine(options);
        DbConnection? writer = null;
        try
        {
            writer = engine.OpenWriter();
            CatalogUpgrade? upgrade = null;
            new MigrationRunner(engine, migrations ?? engine.Migrations, time).Run(writer, (from, to) =>
            {
                upgrade = new CatalogUpgrade(from, to, options.Connection is null ? BackUp(options, time, from, to) : null);
            });
            var database = new CatalogDatabase(engine, time, writer, engine.CountOpening(writer)) { Upgrade = upgrade };
            try
            {
                await database.ListenAsync(CancellationToken.None);
                return database;
            }
            catch
            {
                await database.DisposeAsync();
                throw;
            }
        }
        catch (Exception error)
        {
            writer?.Dispose();
            await engine.DisposeAsync();
            if (engine.Translate(error) is { } known)
                throw known;
            throw;
        }
    }

    /// <summary>
    /// Backs up before an upgrade. The backup is the only way back from a newer schema, so nothing is upgraded without it.
    /// </summary>
    /// <returns>The path of the backup.</returns>
    private static string BackUp(CatalogOptions options, TimeProvider time, int from, int to)
    {
        try
        {
            return Path.Combine(
                options.BackupFolder, new CatalogBackup(options, time).Create(BackupReason.Upgrade, CancellationToken.None).Name);
        }
        catch (CatalogException error)
        {
            throw new CatalogException(
                error.Fault,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The catalog has to be upgraded from schema {from} to {to}, and the backup before that could not be made. Nothing " +
                    $"was changed. {error.Message}"),
                error);
        }
    }
}
