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
