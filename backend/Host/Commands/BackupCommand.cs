using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Transfer;
using NzbDav.Host.Operations;

namespace NzbDav.Host.Commands;

/// <summary>Makes a backup, also while a server uses the folder.</summary>
internal static class BackupCommand
{
    /// <param name="config">The configuration folder.</param>
    /// <param name="complete">A file to which the backup is also written, with everything that belongs to it; null: none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<int> RunAsync(DirectoryInfo? config, FileInfo? complete, CancellationToken cancellationToken)
    {
        var folder = Path.GetFullPath(config?.FullName ?? "config");
        if (Launch.ReadSettings(folder) is not { } settings)
            return Launch.ConfigurationFault;
        if (complete is not null && !complete.Name.EndsWith(".tar.zst", StringComparison.OrdinalIgnoreCase))
        {
            await Console.Error.WriteLineAsync($"nzbdav: {complete.Name} must end with .tar.zst, which is what --complete writes.");
            return Launch.ConfigurationFault;
        }

        try
        {
            var options = settings.Catalog(folder);
            using var copy = options.Connection is null
                ? null : await ServerCopy.MakeAsync(options, TimeProvider.System, cancellationToken);
            var backups = copy?.Backups ?? new CatalogBackup(options, TimeProvider.System);
            var made = LowPriority.Run(() =>
            {
                var info = backups.Create(BackupReason.Request, cancellationToken);
                if (complete is not null)
                    backups.WriteArchive(info.Name, complete.FullName, cancellationToken);
                return info;
            });
            Console.WriteLine(complete?.FullName ?? Path.Combine(backups.Folder, made.Name));
            if (made.MissingBlobs > 0)
                await Console.Error.WriteLineAsync(
                    $"nzbdav: {made.MissingBlobs} blobs that the catalog refers to are missing: some files cannot be read, and the " +
                    $"backup does not contain the blobs either.");
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
