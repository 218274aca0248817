using System.IO.Compression;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Backup;

/// <summary>Writes a backup with all its blobs as a single portable file.</summary>
public sealed partial class CatalogBackup
{
    /// <summary>Writes a backup with its blobs as one .zip, from which a folder can be restored anywhere.</summary>
    /// <param name="name">One of <see cref="List"/>.</param>
    /// <param name="target">Written sequentially; never seeks.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task WriteCompleteAsync(string name, Stream target, CancellationToken cancellationToken)
    {
        await using var source = await ZipFile.OpenReadAsync(Path.Combine(Folder, name), cancellationToken);
        await using var complete = await ZipArchive.CreateAsync(target, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken);
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

        // Both blobs and articles are already compressed.
        async Task AddAsync(string entry, string path)
        {
            await using var from = File.OpenRead(path);
            await using var to = await complete.CreateEntry(entry, CompressionLevel.NoCompression).OpenAsync(cancellationToken);
            await from.CopyToAsync(to, cancellationToken);
        }
    }

    /// <summary>Writes a backup with its blobs as one .tar.zst, from which a folder can be restored anywhere. Blocks the calling thread. The file appears complete or not at all.</summary>
    /// <param name="name">One of <see cref="List"/>.</param>
    /// <param name="target">The target path. An existing file is replaced.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">The file cannot be written, or libzstd is missing.</exception>
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
