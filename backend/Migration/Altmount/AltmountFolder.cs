namespace NzbDav.Migration.Altmount;

/// <summary>Finds files that altmount names by the paths of its container, below the folder that the container's /config is here.</summary>
internal sealed class AltmountFolder(string folder)
{
    private const string Store = "/.nzbs/";

    /// <summary>Names of a path that are looked at.</summary>
    private const int MostNames = 64;

    public string Path => folder;

    /// <summary>The file or folder here; null if it is not there.</summary>
    public string? Find(string path)
    {
        // As it is written, where both see the same folders.
        if (path.Contains('\0', StringComparison.Ordinal) || path.Length > 4096)
            return null;
        if (System.IO.Path.IsPathRooted(path) && IsBelow(path) && System.IO.Path.Exists(path))
            return path;
        if (path.LastIndexOf(Store, StringComparison.Ordinal) is >= 0 and var store && Here(path[(store + 1)..]) is { } stored)
            return stored;
        var names = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        for (var start = 0; start < Math.Min(names.Length, MostNames); start++)
        {
            if (Here(string.Join('/', names[start..])) is { } found)
                return found;
        }

        return null;
    }

    private string? Here(string relative)
    {
        var path = System.IO.Path.GetFullPath(System.IO.Path.Combine(folder, relative.TrimStart('/')));
        return IsBelow(path) && System.IO.Path.Exists(path) ? path : null;
    }

    /// <summary>A path that leads out of the folder is none of altmount's.</summary>
    private bool IsBelow(string path) => System.IO.Path.GetFullPath(path).StartsWith(folder.TrimEnd('/') + "/", StringComparison.Ordinal);
}
