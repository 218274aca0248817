using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Blobs as files <c>ab/cd/abcd…</c> in a folder that other processes may use at the same time. A file's modification time is when it was
/// last put.
/// </summary>
internal sealed class FolderBlobs : BlobPlace
{
    private readonly TimeProvider _time;
    private readonly BlobPins _pins;
    private readonly bool _isShared;

    /// <param name="folder">The folder; created when it is needed.</param>
    /// <param name="time">Clock.</param>
    /// <param name="pins">This process's pins on blobs without a reference.</param>
    /// <param name="isShared">True if other gateways, whose pins are unknown here, use it too: a blob put less than an hour ago
    /// stays.</param>
    public FolderBlobs(string folder, TimeProvider time, BlobPins pins, bool isShared)
    {
        (Folder, _time, _pins, _isShared) = (folder, time, pins, isShared);
        Quarantine = new BlobQuarantine(this, time);
    }

    /// <summary>For a folder from which nothing is removed.</summary>
    public FolderBlobs(string folder, TimeProvider time)
        : this(folder, time, new BlobPins(time, Grace), isShared: false)
    {
    }

    /// <inheritdoc/>
    public override string Folder { get; }

    /// <summary>The quarantined blobs.</summary>
    public BlobQuarantine Quarantine { get; }

    /// <inheritdoc/>
    public override string PathOf(BlobHash hash)
    {
        var hex = hash.ToString();
        return Path.Combine(Folder, hex[..2], hex[2..4], hex);
    }

    /// <summary>True if the blob exists; its content is not checked.</summary>
    public bool Exists(BlobHash hash) => File.Exists(PathOf(hash));

    /// <inheritdoc/>
    public override ValueTask<bool> ExistsAsync(BlobHash hash, CancellationToken cancellationToken) => new(Exists(hash));

    /// <inheritdoc/>
    public override ValueTask<bool> TryKeepAsync(BlobHash hash, long length, CancellationToken cancellationToken) =>
        new(TryKeep(hash, length));

    /// <inheritdoc/>
    public override Task<StoredBlob> FinishAsync(BlobWriter writer, string file, CancellationToken cancellationToken) =>

        // A separate thread waits for the disk, which may take a second: with two cores, the pool has only two threads to answer requests.
        Task.Factory.StartNew(() => Finish(writer, file), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <inheritdoc/>
    public override ValueTask<FileStream> OpenAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        try
        {
            return new(BlobFile.Open(PathOf(hash)));
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return ValueTask.FromException<FileStream>(new CatalogException(
                CatalogFault.BlobMissing,
                $"The blob {hash} is not in '{Folder}'. Put the folder back from a backup, or import what it belongs to again.",
                error));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return ValueTask.FromException<FileStream>(
                new CatalogException(CatalogFault.Storage, $"The blob {hash} cannot be read ({error.Message}).", error));
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> VerifyAsync(BlobHash hash, CancellationToken cancellationToken) =>
        await Task.Run(() => BlobFile.IsSound(PathOf(hash), hash), cancellationToken);

    /// <inheritdoc/>
    public override IReadOnlyList<BlobHash> Missing(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes) =>
        [.. hashes.Where(hash => !Exists(hash))];

    /// <inheritdoc/>
    public override int Remove(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes)
    {
        // The transaction is used only for its lock: a rollback cannot restore a removed file.
        transaction.Abandon();
        return hashes.Count(Remove);
    }

    private bool Remove(BlobHash hash)
    {
        var file = new FileInfo(PathOf(hash));
        return file.Exists && !(_isShared && file.LastWriteTimeUtc > (_time.GetUtcNow() - Grace).UtcDateTime)
            && BlobFile.TryDelete(file.FullName);
    }

    private bool TryKeep(BlobHash hash, long length)
    {
        var path = PathOf(hash);
        try
        {
            using var file = BlobFile.Open(path);
            if (!BlobFile.TryReadHeader(file, out var header) || header.Length != length)
                return false;
            File.SetLastWriteTimeUtc(path, _time.GetUtcNow().UtcDateTime);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private StoredBlob Finish(BlobWriter writer, string file)
    {
        var blob = writer.Complete(sync: true);
        writer.Dispose();
        _pins.Add(blob.Hash);
        try
        {
            if (!TryKeep(blob.Hash, blob.Length))
                Place(file, blob.Hash);
        }
        catch
        {
            _pins.Remove(blob.Hash);
            throw;
        }

        return blob;
    }

    private void Place(string temporary, BlobHash hash)
    {
        var path = PathOf(hash);
        var shard = Path.GetDirectoryName(path)!;
        var above = Path.GetDirectoryName(shard)!;
        try
        {
            MakeFolder(above, Folder);
            MakeFolder(shard, above);
            File.SetLastWriteTimeUtc(temporary, _time.GetUtcNow().UtcDateTime);
            File.Move(temporary, path, overwrite: true);
            DirectorySync.Flush(shard);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, Folder);
        }
    }

    private static void MakeFolder(string path, string parent)
    {
        if (Directory.Exists(path))
            return;
        Directory.CreateDirectory(path);
        DirectorySync.Flush(parent);
    }
}

/// <summary>
/// Unreferenced blobs in <c>blobs/quarantine/</c>, on the same file system as the others, so that a move is a rename. A file's modification
/// time is when it was quarantined.
/// </summary>
internal sealed class BlobQuarantine(FolderBlobs blobs, TimeProvider time)
{
    private readonly string _folder = Path.Combine(blobs.Folder, "quarantine");

    public string PathOf(BlobHash hash) => Path.Combine(_folder, hash.ToString());

    /// <summary>Quarantines a blob. The caller holds the database's write lock and has checked that nothing references it.</summary>
    /// <returns>False if it was not there, could not be moved, or was put again since <paramref name="before"/>.</returns>
    public bool TryQuarantine(BlobHash hash, DateTime before)
    {
        var file = new FileInfo(blobs.PathOf(hash));
        return file.Exists && file.LastWriteTimeUtc < before && TryMove(file.FullName, PathOf(hash), stamp: true);
    }

    /// <summary>Moves a blob back from the quarantine.</summary>
    /// <returns>False if it could not be moved.</returns>
    public bool Return(BlobHash hash) =>
        blobs.Exists(hash) ? BlobFile.TryDelete(PathOf(hash)) : TryMove(PathOf(hash), blobs.PathOf(hash), stamp: false);

    /// <summary>The quarantined blobs, each with the time when it was quarantined.</summary>
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
