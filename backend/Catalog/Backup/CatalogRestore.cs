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
            var (backup, missing) = Make(file, file, made, options, time, cancellationToken);
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
    /// <returns>What it was made of, and how many blobs and articles that were made again are nowhere to be found.</returns>
    /// <exception cref="CatalogException">The file is no sound backup, is of a newer version, or the folder cannot be written.</exception>
    internal static (BackupInfo Backup, int MissingBlobs) Make(string file, string name, string made, CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
    {
        try
        {
            FileLink.CreateFolder(made);
            using var zip = ZipFile.OpenRead(file);
            var backup = ReadManifest(zip, file);
            var snapshot = ReadDatabase(zip, Path.Combine(made, CatalogBackup.DatabaseEntry), backup);
            var newest = MigrationRunner.Embedded()[^1].Number;
            if (snapshot.Schema > newest)
                throw new CatalogException(CatalogFault.NewerVersion, string.Create(CultureInfo.InvariantCulture, $"{name} is of a newer version of NzbDav: it has schema {snapshot.Schema}, and this version knows schemas up to {newest}."));
            WriteKeys(zip, Path.Combine(made, "keys"));
            var beside = Path.GetDirectoryName(Path.GetFullPath(file))!;
            var next = options with { ConfigFolder = made };
            var missing = WriteBlobs(zip, snapshot, beside, options, next, time, cancellationToken);
            return (backup, missing + WritePatches(zip, beside, options, next, cancellationToken));
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

    private static BackupInfo ReadManifest(ZipArchive zip, string file)
    {
        try
        {
            using var manifest = zip.GetEntry(CatalogBackup.ManifestEntry)?.Open() ?? throw new InvalidDataException("it has no manifest");
            return JsonSerializer.Deserialize(manifest, BackupJson.Default.BackupInfo)! with { Name = Path.GetFileName(file), Size = new FileInfo(file).Length };
        }
        catch (JsonException e)
        {
            throw new InvalidDataException("its manifest cannot be read", e);
        }
    }

    private static CatalogSnapshot ReadDatabase(ZipArchive zip, string path, BackupInfo backup)
    {
        using (var from = zip.GetEntry(CatalogBackup.DatabaseEntry)?.Open() ?? throw new InvalidDataException("it has no database"))
            FileLink.Write(from, path);
        var snapshot = CatalogSnapshot.Read(path);
        return CatalogSnapshot.SameRows(snapshot.Rows, backup.Rows) ? snapshot : throw new InvalidDataException("its database is not the one that its manifest describes");
    }

    private static void WriteKeys(ZipArchive zip, string folder)
    {
        foreach (var entry in zip.Entries.Where(entry => entry.FullName.StartsWith(CatalogBackup.KeyPrefix, StringComparison.Ordinal) && entry.Name.Length > 0))
        {
            var path = Path.GetFullPath(Path.Combine(folder, entry.FullName[CatalogBackup.KeyPrefix.Length..]));
            if (!path.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal))
                throw new InvalidDataException($"it holds the name {entry.FullName}");
            FileLink.CreateFolder(Path.GetDirectoryName(path)!);
            using var from = entry.Open();
            FileLink.Write(from, path);
        }
    }

    /// <summary>Links where it can: the old state keeps its names, and the backup too.</summary>
    private static int WriteBlobs(ZipArchive zip, CatalogSnapshot snapshot, string beside, CatalogOptions old, CatalogOptions made, TimeProvider time, CancellationToken cancellationToken)
    {
        var (from, to) = (new BlobStore(old, time), new BlobStore(made, time));
        BackupBlobs[] kept = [new(beside), new(old.BackupFolder)];
        var missing = 0;
        Directory.CreateDirectory(made.BlobFolder);
        foreach (var hash in snapshot.Blobs)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var target = to.PathOf(hash);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            if (zip.GetEntry(CatalogBackup.BlobPrefix + hash) is { } entry)
            {
                using var stream = entry.Open();
                FileLink.Write(stream, target);
            }
            else if (!Array.Exists(kept, blobs => FileLink.Put(blobs.PathOf(hash), target)) && !FileLink.Put(from.PathOf(hash), target) && !FileLink.Put(from.Quarantine.PathOf(hash), target))
            {
                missing++;
            }
        }

        return missing;
    }

    /// <summary>The articles that were made again; all that are there, where an older version made the backup.</summary>
    private static int WritePatches(ZipArchive zip, string beside, CatalogOptions old, CatalogOptions made, CancellationToken cancellationToken)
    {
        var (from, to) = (new BackupPatches(old.PatchFolder), new BackupPatches(made.PatchFolder));
        BackupPatches[] kept = [new(Path.Combine(beside, "patches")), new(Path.Combine(old.BackupFolder, "patches")), from];
        var missing = 0;
        Directory.CreateDirectory(made.PatchFolder);
        foreach (var name in BackupFile.PatchesOf(zip) ?? from.List())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (zip.GetEntry(CatalogBackup.PatchPrefix + name) is { } entry)
            {
                FileLink.CreateFolder(Path.GetDirectoryName(to.PathOf(name))!);
                using var stream = entry.Open();
                FileLink.Write(stream, to.PathOf(name));
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
