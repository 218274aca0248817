using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Operations;

/// <summary>The backups in the configured folder. Thread-safe.</summary>
internal sealed class Backups(CatalogOptions options, SettingsBook book, TimeProvider time)
{
    public CatalogBackup Now => new(options with { BackupFolder = book.Current.Catalog(options.ConfigFolder).BackupFolder }, time);
}
