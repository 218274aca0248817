using NzbDav.Migration.Database;

namespace NzbDav.Migration.Nzbdav;

/// <summary>The folder in which InfiniDysk keeps copies of .nzb files by category and name (<c>api.nzb-backup-location</c>).</summary>
internal static class NzbBackup
{
    /// <summary>The copy of a release's .nzb; null if none can be identified as its own.</summary>
    public static string? Find(string configuration, OldDatabase database, string category, string name)
    {
        var folder = database.List<string?>("SELECT ConfigValue FROM ConfigItems WHERE ConfigName = 'api.nzb-backup-location'").FirstOrDefault();
        if (string.IsNullOrWhiteSpace(folder))
            return null;

        // The path as the container saw it; where that does not exist, beside the configuration.
        var file = name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? name : name + ".nzb";
        if (file.AsSpan().IndexOfAny('/', '\0') >= 0 || category.AsSpan().IndexOfAny('/', '\0') >= 0)
            return null;
        string[] places = [folder, Path.Combine(configuration, Path.GetFileName(folder.TrimEnd('/')))];
        return places.Where(Path.IsPathRooted).Select(place => Path.Combine(place, category, file)).FirstOrDefault(File.Exists);
    }
}
