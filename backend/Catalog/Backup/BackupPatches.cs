using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// The reconstructed articles of all backups in a folder, once each: <c>patches/POST/ARTICLE</c>. Hard links where the file system supports
/// them, otherwise copies. They never change. One process at a time.
/// </summary>
internal sealed class BackupPatches(string folder)
{
    /// <summary>Suffix of a file being written.</summary>
    private const string Unfinished = ".new";

    private const int MostLetters = 64;

    /// <summary>The path of a patch.</summary>
    public string PathOf(string name) => Path.Combine(folder, name.Replace('/', Path.DirectorySeparatorChar));

    /// <summary>True for the name of a patch, <c>POST/ARTICLE</c>. Nothing else is accepted from a backup.</summary>
    public static bool IsName(string name) =>
        name.Split('/') is [var post, var article] && IsPart(post) && IsPart(article);

    /// <summary>Names of all patches in the folder.</summary>
    public IReadOnlyList<string> List() => !Directory.Exists(folder) ? [] :
    [
        .. Directory.EnumerateDirectories(folder)
            .SelectMany(post => Directory.EnumerateFiles(post).Select(path => $"{Path.GetFileName(post)}/{Path.GetFileName(path)}"))
            .Where(static name => !name.EndsWith(Unfinished, StringComparison.Ordinal) && IsName(name)).Order(StringComparer.Ordinal),
    ];

    /// <summary>Copies the patches of another folder, durably. One that disappears there meanwhile is no longer needed.</summary>
    /// <returns>The names of those present afterwards.</returns>
    public List<string> Keep(BackupPatches from, CancellationToken cancellationToken)
    {
        var kept = new List<string>();
        var changed = new HashSet<string>(StringComparer.Ordinal);
        foreach (var name in from.List())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!File.Exists(PathOf(name)))
                changed.Add(Path.GetDirectoryName(PathOf(name))!);
            if (Put(name, from))
                kept.Add(name);
        }

        foreach (var post in changed.Where(Directory.Exists))
            DirectorySync.Flush(post);
        if (changed.Count > 0)
            DirectorySync.Flush(folder);
        return kept;
    }

    /// <summary>Copies one patch of another folder.</summary>
    /// <returns>False if it is missing there.</returns>
    public bool Put(string name, BackupPatches from)
    {
        FileLink.CreateFolder(Path.GetDirectoryName(PathOf(name))!);
        return FileLink.Put(from.PathOf(name), PathOf(name));
    }

    /// <summary>Total size in bytes of the patches that are present.</summary>
    public long Measure(IEnumerable<string> names) =>
        names.Select(name => new FileInfo(PathOf(name))).Where(static file => file.Exists).Sum(static file => file.Length);

    /// <summary>Removes all other patches and the leftovers of a crash.</summary>
    public void RemoveAllBut(HashSet<string> needed)
    {
        if (!Directory.Exists(folder))
            return;
        foreach (var post in Directory.EnumerateDirectories(folder))
        {
            foreach (var path in Directory.EnumerateFiles(post)
                .Where(path => !needed.Contains($"{Path.GetFileName(post)}/{Path.GetFileName(path)}")))
                BlobFile.TryDelete(path);
            if (!Directory.EnumerateFileSystemEntries(post).Any())
                Directory.Delete(post);
        }
    }

    private static bool IsPart(string part) =>
        part.Length is > 0 and <= MostLetters && part.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_');
}
