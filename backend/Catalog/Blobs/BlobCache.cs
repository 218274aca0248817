using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Local cache of blob files. When it exceeds its limit, it drops the least recently used files. It never syncs to disk: each process reads
/// a file through once before it trusts it, and fetches a damaged one again. Thread-safe; other processes may use the same folder, each
/// with its own count.
/// </summary>
/// <param name="folder">The folder; created when it is needed.</param>
/// <param name="most">The limit in bytes. A file being opened stays, even if it is larger.</param>
/// <param name="time">Clock.</param>
/// <param name="fetch">Writes the file of a blob into an empty file.</param>
internal sealed class BlobCache(string folder, long most, TimeProvider time, Func<BlobHash, FileStream, CancellationToken, Task> fetch)
{
    /// <summary>Attempts to prepare a file for one reader while other processes keep deleting it.</summary>
    private const int MostAttempts = 5;

    private readonly Lock _gate = new();

    // The most recently used first.
    private readonly LinkedList<Entry> _order = new();
    private readonly Dictionary<BlobHash, LinkedListNode<Entry>> _entries = [];
    private bool _isListed;

    /// <summary>Bytes in the folder, as far as this process knows.</summary>
    public long Size { get; private set; }

    public string PathOf(BlobHash hash) => Path.Combine(folder, hash.ToString());

    /// <summary>Opens the file of a blob, fetching it if it is missing. Concurrent callers for the same blob share one fetch.</summary>
    /// <exception cref="CatalogException">It cannot be fetched, or the folder cannot be written.</exception>
    public async ValueTask<FileStream> OpenAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        var entry = Enter(hash);
        try
        {
            for (var attempt = 1; ; attempt++)
            {
                var ready = Ready(entry);
                await ready.WaitAsync(cancellationToken);
                if (TryOpen(entry) is { } file)
                    return file;
                Invalidate(entry, ready);
                if (attempt == MostAttempts)
                    throw new CatalogException(
                        CatalogFault.Storage, $"The blob {hash} does not stay in '{folder}'. Check that only NzbDav uses this folder.");
            }
        }
        finally
        {
            Release(entry);
        }
    }

    /// <summary>
    /// Moves a complete file of this process into the folder, unless the blob is there already. Ignores failure: the next reader fetches
    /// the blob.
    /// </summary>
    public void Adopt(string file, BlobHash hash)
    {
        lock (_gate)
        {
            var entry = Find(hash);
            if (entry.Ready is not null)
                return;
            try
            {
                var size = new FileInfo(file).Length;
                File.SetLastWriteTimeUtc(file, time.GetUtcNow().UtcDateTime);
                File.Move(file, PathOf(hash), overwrite: true);
                entry.Ready = Task.CompletedTask;
                Resize(entry, size);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // The next reader fetches it.
            }

            TrimLocked(entry);
        }
    }

    /// <summary>Removes a file that a reader found damaged.</summary>
    public void Remove(BlobHash hash)
    {
        lock (_gate)
        {
            BlobFile.TryDelete(PathOf(hash));
            if (!_entries.TryGetValue(hash, out var node))
                return;
            node.Value.Ready = null;
            Resize(node.Value, 0);
            TrimLocked(node.Value);
        }
    }

    private Entry Enter(BlobHash hash)
    {
        lock (_gate)
        {
            var entry = Find(hash);
            entry.Users++;
            return entry;
        }
    }

    private void Release(Entry entry)
    {
        lock (_gate)
        {
            entry.Users--;
            TrimLocked(entry);
        }
    }

    /// <summary>Finds or creates the entry of a blob and marks it as the most recently used. Call under the lock.</summary>
    private Entry Find(BlobHash hash)
    {
        if (!_isListed)
            List();
        if (_entries.TryGetValue(hash, out var node))
            _order.Remove(node);
        else
            _entries[hash] = node = new LinkedListNode<Entry>(new Entry(hash));
        _order.AddFirst(node);
        return node.Value;
    }

    /// <summary>Adds the files left by earlier processes. Call under the lock.</summary>
    private void List()
    {
        _isListed = true;
        foreach (var file in Files().OrderBy(static file => file.LastWriteTimeUtc))
        {
            if (BlobHash.TryParse(file.Name, out var hash))
                Resize((_entries[hash] = _order.AddFirst(new Entry(hash))).Value, file.Length);
            else if (file.Extension == BlobFile.TemporarySuffix && file.LastWriteTimeUtc < (time.GetUtcNow() - BlobPlace.Grace).UtcDateTime)
                BlobFile.TryDelete(file.FullName);
        }
    }

    private FileInfo[] Files()
    {
        try
        {
            return Directory.Exists(folder) ? new DirectoryInfo(folder).GetFiles() : [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Opening a file reports why the folder cannot be used.
            return [];
        }
    }

    private Task Ready(Entry entry)
    {
        lock (_gate)
            return entry.Ready ??= Task.Run(() => PrepareAsync(entry));
    }

    private void Invalidate(Entry entry, Task ready)
    {
        lock (_gate)
        {
            if (entry.Ready == ready)
                entry.Ready = null;
        }
    }

    /// <summary>Makes sure that the file exists and is sound. Not cancelled with one of its waiting callers.</summary>
    private async Task PrepareAsync(Entry entry)
    {
        try
        {
            var path = PathOf(entry.Hash);
            if (!File.Exists(path) || !BlobFile.IsSound(path, entry.Hash))
                await FetchAsync(entry.Hash, path);
            var size = new FileInfo(path).Length;
            lock (_gate)
            {
                Resize(entry, size);
                TrimLocked(entry);
            }
        }
        catch (Exception error)
        {
            lock (_gate)
            {
                entry.Ready = null;
                Resize(entry, 0);
                TrimLocked(entry);
            }

            if (error is not CatalogException && FileFaults.IsFault(error))
                throw FileFaults.WhileWriting(error, folder);
            throw;
        }
    }

    private async Task FetchAsync(BlobHash hash, string path)
    {
        Directory.CreateDirectory(folder);
        var temporary = BlobFile.NewTemporary(folder);
        try
        {
            await using (var file = new FileStream(
                temporary, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.Asynchronous))
                await fetch(hash, file, CancellationToken.None);
            File.Move(temporary, path, overwrite: true);
        }
        finally
        {
            BlobFile.TryDelete(temporary);
        }
    }

    /// <summary>Null if the file is gone, or not the one that was prepared.</summary>
    private FileStream? TryOpen(Entry entry)
    {
        FileStream? file = null;
        try
        {
            file = BlobFile.Open(PathOf(entry.Hash));
            if (file.Length == entry.Size)
            {
                File.SetLastWriteTimeUtc(file.SafeFileHandle, time.GetUtcNow().UtcDateTime);
                return file;
            }
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The file belongs to another user, or the file system cannot set times.
            if (file is not null)
                return file;
            throw FileFaults.WhileWriting(error, folder);
        }

        file?.Dispose();
        return null;
    }

    /// <summary>Updates the size. Call under the lock. A dropped entry does not count, even if its file arrives later.</summary>
    private void Resize(Entry entry, long size)
    {
        if (entry.IsDropped)
            return;
        Size += size - entry.Size;
        entry.Size = size;
    }

    /// <summary>
    /// Drops the entry if it has no file, and deletes files until the rest is within the limit. Call under the lock, after each change.
    /// </summary>
    private void TrimLocked(Entry entry)
    {
        if (entry is { Users: 0, Size: 0, Ready: null, IsDropped: false })
            Drop(entry.Hash);
        for (var node = _order.Last; node is not null && Size > most;)
        {
            var (oldest, next) = (node.Value, node.Previous);
            if (oldest is { Users: 0, Size: > 0 } && oldest.Ready is not { IsCompleted: false })
            {
                BlobFile.TryDelete(PathOf(oldest.Hash));
                Resize(oldest, 0);
                Drop(oldest.Hash);
            }

            node = next;
        }
    }

    private void Drop(BlobHash hash)
    {
        if (!_entries.Remove(hash, out var node))
            return;
        node.Value.IsDropped = true;
        _order.Remove(node);
    }

    private sealed class Entry(BlobHash hash)
    {
        public BlobHash Hash => hash;

        /// <summary>Bytes of the file; 0: there is none.</summary>
        public long Size { get; set; }

        /// <summary>Callers that are opening the file; it stays until they are done.</summary>
        public int Users { get; set; }

        /// <summary>True once another entry may have replaced it.</summary>
        public bool IsDropped { get; set; }

        /// <summary>Completes when the file exists and is sound; null: not checked yet.</summary>
        public Task? Ready { get; set; }
    }
}
