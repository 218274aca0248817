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
            RemoveUnfinished(options.ConfigFolder);
            FileLink.CreateFolder(made);
            using var zip = ZipFile.OpenRead(file);
            var backup = ReadManifest(zip, file);
            var snapshot = ReadDatabase(zip, Path.Combine(made, CatalogBackup.DatabaseEntry), backup);
            WriteKeys(zip, Path.Combine(made, "keys"));
            var missing = WriteBlobs(zip, snapshot, Path.GetDirectoryName(Path.GetFullPath(file))!, options, options with { ConfigFolder = made }, time, cancellationToken);
            return new RestoreResult(backup, ChangePlaces(made, options.ConfigFolder, time, beforeStep), missing);
        }
        catch (InvalidDataException e)
        {
            throw new CatalogException(CatalogFault.Corrupt, $"{file} is damaged or is no backup ({e.Message}).", e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new CatalogException(CatalogFault.Storage, $"{file} cannot be read: {e.Message}", e);
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

    private static string? ChangePlaces(string made, string folder, TimeProvider time, Action<string>? beforeStep)
    {
        var stem = Path.Combine(folder, time.GetUtcNow().UtcDateTime.ToString("'before-restore-'yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        var former = stem;
        for (var number = 2; Directory.Exists(former); number++)
            former = string.Create(CultureInfo.InvariantCulture, $"{stem}-{number}");
        beforeStep?.Invoke("decision");
        return RestoreJournal.Write(folder, made, former).Complete(folder, beforeStep) ? former : null;
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
