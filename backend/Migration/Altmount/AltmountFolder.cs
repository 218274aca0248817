namespace NzbDav.Migration.Altmount;

/// <summary>Finds files by the paths that altmount's container uses, below the folder that is the container's /config.</summary>
internal sealed class AltmountFolder(string folder)
{
    private const string Store = "/.nzbs/";

    /// <summary>Most parts of a path that are tried.</summary>
    private const int MostNames = 64;

    public string Path => folder;

    /// <summary>The local file or folder; null if it does not exist.</summary>
    public string? Find(string path)
    {
        // Use the path unchanged if both see the same folders.
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

    /// <summary>Rejects paths that lead out of the folder.</summary>
    private bool IsBelow(string path) => System.IO.Path.GetFullPath(path).StartsWith(folder.TrimEnd('/') + "/", StringComparison.Ordinal);
}
