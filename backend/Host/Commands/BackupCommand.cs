using NzbDav.Catalog;

namespace NzbDav.Host.Commands;

/// <summary>Makes a backup, also of a folder on which a server runs.</summary>
internal static class BackupCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, CancellationToken cancellationToken)
    {
        var folder = Path.GetFullPath(config?.FullName ?? "config");
        if (Launch.ReadSettings(folder) is not { } settings)
            return Launch.ConfigurationFault;
        try
        {
            var backups = new CatalogBackup(settings.Catalog(folder), TimeProvider.System);
            var made = backups.Create(BackupReason.Request, cancellationToken);
            Console.WriteLine(Path.Combine(backups.Folder, made.Name));
            if (made.MissingBlobs > 0)
                await Console.Error.WriteLineAsync($"nzbdav: {made.MissingBlobs} blobs that the catalog names are not there: some files cannot be read, and the backup does not have them either.");
            backups.Prune(settings.Operations.BackupKeep);
            return 0;
        }
        catch (CatalogException e)
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
