using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Altmount;

/// <summary>Finds the <c>.meta</c> files of altmount's tree.</summary>
internal static class AltmountTree
{
    private const string Meta = ".meta";
    private const string Damaged = "corrupted_metadata";
    private const int Deepest = 64;
    private const int MostFiles = 5_000_000;

    /// <summary>The files, by their paths in the tree. Links are not followed.</summary>
    /// <exception cref="MigrationException">A folder cannot be read.</exception>
    public static IEnumerable<(string Path, string File)> Find(string root)
    {
        var waiting = new Stack<(string Folder, string Path, int Depth)>();
        waiting.Push((root, "", 0));
        var found = 0;
        while (waiting.TryPop(out var next))
        {
            foreach (var entry in Entries(next.Folder))
            {
                if (entry.LinkTarget is not null || entry.Name.StartsWith('.'))
                    continue;
                if (entry is DirectoryInfo && next.Depth < Deepest && (next.Depth > 0 || entry.Name != Damaged))
                    waiting.Push((entry.FullName, next.Path + entry.Name + "/", next.Depth + 1));
                else if (entry is FileInfo && entry.Name.EndsWith(Meta, StringComparison.Ordinal) && entry.Name.Length > Meta.Length)
                    yield return ++found <= MostFiles ? (next.Path + entry.Name[..^Meta.Length],
                        entry.FullName) : throw new MigrationException($"{root} has more than {MostFiles:n0} files, which no library has.");
            }
        }
    }

    private static FileSystemInfo[] Entries(string folder)
    {
        try
        {
            return [.. new DirectoryInfo(folder).EnumerateFileSystemInfos("*", new EnumerationOptions
            {
                AttributesToSkip = 0,
                IgnoreInaccessible = false,
            }).OrderByDescending(entry => entry.Name, StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MigrationException($"{folder} cannot be read: {e.Message} Run this command as a user who may read that folder.", e);
        }
    }
}
