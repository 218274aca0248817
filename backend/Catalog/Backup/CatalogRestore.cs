using System.Globalization;
using System.IO.Compression;
using System.Text.Json;

namespace NzbDav.Catalog;

/// <summary>Puts a backup back. No process may work in the configuration folder meanwhile.</summary>
public static class CatalogRestore
{
    /// <summary>
    /// Checks the backup, makes the new state beside the old one, and then changes places by renaming; a journal makes sure that a crash leaves all of one or all of the
    /// other. What was there stays in a folder <c>before-restore-TIME</c>. Blobs come out of the file, from <c>blobs/</c> beside it, or from what is there.
    /// </summary>
    /// <param name="file">A backup, complete or with its blobs beside it.</param>
    /// <param name="options">Where to.</param>
    /// <param name="time">Names the folder.</param>
    /// <param name="cancellationToken">Gives up; until the very end nothing is changed by then.</param>
    /// <exception cref="CatalogException">The file is no sound backup, or the folder cannot be written.</exception>
    public static RestoreResult Restore(string file, CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
        => Restore(file, options, time, beforeStep: null, cancellationToken);

    /// <summary>Completes a restore that a crash interrupted between its renames. For whoever opens the folder; costs a look for a file.</summary>
    /// <exception cref="CatalogException">The folder cannot be written.</exception>
    public static void CompleteInterrupted(string configFolder)
    {
        try
        {
            RestoreJournal.Read(configFolder)?.Complete(configFolder, beforeStep: null);
        }
        catch (Exception e) when (FileFaults.IsFault(e) || e is InvalidDataException)
        {
            throw new CatalogException(CatalogFault.NotWritable, $"The restore that was interrupted in '{configFolder}' cannot be completed: {e.Message}", e);
        }
    }

    /// <inheritdoc cref="Restore(string, CatalogOptions, TimeProvider, CancellationToken)"/>
    internal static RestoreResult Restore(string file, CatalogOptions options, TimeProvider time, Action<string>? beforeStep, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        var made = Path.Combine(options.ConfigFolder, $"restore-{Guid.NewGuid():n}{BlobStore.TemporarySuffix}");
        CompleteInterrupted(options.ConfigFolder);
        try
        {
            // One that waits for the next start would undo this one.
            RestorePlan.Discard(options.ConfigFolder);
            RemoveUnfinished(options.ConfigFolder);
            var (backup, missing) = Make(file, file, made, options, time, cancellationToken, beforeStep);
            var former = FormerFolder(options.ConfigFolder, time);
            beforeStep?.Invoke("decision");
            return new RestoreResult(backup, RestoreJournal.Write(options.ConfigFolder, made, former).Complete(options.ConfigFolder, beforeStep) ? former : null, missing);
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, options.ConfigFolder);
        }
        finally
        {
            // With a journal it is no rubbish: the next to open the folder completes the restore.
            if (Directory.Exists(made) && !File.Exists(RestoreJournal.PathIn(options.ConfigFolder)))
                Directory.Delete(made, recursive: true);
        }
    }

    /// <summary>Checks a backup and makes its state in a folder of its own.</summary>
    /// <param name="file">The backup.</param>
    /// <param name="name">What messages call it.</param>
    /// <param name="made">The folder, which is not there yet.</param>
    /// <param name="options">The present state, whose blobs may serve, and the backups.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Gives up; what was made is left.</param>
    /// <param name="beforeStep">Called with the name of what comes out of a .tar.zst next: lets tests end it there.</param>
    /// <returns>What it was made of, and how many blobs and articles that were made again are nowhere to be found.</returns>
    /// <exception cref="CatalogException">The file is no sound backup, is of a newer version, or the folder cannot be written.</exception>
    internal static (BackupInfo Backup, int MissingBlobs) Make(
        string file, string name, string made, CatalogOptions options, TimeProvider time, CancellationToken cancellationToken, Action<string>? beforeStep = null)
    {
        try
        {
            FileLink.CreateFolder(made);
            using var source = Open(file, made, options with { ConfigFolder = made }, time, beforeStep, cancellationToken);
            var backup = ReadManifest(source, file);
            var snapshot = ReadDatabase(source, Path.Combine(made, CatalogBackup.DatabaseEntry), backup);
            var newest = MigrationRunner.Embedded()[^1].Number;
            if (snapshot.Schema > newest)
                throw new CatalogException(CatalogFault.NewerVersion, string.Create(CultureInfo.InvariantCulture, $"{name} is of a newer version of NzbDav: it has schema {snapshot.Schema}, and this version knows schemas up to {newest}."));
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

    /// <summary>A folder that is not there yet, for what is there now.</summary>
    internal static string FormerFolder(string folder, TimeProvider time)
    {
        var stem = Path.Combine(folder, time.GetUtcNow().UtcDateTime.ToString("'before-restore-'yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        var former = stem;
        for (var number = 2; Directory.Exists(former); number++)
            former = string.Create(CultureInfo.InvariantCulture, $"{stem}-{number}");
        return former;
    }

    private static BackupSource Open(string file, string made, CatalogOptions options, TimeProvider time, Action<string>? beforeStep, CancellationToken cancellationToken)
    {
        if (!BackupArchive.IsOne(file))
            return BackupSource.Of(ZipFile.OpenRead(file));
        if (!Zstandard.IsAvailable)
            throw new CatalogException(CatalogFault.Storage, $"{file} needs libzstd, which is not installed: install the package libzstd1 (Debian) or zstd.");
        var blobs = new BlobStore(options, time);
        var patches = new BackupPatches(options.PatchFolder);
        using var archive = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, FileOptions.SequentialScan);
        BackupArchive.Extract(archive, PlaceOf, cancellationToken);
        return BackupSource.Extracted(made);

        string? PlaceOf(string name)
        {
            beforeStep?.Invoke(name);
            if (name is CatalogBackup.ManifestEntry or CatalogBackup.BlobListEntry or CatalogBackup.PatchListEntry or CatalogBackup.DatabaseEntry)
                return Path.Combine(made, name);
            if (name.StartsWith(CatalogBackup.BlobPrefix, StringComparison.Ordinal) && BlobHash.TryParse(name[(name.LastIndexOf('/') + 1)..], out var hash) && BackupArchive.NameOf(hash) == name)
                return blobs.PathOf(hash);
            if (name.StartsWith(CatalogBackup.PatchPrefix, StringComparison.Ordinal) && name[CatalogBackup.PatchPrefix.Length..] is var patch && BackupPatches.IsName(patch))
                return patches.PathOf(patch);
            return name.StartsWith(CatalogBackup.KeyPrefix, StringComparison.Ordinal) ? KeyPath(Path.Combine(made, "keys"), name) : null;
        }
    }

    private static BackupInfo ReadManifest(BackupSource source, string file)
    {
        try
        {
            using var manifest = source.Open(CatalogBackup.ManifestEntry) ?? throw new InvalidDataException("it has no manifest");
            return JsonSerializer.Deserialize(manifest, BackupJson.Default.BackupInfo)! with { Name = Path.GetFileName(file), Size = new FileInfo(file).Length };
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
        return CatalogSnapshot.SameRows(snapshot.Rows, backup.Rows) ? snapshot : throw new InvalidDataException("its database is not the one that its manifest describes");
    }

    private static void WriteKeys(BackupSource source, string folder)
    {
        foreach (var name in source.Names.Where(static name => name.StartsWith(CatalogBackup.KeyPrefix, StringComparison.Ordinal) && !name.EndsWith('/')))
        {
            var path = KeyPath(folder, name);
            FileLink.CreateFolder(Path.GetDirectoryName(path)!);
            using var from = source.Open(name)!;
            FileLink.Write(from, path);
        }
    }

    /// <exception cref="InvalidDataException">It would be outside the folder.</exception>
    private static string KeyPath(string folder, string name)
    {
        var path = Path.GetFullPath(Path.Combine(folder, name[CatalogBackup.KeyPrefix.Length..]));
        return path.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal) ? path : throw new InvalidDataException($"it holds the name {name}");
    }

    /// <summary>Links where it can: the old state keeps its names, and the backup too.</summary>
    private static int WriteBlobs(BackupSource source, CatalogSnapshot snapshot, string beside, CatalogOptions old, CatalogOptions made, TimeProvider time, CancellationToken cancellationToken)
    {
        var (from, to) = (new BlobStore(old, time), new BlobStore(made, time));
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
            else if (!Array.Exists(kept, blobs => FileLink.Put(blobs.PathOf(hash), target)) && !FileLink.Put(from.PathOf(hash), target) && !FileLink.Put(from.Quarantine.PathOf(hash), target))
            {
                missing++;
            }
        }

        return missing;
    }

    /// <summary>The articles that were made again; all that are there, where an older version made the backup.</summary>
    private static int WritePatches(BackupSource source, string beside, CatalogOptions old, CatalogOptions made, CancellationToken cancellationToken)
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

    /// <summary>What a crash left of a new state before it was decided on.</summary>
    private static void RemoveUnfinished(string folder)
    {
        if (!Directory.Exists(folder))
            return;
        foreach (var unfinished in Directory.GetDirectories(folder, $"restore-*{BlobStore.TemporarySuffix}"))
            Directory.Delete(unfinished, recursive: true);
    }
}
