using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Transfer;
using NzbDav.Host.Serving;

namespace NzbDav.Host.Commands;

/// <summary>Copies the catalog with its blobs into another database while no server runs.</summary>
internal static class MoveCatalogCommand
{
    /// <summary>What <c>--to</c> says for the database file in the configuration folder.</summary>
    private const string File = "sqlite";

    public static async Task<int> RunAsync(DirectoryInfo? config, string target, CancellationToken cancellationToken)
    {
        if (Launch.Prepare(config?.FullName ?? "config") is not { } folder || Launch.ReadSettings() is not { } environment)
            return Launch.ConfigurationFault;
        var source = environment.Catalog(folder);
        var toFile = string.Equals(target, File, StringComparison.OrdinalIgnoreCase);
        if (toFile != source.Connection is not null)
        {
            await Console.Error.WriteLineAsync(toFile
                ? "nzbdav: the catalog is in SQLite. To move one from PostgreSQL, set NzbDav__Catalog__Connection to where it is now."
                : "nzbdav: the catalog is in PostgreSQL, where NzbDav__Catalog__Connection says. Unset it to move the one in the " +
                    "configuration folder.");
            return Launch.ConfigurationFault;
        }

        try
        {
            if (new RestorePlan(source, TimeProvider.System).Pending is { } pending)
                throw new ServerStartException(
                    $"the restore of {pending.Backup.Name} waits for the next start: start the server once, or cancel the restore on its " +
                    $"page, and stop it.");
            using var claim = ConfigLock.TryAcquire(folder) ?? throw new ServerStartException($"a server runs on {folder}: stop it first.");
            var transfer = new CatalogTransfer(
                source with { Connection = null }, source with { Connection = toFile ? source.Connection : target }, TimeProvider.System);
            var moved = await (toFile ? transfer.ToFileAsync(cancellationToken) : transfer.ToServerAsync(cancellationToken));
            Console.WriteLine($"Copied {moved.Rows} rows and {moved.Blobs} blobs, and compared them. The old catalog is as it was.");
            if (moved.LostBlobs > 0)
                await Console.Error.WriteLineAsync(
                    $"nzbdav: {moved.LostBlobs} blobs that the catalog refers to are missing or damaged: some files can be read neither " +
                    $"in the old catalog nor in the new one.");
            Console.WriteLine(
                toFile ? "Unset NzbDav__Catalog__Connection to use the new one." : "Set NzbDav__Catalog__Connection to the same value to " +
                "use the new one. Keep the configuration folder: it holds keys/ and patches/.");
            return 0;
        }
        catch (Exception e) when (e is CatalogException or ServerStartException or IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return 1;
        }
    }
}
