namespace NzbDav.Arr.Repair;

/// <summary>Reads the library's symlinks and .strm files from disk. Thread-safe.</summary>
public sealed class LibraryLinks : ILinkTargets
{
    /// <summary>Longest .strm file in bytes. Addresses are far shorter, so a longer file is something else.</summary>
    private const int LongestAddress = 8192;

    private readonly (string Theirs, string Here)[] _roots;

    /// <param name="roots">Folders by path: the application's path as key, the path on this machine as value. Empty if they are the
    /// same.</param>
    public LibraryLinks(IEnumerable<KeyValuePair<string, string>> roots)
    {
        ArgumentNullException.ThrowIfNull(roots);

        // Longest first, so that the most specific folder applies.
        _roots = [.. roots.Select(root => (root.Key.TrimEnd('/'), root.Value.TrimEnd('/'))).OrderByDescending(root => root.Item1.Length)];
    }

    /// <inheritdoc/>
    public string? TargetOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            var file = new FileInfo(Here(path));
            if (file.LinkTarget is { } target)
                return target;
            if (!file.Extension.Equals(".strm", StringComparison.OrdinalIgnoreCase) || !file.Exists || file.Length > LongestAddress)
                return null;
            return File.ReadLines(file.FullName).FirstOrDefault()?.Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>True if there is something at that path, even a broken link.</summary>
    /// <param name="path">Path as the application sees it.</param>
    public bool Exists(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            var file = new FileInfo(Here(path));
            return file.LinkTarget is not null || file.Exists;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return false;
        }
    }

    /// <summary>
    /// True if it is certain that nothing is at that path: its parent folder, or the closest existing folder above it, can be listed and
    /// does not contain it. A path that cannot be read does not count as gone.
    /// </summary>
    /// <param name="path">Path as the application sees it.</param>
    public bool IsGone(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        for (var at = Path.GetFullPath(Here(path)); Path.GetDirectoryName(at) is { } above; at = above)
        {
            try
            {
                return !Directory.EnumerateFileSystemEntries(above).Contains(at, StringComparer.Ordinal);
            }
            catch (DirectoryNotFoundException)
            {
                // The folder is missing too: check whether it is really gone.
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
            {
                return false;
            }
        }

        return false;
    }

    private string Here(string path)
    {
        foreach (var (theirs, here) in _roots)
        {
            if (path.StartsWith(theirs, StringComparison.Ordinal) && (path.Length == theirs.Length || path[theirs.Length] == '/'))
                return here + path[theirs.Length..];
        }

        return path;
    }
}

/// <summary>Reads the target of a library file. Thread-safe.</summary>
public interface ILinkTargets
{
    /// <summary>The target of a symlink, or the address in a .strm file.</summary>
    /// <param name="path">Path as the application sees it.</param>
    /// <returns>Null if the file is neither, does not exist, or cannot be read from here.</returns>
    string? TargetOf(string path);
}
