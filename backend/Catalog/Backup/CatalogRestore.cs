using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Text.Json;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Sqlite;

namespace NzbDav.Catalog.Backup;

/// <summary>Restores a backup. No process may use the configuration folder meanwhile.</summary>
public static class CatalogRestore
{
    /// <summary>
    /// Checks the backup, builds the new state beside the old one, then swaps the two by renaming. A journal ensures that a crash leaves
    /// one of the two complete, never a mixture. The old state stays in a folder <c>before-restore-TIME</c>. Blobs come from the file, from
    /// <c>blobs/</c> beside it, or from the old state.
    /// </summary>
    /// <param name="file">A backup, complete or with its blobs beside it.</param>
    /// <param name="options">The target.</param>
    /// <param name="time">Clock, for the folder's name.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is changed before the final swap.</param>
    /// <exception cref="CatalogException">The file is not a sound backup, or the folder cannot be written.</exception>
    public static RestoreResult Restore(string file, CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
        => Restore(file, options, time, beforeStep: null, cancellationToken);

    /// <summary>
    /// Completes a restore that a crash interrupted between its renames. Call before the folder is opened; costs one check for a file.
    /// </summary>
    /// <exception cref="CatalogException">The folder cannot be written.</exception>
    public static void CompleteInterrupted(string configFolder)
    {
        try
        {
            RestoreJournal.Read(configFolder)?.Complete(configFolder, beforeStep: null);
        }
        catch (Exception e) when (FileFaults.IsFault(e) || e is InvalidDataException)
        {
            throw new CatalogException(
                CatalogFault.NotWritable, $"The restore that was interrupted in '{configFolder}' cannot be completed: {e.Message}", e);
        }
    }

    /// <inheritdoc cref="Restore(string, CatalogOptions, TimeProvider, CancellationToken)"/>
    internal static RestoreResult Restore(
        string file, CatalogOptions options, TimeProvider time, Action<string>? beforeStep, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        if (options.Connection is not null)
            throw CatalogBackup.OnServer();
        var made = Path.Combine(options.ConfigFolder, $"restore-{Guid.NewGuid():n}{BlobFile.TemporarySuffix}");
        CompleteInterrupted(options.ConfigFolder);
        try
        {
            // A pending restore would undo this one at the next start.
            RestorePlan.Discard(options.ConfigFolder);
            RemoveUnfinished(options.ConfigFolder);
            var (backup, missing) = Make(file, file, made, options, time, cancellationToken, beforeStep);
            var former = FormerFolder(options.ConfigFolder, time);
            beforeStep?.Invoke("decision");
            return new RestoreResult(backup, RestoreJournal.Write(options.ConfigFolder, made, former)
                .Complete(options.ConfigFolder, beforeStep) ? former : null, missing);
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, options.ConfigFolder);
        }
        finally
        {
            // If there is a journal, the folder is still needed: the next process to open it completes the restore.
            if (Directory.Exists(made) && !File.Exists(RestoreJournal.PathIn(options.ConfigFolder)))
                Directory.Delete(made, recursive: true);
        }
    }

    /// <summary>Checks a backup and builds its state in a new folder.</summary>
    /// <param name="file">The backup.</param>
    /// <param name="name">Its name in messages.</param>
    /// <param name="made">The folder, which must not exist yet.</param>
    /// <param name="options">The current state, whose blobs may be used, and the backups.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Cancels the operation; files already written stay.</param>
    /// <param name="beforeStep">Called with the name of what is extracted next from a .tar.zst, so that tests can stop there.</param>
    /// <returns>The backup, and the number of blobs and reconstructed articles that were not found anywhere.</returns>
    /// <exception cref="CatalogException">The file is not a sound backup, is from a newer version, or the folder cannot be
    /// written.</exception>
    internal static (BackupInfo Backup, int MissingBlobs) Make(
        string file, string name, string made, CatalogOptions options, TimeProvider time, CancellationToken cancellationToken,
        Action<string>? beforeStep = null)
    {
        try
        {
            FileLink.CreateFolder(made);
            using var source = Open(file, made, options with { ConfigFolder = made }, time, beforeStep, cancellationToken);
            var backup = ReadManifest(source, file);
            var snapshot = ReadDatabase(source, Path.Combine(made, CatalogBackup.DatabaseEntry), backup);
            var newest = SqliteEngine.Steps[^1].Number;
            if (snapshot.Schema > newest)
                throw new CatalogException(
                    CatalogFault.NewerVersion,
                    string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name} is of a newer version of NzbDav: it has schema {snapshot.Schema}, and this version knows schemas up to " +
                    $"{newest}."));
            WriteKeys(source, Path.Combine(made, "keys"));
            var beside = Path.GetDirectoryName(Path.GetFullPath(file))!;
            var next = options with { ConfigFolder = made };
            beforeStep = source.IsExtracted ? beforeStep : null;
            beforeStep?.Invoke("blobs");
            var missing = WriteBlobs(source, snapshot, beside, options, next, time, cancellationToken);
            return (backup, missing + WritePatches(source, beside, options, next, cancellationToken));
        }
        catch (InvalidDataException e)
        {
            throw new CatalogException(CatalogFault.Corrupt, $"{name} is damaged or is no backup ({e.Message}).", e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new CatalogException(CatalogFault.Storage, $"{name} cannot be read: {e.Message}", e);
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, options.ConfigFolder);
        }
    }

    /// <summary>A new folder name for the current state.</summary>
    internal static string FormerFolder(string folder, TimeProvider time)
    {
        var stem = Path.Combine(
            folder, FormerState.Prefix + time.GetUtcNow().UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        var former = stem;
        for (var number = 2; Directory.Exists(former); number++)
            former = string.Create(CultureInfo.InvariantCulture, $"{stem}-{number}");
        return former;
    }

    private static BackupSource Open(string file, string made, CatalogOptions options, TimeProvider time, Action<string>? beforeStep,
        CancellationToken cancellationToken)
    {
        if (!BackupArchive.IsOne(file))
            return BackupSource.Of(ZipFile.OpenRead(file));
        var blobs = new FolderBlobs(options.BlobFolder, time);
        var patches = new BackupPatches(options.PatchFolder);
        using var archive = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, FileOptions.SequentialScan);
        BackupArchive.Extract(archive, PlaceOf, cancellationToken);
        return BackupSource.Extracted(made);

        string? PlaceOf(string name)
        {
            beforeStep?.Invoke(name);
            if (name is CatalogBackup.ManifestEntry or CatalogBackup.BlobListEntry or CatalogBackup.PatchListEntry
                or CatalogBackup.DatabaseEntry)
                return Path.Combine(made, name);
            if (name.StartsWith(CatalogBackup.BlobPrefix, StringComparison.Ordinal)
                && BlobHash.TryParse(name[(name.LastIndexOf('/') + 1)..], out var hash) && BackupArchive.NameOf(hash) == name)
                return blobs.PathOf(hash);
            if (name.StartsWith(CatalogBackup.PatchPrefix, StringComparison.Ordinal)
                && name[CatalogBackup.PatchPrefix.Length..] is var patch && BackupPatches.IsName(patch))
                return patches.PathOf(patch);
            return name.StartsWith(CatalogBackup.KeyPrefix, StringComparison.Ordinal) ? KeyPath(Path.Combine(made, "keys"), name) : null;
        }
    }

    private static BackupInfo ReadManifest(BackupSource source, string file)
    {
        try
        {
            using var manifest = source.Open(CatalogBackup.ManifestEntry) ?? throw new InvalidDataException("it has no manifest");
            return JsonSerializer.Deserialize(manifest, BackupJson.Default.BackupInfo)!
                with
            { Name = Path.GetFileName(file), Size = new FileInfo(file).Length };
        }
        catch (JsonException e)
        {
            throw new InvalidDataException("its manifest cannot be read", e);
        }
    }

    private static CatalogSnapshot ReadDatabase(BackupSource source, string path, BackupInfo backup)
    {
        if (!source.IsExtracted)
        {
            using var from = source.Open(CatalogBackup.DatabaseEntry) ?? throw new InvalidDataException("it has no database");
            FileLink.Write(from, path);
        }
        else if (!File.Exists(path))
        {
            throw new InvalidDataException("it has no database");
        }

        var snapshot = CatalogSnapshot.Read(path);
        return CatalogSnapshot.SameRows(snapshot.Rows, backup.Rows)
            ? snapshot : throw new InvalidDataException("its database is not the one that its manifest describes");
    }

    private static void WriteKeys(BackupSource source, string folder)
    {
        foreach (var name in source.Names.Where(
            static name => name.StartsWith(CatalogBackup.KeyPrefix, StringComparison.Ordinal) && !name.EndsWith('/')))
        {
            var path = KeyPath(folder, name);
            FileLink.CreateFolder(Path.GetDirectoryName(path)!);
            using var from = source.Open(name)!;
            FileLink.Write(from, path);
        }
    }

    /// <exception cref="InvalidDataException">The path would be outside the folder.</exception>
    private static string KeyPath(string folder, string name)
    {
        var path = Path.GetFullPath(Path.Combine(folder, name[CatalogBackup.KeyPrefix.Length..]));
        return path.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal)
            ? path : throw new InvalidDataException($"it holds the name {name}");
    }

    /// <summary>Writes the blobs, as hard links where possible: the old state and the backup keep theirs.</summary>
    private static int WriteBlobs(BackupSource source, CatalogSnapshot snapshot, string beside, CatalogOptions old, CatalogOptions made,
        TimeProvider time, CancellationToken cancellationToken)
    {
        var (from, to) = (new FolderBlobs(old.BlobFolder, time), new FolderBlobs(made.BlobFolder, time));
        BackupBlobs[] kept = [new(beside), new(old.BackupFolder)];
        var missing = 0;
        Directory.CreateDirectory(made.BlobFolder);
        foreach (var hash in snapshot.Blobs)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var target = to.PathOf(hash);
            if (source.IsExtracted && File.Exists(target))
                continue;
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            if (source.Open(CatalogBackup.BlobPrefix + hash) is { } blob)
            {
                using (blob)
                    FileLink.WriteUnsynced(blob, target);
            }
            else if (!Array.Exists(kept, blobs => FileLink.Put(blobs.PathOf(hash), target)) && !FileLink.Put(from.PathOf(hash), target)
                && !FileLink.Put(from.Quarantine.PathOf(hash), target))
            {
                missing++;
            }
        }

        return missing;
    }

    /// <summary>Writes the reconstructed articles; all existing ones if an older version made the backup.</summary>
    private static int WritePatches(
        BackupSource source, string beside, CatalogOptions old, CatalogOptions made, CancellationToken cancellationToken)
    {
        var (from, to) = (new BackupPatches(old.PatchFolder), new BackupPatches(made.PatchFolder));
        BackupPatches[] kept = [new(Path.Combine(beside, "patches")), new(Path.Combine(old.BackupFolder, "patches")), from];
        var missing = 0;
        Directory.CreateDirectory(made.PatchFolder);
        foreach (var name in source.Patches ?? from.List())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (source.IsExtracted && File.Exists(to.PathOf(name)))
                continue;
            if (source.Open(CatalogBackup.PatchPrefix + name) is { } patch)
            {
                FileLink.CreateFolder(Path.GetDirectoryName(to.PathOf(name))!);
                using (patch)
                    FileLink.WriteUnsynced(patch, to.PathOf(name));
            }
            else if (!Array.Exists(kept, patches => to.Put(name, patches)))
            {
                missing++;
            }
        }

        return missing;
    }

    /// <summary>Removes an unfinished new state left by a crash before the restore was decided.</summary>
    private static void RemoveUnfinished(string folder)
    {
        if (!Directory.Exists(folder))
            return;
        foreach (var unfinished in Directory.GetDirectories(folder, $"restore-*{BlobFile.TemporarySuffix}"))
            Directory.Delete(unfinished, recursive: true);
    }
}

/// <summary>The result of a restore.</summary>
/// <param name="Backup">The restored backup.</param>
/// <param name="Former">The folder with the old state; null if there was none.</param>
/// <param name="MissingBlobs">Blobs of the backup that were not found anywhere: the files that need them cannot be read.</param>
public sealed record RestoreResult(BackupInfo Backup, string? Former, int MissingBlobs);

/// <summary>
/// The state that a restore replaced, in a folder <c>before-restore-TIME</c> until a person deletes it. Going back to it also needs data
/// outside the folder that the restored catalog does not know. One process at a time uses a configuration folder.
/// </summary>
/// <param name="Folder">Its path.</param>
public sealed record FormerState(string Folder)
{
    internal const string Prefix = "before-restore-";
    private const string ListFile = "kept-torrents";

    /// <summary>All such states in a configuration folder, oldest first. Skips a folder from which everything was moved back.</summary>
    public static IReadOnlyList<FormerState> ListIn(string configFolder) =>
    [
        .. Directory.EnumerateDirectories(configFolder, Prefix + "*")
            .Where(static folder => Directory.EnumerateFileSystemEntries(folder).Any())
            .Order(StringComparer.Ordinal).Select(static folder => new FormerState(folder)),
    ];

    /// <summary>
    /// The torrents whose kept data this state may need. The first call after the restore stores the list in the folder; later calls return
    /// it.
    /// </summary>
    /// <param name="unneeded">Info-hashes of the kept torrents that the current catalog does not need.</param>
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
