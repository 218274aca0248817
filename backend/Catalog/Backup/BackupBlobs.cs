using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// The blobs of all backups in a folder, once each: <c>blobs/ab/abcd…</c>. Hard links to the catalog's blobs where the file system supports
/// them, otherwise copies. Blobs never change, so a backup takes space only for blobs that are new since the last one. One process at a
/// time.
/// </summary>
internal sealed class BackupBlobs(string backupFolder)
{
    private readonly string _folder = Path.Combine(backupFolder, "blobs");

    public string PathOf(BlobHash hash) => Path.Combine(_folder, hash.ToString()[..2], hash.ToString());

    /// <summary>Adds blobs durably.</summary>
    /// <returns>The blobs that could not be found.</returns>
    public List<BlobHash> Keep(IEnumerable<BlobHash> hashes, Func<BlobHash, string> source, CancellationToken cancellationToken)
    {
        var missing = new List<BlobHash>();
        var changed = new HashSet<string>(StringComparer.Ordinal);
        foreach (var hash in hashes)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var target = PathOf(hash);
            if (File.Exists(target))
                continue;
            var folder = Path.GetDirectoryName(target)!;
            if (changed.Add(folder))
                FileLink.CreateFolder(folder);
            if (!FileLink.Put(source(hash), target))
                missing.Add(hash);
        }

        foreach (var folder in changed)
            DirectorySync.Flush(folder);
        if (changed.Count > 0)
            DirectorySync.Flush(_folder);
        return missing;
    }

    /// <summary>Total size in bytes of the blobs that are present.</summary>
    public long Measure(IEnumerable<BlobHash> hashes) =>
        hashes.Select(hash => new FileInfo(PathOf(hash))).Where(file => file.Exists).Sum(file => file.Length);

    /// <summary>Removes all other blobs and the leftovers of a crash.</summary>
    public void RemoveAllBut(HashSet<BlobHash> needed)
    {
        if (!Directory.Exists(_folder))
            return;
        foreach (var path in Directory.EnumerateFiles(_folder, "*", SearchOption.AllDirectories))
        {
            if (!BlobHash.TryParse(Path.GetFileName(path), out var hash) || !needed.Contains(hash))
                BlobFile.TryDelete(path);
        }
    }
}
