using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Transfer;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Operations;

/// <summary>The backups in the configured folder. Thread-safe.</summary>
internal sealed class Backups(CatalogOptions options, SettingsBook book, TimeProvider time)
{
    public CatalogBackup Now => new(Options, time);

    private CatalogOptions Options => options with { BackupFolder = book.Current.Catalog(options.ConfigFolder).BackupFolder };

    /// <summary>What a backup is made of, where the catalog is in PostgreSQL; null: the configuration folder itself.</summary>
    /// <exception cref="CatalogException">The database cannot be copied.</exception>
    public async Task<ServerCopy?> CopyAsync(CancellationToken cancellationToken) => options.Connection is null ? null : await ServerCopy.MakeAsync(Options, time, cancellationToken);
}
