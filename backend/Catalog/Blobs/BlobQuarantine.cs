namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Blobs that nothing refers to, in <c>blobs/quarantine/</c>: on the same file system as the others, so that a move is a rename. A file's modification time is when it was quarantined.
/// </summary>
internal sealed class BlobQuarantine(FolderBlobs blobs, TimeProvider time)
{
    private readonly string _folder = Path.Combine(blobs.Folder, "quarantine");

    public string PathOf(BlobHash hash) => Path.Combine(_folder, hash.ToString());

    /// <summary>Quarantines a blob. The caller holds the database's write lock and knows that nothing refers to it.</summary>
    /// <returns>False if it was not there, could not be moved, or was put again since <paramref name="before"/>.</returns>
    public bool Take(BlobHash hash, DateTime before)
    {
        var file = new FileInfo(blobs.PathOf(hash));
        return file.Exists && file.LastWriteTimeUtc < before && TryMove(file.FullName, PathOf(hash), stamp: true);
    }

    /// <summary>Moves a blob back to its place.</summary>
    /// <returns>False if it could not be moved.</returns>
    public bool Return(BlobHash hash) => blobs.Exists(hash) ? BlobFile.TryDelete(PathOf(hash)) : TryMove(PathOf(hash), blobs.PathOf(hash), stamp: false);

    /// <summary>The quarantined blobs, each with the time at which it was quarantined.</summary>
    public IReadOnlyList<(BlobHash Hash, DateTime Since)> List()
    {
        var found = new List<(BlobHash, DateTime)>();
        var folder = new DirectoryInfo(_folder);
        if (!folder.Exists)
            return found;
        foreach (var file in folder.EnumerateFiles())
        {
            if (BlobHash.TryParse(file.Name, out var hash))
                found.Add((hash, file.LastWriteTimeUtc));
        }

        return found;
    }

    private bool TryMove(string from, string to, bool stamp)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(to)!);
            if (stamp)
                File.SetLastWriteTimeUtc(from, time.GetUtcNow().UtcDateTime);
            File.Move(from, to, overwrite: true);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
