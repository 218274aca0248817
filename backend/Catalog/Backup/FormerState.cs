using System.Text;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// The state that a restore replaced, in a folder <c>before-restore-TIME</c> until a person deletes it. Going back to it also needs data outside the folder that the restored catalog does not know.
/// One process at a time works in a configuration folder.
/// </summary>
/// <param name="Folder">Its path.</param>
public sealed record FormerState(string Folder)
{
    internal const string Prefix = "before-restore-";
    private const string ListFile = "kept-torrents";

    /// <summary>All of a configuration folder, oldest first. A folder from which everything was moved back is none.</summary>
    public static IReadOnlyList<FormerState> ListIn(string configFolder) =>
    [
        .. Directory.EnumerateDirectories(configFolder, Prefix + "*").Where(static folder => Directory.EnumerateFileSystemEntries(folder).Any())
            .Order(StringComparer.Ordinal).Select(static folder => new FormerState(folder)),
    ];

    /// <summary>The torrents whose kept data this state may need: those of the first call after the restore, which the folder then lists.</summary>
    /// <param name="unneeded">Info-hashes of the kept torrents that the present catalog does not need.</param>
    /// <exception cref="IOException">The list cannot be read or written.</exception>
    /// <exception cref="UnauthorizedAccessException">The list cannot be read or written.</exception>
    public HashSet<string> TorrentsOf(IEnumerable<string> unneeded)
    {
        ArgumentNullException.ThrowIfNull(unneeded);
        var path = Path.Combine(Folder, ListFile);
        if (!File.Exists(path))
        {
            using var list = new MemoryStream(Encoding.ASCII.GetBytes(string.Concat(unneeded.Select(static hash => hash + "\n"))));
            FileLink.Write(list, path);
        }

        return File.ReadLines(path).ToHashSet(StringComparer.Ordinal);
    }
}
