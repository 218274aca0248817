namespace NzbDav.Arr.Repair;

/// <summary>Reads the library's symlinks and .strm files from disk. Thread-safe.</summary>
public sealed class LibraryLinks : ILinkTargets
{
    /// <summary>An address is far shorter; what is longer is no .strm file.</summary>
    private const int LongestAddress = 8192;

    private readonly (string Theirs, string Here)[] _roots;

    /// <param name="roots">Where the application's folders are on this machine: its path, ours. Empty if they are the same.</param>
    public LibraryLinks(IEnumerable<KeyValuePair<string, string>> roots)
    {
        ArgumentNullException.ThrowIfNull(roots);

        // The longest first: the most particular one counts.
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

    /// <summary>True if there is something under that path, be it a link that leads nowhere.</summary>
    /// <param name="path">As the application sees it.</param>
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
    /// True if it is certain that nothing is under that path: the folder above it, or the first one that is there, can be listed and does not have it. What may not be
    /// looked into is not gone.
    /// </summary>
    /// <param name="path">As the application sees it.</param>
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
                // Then that is what is missing.
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
