using NzbDav.Migration.Packed;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>SABnzbd's folders with .nzb files: the backup folder, if one was set, and the folder of each unfinished download.</summary>
internal sealed class SabnzbdFolders(string folder, SabnzbdIni ini)
{
    private const string Admin = "__ADMIN__";
    private const string Job = "SABnzbd_nzo_";

    /// <summary>Most bytes of the attributes, which are a dozen short values.</summary>
    private const int LongestAttributes = 1 << 20;

    private static readonly Dictionary<string, string> Nothing = [];

    /// <summary>True if copies of .nzb files are kept.</summary>
    public bool KeepsNzbs => ini.Value("misc", "nzb_backup_dir").Length > 0;

    /// <summary>The copies that may be a download's .nzb; downloads of the same name overwrite each other's copies.</summary>
    public IEnumerable<string> Copies(params IEnumerable<string?> names)
    {
        var copies = ini.Value("misc", "nzb_backup_dir");
        if (copies.Length == 0 || Here(copies) is not { } place)
            yield break;
        foreach (var name in names.OfType<string>().Where(name => name.Length is > 0 and <= 255 && name.AsSpan().IndexOfAny('/', '\0') < 0))
        {
            var stem = name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? name[..^4] : name;
            foreach (var file in (string[])[$"{name}.gz", $"{stem}.nzb.gz", $"{stem}.nzb"])
            {
                var path = Path.Combine(place, file);
                if (File.Exists(path))
                    yield return path;
            }
        }
    }

    /// <summary>The unfinished downloads, with their .nzb files, ids and stored attributes.</summary>
    /// <exception cref="MigrationException">The folder cannot be read.</exception>
    public IEnumerable<(string Name, string File, string? NzoId, Dictionary<string, string> Kept)> Unfinished()
    {
        var downloads = ini.Value("misc", "download_dir");
        if (downloads.Length == 0 || Here(downloads) is not { } place)
            return [];
        try
        {
            return [.. from job in new DirectoryInfo(place).EnumerateDirectories().OrderBy(job => job.Name, StringComparer.Ordinal)
                let admin = new DirectoryInfo(Path.Combine(job.FullName, Admin))
                where admin.Exists
                let nzb = admin.EnumerateFiles("*.nzb.gz").OrderBy(file => file.Name, StringComparer.Ordinal).FirstOrDefault()
                where nzb is not null

                // SABnzbd keeps a job's state in a file named after the job's id.
                let state = admin.EnumerateFiles(Job + "*").OrderBy(file => file.Name, StringComparer.Ordinal).FirstOrDefault()
                select (job.Name, nzb.FullName, state?.Name, Kept(Path.Combine(admin.FullName, "SABnzbd_attrib")))];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MigrationException($"{place} cannot be read: {e.Message} Run this command as a user who may read that folder.", e);
        }
    }

    /// <summary>Category and password of a download; values that cannot be read are left out.</summary>
    private static Dictionary<string, string> Kept(string file)
    {
        try
        {
            return File.Exists(file) ? PickledTexts.Read(BoundedBytes.Read(file, LongestAttributes)) : Nothing;
        }
        catch (Exception e) when (e is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return Nothing;
        }
    }

    /// <summary>
    /// A folder of the settings: unchanged, relative to the settings, or beside them where the container had other paths.
    /// </summary>
    private string? Here(string path)
    {
        string[] places = [Path.GetFullPath(Path.Combine(folder, path)), Path.Combine(folder, Path.GetFileName(path.TrimEnd('/')))];
        return Array.Find(places, Directory.Exists);
    }
}
