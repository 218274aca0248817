using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Host.Serving;

namespace NzbDav.Host.Commands;

/// <summary>Restores a backup while no server runs.</summary>
internal static class RestoreCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, FileInfo file, CancellationToken cancellationToken)
    {
        if (Launch.Prepare(config?.FullName ?? "config") is not { } folder || Launch.ReadSettings(folder) is not { } settings)
            return Launch.ConfigurationFault;
        try
        {
            using var claim = ConfigLock.TryAcquire(folder) ?? throw new ServerStartException($"a server runs on {folder}: stop it first.");
            var result = CatalogRestore.Restore(file.FullName, settings.Catalog(folder), TimeProvider.System, cancellationToken);
            Console.WriteLine($"Restored {folder} from {result.Backup.Name} of {result.Backup.Created:u}.");
            if (result.Former is { } former)
                Console.WriteLine($"The previous state is in {former}: remove it once everything works.");
            if (result.MissingBlobs > 0)
                await Console.Error.WriteLineAsync(
                    $"nzbdav: {result.MissingBlobs} of {result.Backup.Blobs} blobs were not found: the files that need them cannot be " +
                    $"read. Put blobs/ of the backup folder beside the file, or use a complete backup.");
            return result.MissingBlobs > 0 ? 1 : 0;
        }
        catch (Exception e) when (e is CatalogException or ServerStartException)
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
