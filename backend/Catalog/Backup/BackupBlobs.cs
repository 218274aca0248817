namespace NzbDav.Catalog;

/// <summary>
/// The blobs of all backups of a folder, once each: <c>blobs/ab/abcd…</c>. Links to the catalog's own where the file system can, copies else. Blobs never
/// change, so a backup costs what came since the last one. One process at a time.
/// </summary>
internal sealed class BackupBlobs(string backupFolder)
{
    private readonly string _folder = Path.Combine(backupFolder, "blobs");

    public string PathOf(BlobHash hash) => Path.Combine(_folder, hash.ToString()[..2], hash.ToString());

    /// <summary>Keeps them, durably.</summary>
    /// <returns>Those that are not there.</returns>
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

    /// <summary>Bytes of those that are there.</summary>
    public long Measure(IEnumerable<BlobHash> hashes) => hashes.Select(hash => new FileInfo(PathOf(hash))).Where(file => file.Exists).Sum(file => file.Length);

    /// <summary>Removes all others, and what a crash left.</summary>
    public void RemoveAllBut(HashSet<BlobHash> needed)
    {
        if (!Directory.Exists(_folder))
            return;
        foreach (var path in Directory.EnumerateFiles(_folder, "*", SearchOption.AllDirectories))
        {
            if (!BlobHash.TryParse(Path.GetFileName(path), out var hash) || !needed.Contains(hash))
                BlobStore.TryDelete(path);
        }
    }
}
