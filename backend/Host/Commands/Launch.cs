using NzbDav.Catalog;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>What every command does first: settings, and the folder of the configuration.</summary>
internal static class Launch
{
    /// <summary>Exit code for a start that the settings or the machine refuse (sysexits: EX_CONFIG).</summary>
    public const int ConfigurationFault = 78;

    /// <summary>How long a command may take to end once it is told to; then the process ends by force. Container runtimes kill after 10 s.</summary>
    public static readonly TimeSpan TerminationLimit = TimeSpan.FromSeconds(9);

    /// <summary>Reads the settings of the environment alone; null, with one line per fault on standard error, when they are wrong.</summary>
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
    /// Reads the settings as a server on the folder has them: the environment's, and what is stored below it. Where the catalog cannot be read, those of the environment alone: whoever
    /// needs the catalog meets that again, and says so.
    /// </summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="catalog">A copy of its catalog that is read in its place; null: none.</param>
    /// <returns>Null, with one line per fault on standard error, when the environment's are wrong.</returns>
    public static NzbDavSettings? ReadSettings(string folder, CatalogOptions? catalog = null)
    {
        var sources = SettingSources.OfProcess();
        if (ReadSettings(sources) is not { } environment)
            return null;
        try
        {
            return sources.ReadTolerantly(StoredSettings.Peek(catalog ?? environment.Catalog(folder), folder)).Reading.Settings;
        }
        catch (CatalogException)
        {
            return environment;
        }
    }

    /// <summary>Makes the folder; null, with a line on standard error, when that is not possible or when nothing can be written there.</summary>
    public static string? Prepare(string folder)
    {
        try
        {
            var path = Path.GetFullPath(folder);
            Directory.CreateDirectory(path);

            // A volume of another user is there, but closed: better said now than by whatever comes to write first.
            new FileStream(Path.Combine(path, $"probe-{Guid.NewGuid():n}.tmp"), FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose).Dispose();

            // Before anything in it is read: settings, keys, the catalog.
            CatalogRestore.CompleteInterrupted(path);
            return path;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Console.Error.WriteLine($"nzbdav: the folder {folder} cannot be made or written: {e.Message}");
            return null;
        }
    }
}
