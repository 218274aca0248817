using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>The first steps of every command: reads the settings and prepares the configuration folder.</summary>
internal static class Launch
{
    /// <summary>Exit code if the settings or the machine prevent a start (sysexits: EX_CONFIG).</summary>
    public const int ConfigurationFault = 78;

    /// <summary>
    /// Time limit for a command to end after it was told to; then the process is ended by force. Container runtimes kill after 10 s.
    /// </summary>
    public static readonly TimeSpan TerminationLimit = TimeSpan.FromSeconds(9);

    /// <summary>Reads only the settings of the environment; null, with one line per fault on standard error, if any are wrong.</summary>
    public static NzbDavSettings? ReadSettings() => ReadSettings(SettingSources.OfProcess());

    /// <inheritdoc cref="ReadSettings()"/>
    public static NzbDavSettings? ReadSettings(SettingSources sources)
    {
        var reading = sources.Read(new Dictionary<string, string>(StringComparer.Ordinal));
        foreach (var fault in reading.Faults)
            Console.Error.WriteLine($"nzbdav: {fault}");
        return reading.Faults.Count == 0 ? reading.Settings : null;
    }

    /// <summary>
    /// Reads the settings as a server on this folder would: the environment's, then the stored ones. If the catalog cannot be read, only
    /// those of the environment: a caller that needs the catalog will fail on it again, and report it.
    /// </summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="catalog">A copy of its catalog, to read instead; null: none.</param>
    /// <returns>Null, with one line per fault on standard error, if settings of the environment are wrong.</returns>
    public static NzbDavSettings? ReadSettings(string folder, CatalogOptions? catalog = null)
    {
        var sources = SettingSources.OfProcess();
        if (ReadSettings(sources) is not { } environment)
            return null;
        try
        {
            return sources.ReadTolerantly(
                StoredSettings.Peek(catalog ?? environment.Catalog(folder), sources.KeySecret, folder)).Reading.Settings;
        }
        catch (CatalogException)
        {
            return environment;
        }
    }

    /// <summary>
    /// Creates the folder; null, with a line on standard error, if that is not possible or if nothing can be written there.
    /// </summary>
    public static string? Prepare(string folder)
    {
        try
        {
            var path = Path.GetFullPath(folder);
            Directory.CreateDirectory(path);

            // A volume of another user may be read-only: report that now instead of at the first write.
            new FileStream(Path.Combine(path, $"probe-{Guid.NewGuid():n}.tmp"), FileMode.CreateNew, FileAccess.Write, FileShare.None, 1,
                FileOptions.DeleteOnClose).Dispose();

            // Before anything in it is read: settings, keys, the catalog.
            CatalogRestore.CompleteInterrupted(path);
            return path;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Console.Error.WriteLine($"nzbdav: the folder {folder} cannot be created or written: {e.Message}");
            return null;
        }
    }
}
