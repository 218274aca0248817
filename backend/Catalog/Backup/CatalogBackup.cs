using System.Globalization;
using System.IO.Compression;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Sqlite;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// Backs up a configuration folder: <c>nzbdav-TIME.zip</c> with the database, <c>keys/</c> and the list of its blobs. The blobs
/// (<c>blobs/</c>) and the reconstructed articles (<c>patches/</c>) are stored beside it, shared by all backups. Blocks the calling thread
/// for seconds, but no writer. A backup appears complete and verified, or not at all. Any process may make one, one at a time. Thread-safe.
/// </summary>
public sealed class CatalogBackup
{
    internal const string DatabaseEntry = "nzbdav.sqlite";
    internal const string ManifestEntry = "manifest.json";
    internal const string BlobListEntry = "blobs.txt";
    internal const string KeyPrefix = "keys/";
    internal const string BlobPrefix = "blobs/";
    internal const string PatchListEntry = "patches.txt";
    internal const string PatchPrefix = "patches/";

    private const string Pattern = "nzbdav-*.zip";

    /// <summary>Number of backups from before an upgrade that are kept in addition to the others.</summary>
    private const int UpgradesKept = 2;

    /// <summary>
    /// Attempts to copy. A blob deleted during one copy is no longer referenced in the next; one still missing in the last is missing for
    /// good.
    /// </summary>
    private const int Rounds = 4;

    private readonly CatalogOptions _options;
    private readonly TimeProvider _time;
    private readonly BackupBlobs _blobs;
    private readonly BackupPatches _patches;
    private readonly FolderBlobs _store;

    public CatalogBackup(CatalogOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        _options = options;
        _time = time;
        _blobs = new BackupBlobs(options.BackupFolder);
        _patches = new BackupPatches(Path.Combine(options.BackupFolder, "patches"));
        _store = new FolderBlobs(options.BlobFolder, time);
    }

    /// <summary>The folder of the backups.</summary>
    public string Folder => _options.BackupFolder;

    /// <summary>Called between the copy of the database and that of its blobs, so that tests can change things in between.</summary>
    internal Action? AfterCopy { get; set; }

    /// <summary>Makes a backup.</summary>
    /// <param name="reason">See <see cref="BackupReason"/>.</param>
    /// <param name="cancellationToken">Cancels the operation and leaves nothing behind.</param>
    /// <exception cref="CatalogException">There is no database, it is damaged, another backup is running, or the folder cannot be
    /// written.</exception>
    public BackupInfo Create(string reason, CancellationToken cancellationToken)
    {
        if (_options.Connection is not null)
            throw new InvalidOperationException("A catalog in PostgreSQL is copied to a file first.");
        if (!File.Exists(_options.DatabasePath))
            throw new CatalogException(CatalogFault.NotWritable, $"There is nothing to back up: {_options.DatabasePath} does not exist.");
        var copy = Path.Combine(Folder, $"{Guid.NewGuid():n}{BlobFile.TemporarySuffix}");
        try
        {
            FileLink.CreateFolder(Folder);
            using var claim = Claim();
            foreach (var leftover in Directory.EnumerateFiles(Folder, "*" + BlobFile.TemporarySuffix + "*"))
                BlobFile.TryDelete(leftover);
            try
            {
                return Create(reason, copy, cancellationToken);
            }
            finally
            {
                File.Delete(copy);
            }
        }
        catch (SqliteException e)
        {
            throw SqliteEngine.Translate(e, _options)
                ?? new CatalogException(CatalogFault.Storage, $"The database cannot be copied: {e.Message}", e);
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, Folder);
        }
    }

    /// <summary>The error for a restore where the database is on a server.</summary>
    internal static CatalogException OnServer() => new(
        CatalogFault.NotSupported,
        "The catalog is in PostgreSQL, and a backup is restored as SQLite. Restore it into an empty configuration folder without " +
        "NzbDav__Catalog__Connection, and move it to an empty database with nzbdav catalog move. What pg_dump saved is restored with " +
        "pg_restore.");

    /// <summary>All readable backups, newest first.</summary>
    public IReadOnlyList<BackupInfo> List()
    {
        if (!Directory.Exists(Folder))
            return [];
        return [.. Directory.EnumerateFiles(Folder, Pattern).Select(BackupFile.Describe).OfType<BackupInfo>()
            .OrderByDescending(backup => backup.Created).ThenByDescending(backup => backup.Name, StringComparer.Ordinal)];
    }

    /// <summary>Names of the backups that are damaged or cannot be read. While there is one, no blobs of backups are removed.</summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    public IReadOnlyList<string> ListDamaged() =>
        [.. Directory.EnumerateFiles(Folder, Pattern).Where(static path => BackupFile.TryReadLists(path) is null)
            .Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    /// <summary>The path of one of <see cref="List"/>; null if there is none with that name.</summary>
    public string? Find(string name) => List().Any(backup => backup.Name == name) ? Path.Combine(Folder, name) : null;

    /// <summary>Removes all but the newest backups, and the blobs that no backup needs any more.</summary>
    /// <param name="keep">Number of backups to keep, at least 1; up to two more from before an upgrade are kept in addition.</param>
    /// <returns>The number removed.</returns>
    /// <exception cref="CatalogException">Another backup is running, or the folder cannot be written.</exception>
    public int Prune(int keep)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(keep, 1);
        if (!Directory.Exists(Folder))
            return 0;
        try
        {
            using var claim = Claim();
            var all = List();
            BackupInfo[] old =
            [
                .. all.Where(backup => backup.Reason != BackupReason.Upgrade).Skip(keep),
                .. all.Where(backup => backup.Reason == BackupReason.Upgrade).Skip(UpgradesKept),
            ];
            Remove(old);
            return old.Length;
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, Folder);
        }
    }

    /// <summary>Removes a backup, and the blobs that no other backup needs.</summary>
    /// <param name="name">One of <see cref="List"/>.</param>
    /// <returns>False if there is none with that name.</returns>
    /// <exception cref="CatalogException">Another backup is running, or the folder cannot be written.</exception>
    public bool Remove(string name)
    {
        if (!Directory.Exists(Folder))
            return false;
        try
        {
            using var claim = Claim();
            if (List().FirstOrDefault(backup => backup.Name == name) is not { } backup)
                return false;
            Remove([backup]);
            return true;
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, Folder);
        }
    }

    private void Remove(BackupInfo[] old)
    {
        foreach (var backup in old)
            File.Delete(Path.Combine(Folder, backup.Name));

        // An unreadable or damaged backup may need any of the blobs.
        if (old.Length == 0)
            return;
        var (blobs, patches) = (new HashSet<BlobHash>(), new HashSet<string>(StringComparer.Ordinal));
        foreach (var path in Directory.EnumerateFiles(Folder, Pattern))
        {
            if (BackupFile.TryReadLists(path) is not { } lists)
                return;
            blobs.UnionWith(lists.Blobs);
            patches.UnionWith(lists.Patches);
        }

        _blobs.RemoveAllBut(blobs);
        _patches.RemoveAllBut(patches);
    }

    private BackupInfo Create(string reason, string copy, CancellationToken cancellationToken)
    {
        var begun = _time.GetUtcNow();
        CatalogSnapshot snapshot;
        List<BlobHash> missing;
        for (var round = 1; ; round++)
        {
            File.Delete(copy);
            snapshot = CatalogSnapshot.Create(_options, copy);
            AfterCopy?.Invoke();
            missing = _blobs.Keep(snapshot.Blobs, _store.PathOf, cancellationToken);
            if (missing.Count == 0 || round == Rounds)
                break;
        }

        snapshot.Verify(copy);

        // After the copy: every patch that the database references exists by then.
        var patches = _patches.Keep(new BackupPatches(_options.PatchFolder), cancellationToken);
        var info = new BackupInfo
        {
            Created = begun,
            Reason = reason,
            Schema = snapshot.Schema,
            Rows = snapshot.Rows,
            Blobs = snapshot.Blobs.Count - missing.Count,
            BlobBytes = _blobs.Measure(snapshot.Blobs),
            MissingBlobs = missing.Count,
            Patches = patches.Count,
            PatchBytes = _patches.Measure(patches),
        };
        var unfinished = copy + ".zip" + BlobFile.TemporarySuffix;
        try
        {
            using (var file = FileLink.Create(unfinished))
            {
                using (var zip = new ZipArchive(file, ZipArchiveMode.Create, leaveOpen: true))
                    Fill(zip, info, copy, snapshot.Blobs, patches);
                file.Flush(flushToDisk: true);
            }

            var path = FreePath(begun);
            File.Move(unfinished, path);
            DirectorySync.Flush(Folder);
            return info with { Name = Path.GetFileName(path), Size = new FileInfo(path).Length };
        }
        finally
        {
            File.Delete(unfinished);
        }
    }

    private void Fill(ZipArchive zip, BackupInfo info, string copy, IReadOnlyList<BlobHash> blobs, IReadOnlyList<string> patches)
    {
        using (var manifest = zip.CreateEntry(ManifestEntry).Open())
            JsonSerializer.Serialize(manifest, info, BackupJson.Default.BackupInfo);
        BackupFile.WriteLines(zip, BlobListEntry, blobs.Select(static hash => hash.ToString()));
        BackupFile.WriteLines(zip, PatchListEntry, patches);
        Add(DatabaseEntry, copy);
        var keys = Path.Combine(_options.ConfigFolder, "keys");
        if (!Directory.Exists(keys))
            return;
        foreach (var key in Directory.EnumerateFiles(keys, "*", SearchOption.AllDirectories))
            Add(KeyPrefix + Path.GetRelativePath(keys, key).Replace('\\', '/'), key);

        void Add(string name, string path)
        {
            using var from = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            using var to = zip.CreateEntry(name, CompressionLevel.Fastest).Open();
            from.CopyTo(to);
        }
    }

    private string FreePath(DateTimeOffset time)
    {
        var stem = Path.Combine(Folder, time.UtcDateTime.ToString("'nzbdav-'yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        var path = stem + ".zip";
        for (var number = 2; File.Exists(path); number++)
            path = string.Create(CultureInfo.InvariantCulture, $"{stem}-{number}.zip");
        return path;
    }

    /// <summary>Takes the lock that allows one backup at a time across all processes.</summary>
    private FileStream Claim()
    {
        try
        {
            return new FileStream(Path.Combine(Folder, ".lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e)
        {
            throw new CatalogException(CatalogFault.Busy, "Another backup is being made.", e);
        }
    }

    // Exports a backup with all its blobs as a single portable file.

    /// <summary>Writes a backup with its blobs as one .zip, which can be restored anywhere.</summary>
    /// <param name="name">One of <see cref="List"/>.</param>
    /// <param name="target">Written sequentially; never seeks.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task WriteCompleteAsync(string name, Stream target, CancellationToken cancellationToken)
    {
        await using var source = await ZipFile.OpenReadAsync(Path.Combine(Folder, name), cancellationToken);
        await using var complete = await ZipArchive.CreateAsync(
            target, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken);
        foreach (var entry in source.Entries)
        {
            await using var from = await entry.OpenAsync(cancellationToken);
            await using var to = await complete.CreateEntry(entry.FullName, CompressionLevel.Fastest).OpenAsync(cancellationToken);
            await from.CopyToAsync(to, cancellationToken);
        }

        foreach (var hash in BackupFile.BlobsOf(Path.Combine(Folder, name)))
        {
            var path = _blobs.PathOf(hash);
            if (!File.Exists(path))
                continue;

            await AddAsync(BlobPrefix + hash, path);
        }

        foreach (var patch in BackupFile.PatchesOf(Path.Combine(Folder, name)) ?? [])
        {
            if (_patches.PathOf(patch) is var path && File.Exists(path))
                await AddAsync(PatchPrefix + patch, path);
        }

        // Blobs and articles are already compressed.
        async Task AddAsync(string entry, string path)
        {
            await using var from = File.OpenRead(path);
            await using var to = await complete.CreateEntry(entry, CompressionLevel.NoCompression).OpenAsync(cancellationToken);
            await from.CopyToAsync(to, cancellationToken);
        }
    }

    /// <summary>
    /// Writes a backup with its blobs as one .tar.zst, which can be restored anywhere. Blocks the calling thread. The file appears complete
    /// or not at all.
    /// </summary>
    /// <param name="name">One of <see cref="List"/>.</param>
    /// <param name="target">The target path. An existing file is replaced.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">The file cannot be written.</exception>
    public void WriteArchive(string name, string target, CancellationToken cancellationToken)
    {
        var path = Path.Combine(Folder, name);
        var unfinished = $"{target}.{Guid.NewGuid():n}{BlobFile.TemporarySuffix}";
        try
        {
            var beside = BackupFile.BlobsOf(path).Select(hash => (BackupArchive.NameOf(hash), _blobs.PathOf(hash)))
                .Concat((BackupFile.PatchesOf(path) ?? []).Select(patch => (PatchPrefix + patch, _patches.PathOf(patch))));
            using (var zip = ZipFile.OpenRead(path))
            using (var file = FileLink.Create(unfinished))
            {
                BackupArchive.Write(zip, beside, file, cancellationToken);
                file.Flush(flushToDisk: true);
            }

            File.Move(unfinished, target, overwrite: true);
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, Path.GetDirectoryName(target)!);
        }
        finally
        {
            BlobFile.TryDelete(unfinished);
        }
    }
}
