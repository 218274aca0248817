using System.Data.Common;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;

namespace NzbDav.Catalog.Transfer;

/// <summary>
/// A copy of a PostgreSQL catalog as a temporary configuration folder with SQLite, which is then backed up like any other. Gateways may
/// keep working meanwhile: the rows are those of one moment, and blobs already in the backup folder are not fetched again. Disposal deletes
/// the folder.
/// </summary>
public sealed class ServerCopy : IDisposable
{
    private const string Prefix = "server-";

    /// <summary>
    /// Attempts to copy. A blob removed during one copy is no longer referenced in the next; one still missing in the last is missing for
    /// good.
    /// </summary>
    private const int Rounds = 4;

    private readonly string _folder;

    private ServerCopy(string folder, CatalogBackup backups) => (_folder, Backups) = (folder, backups);

    /// <summary>Creates backups of the copy, in the catalog's backup folder.</summary>
    public CatalogBackup Backups { get; }

    /// <summary>Creates a copy.</summary>
    /// <param name="options">The PostgreSQL catalog. Its folder has the keys and patches.</param>
    /// <param name="time">Clock.</param>
    /// <param name="cancellationToken">Cancels the operation and leaves nothing behind.</param>
    /// <exception cref="CatalogException">The database cannot be read, its schema is not that of this version, or the backup folder cannot
    /// be written.</exception>
    public static async Task<ServerCopy> MakeAsync(CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        var folder = Path.Combine(options.BackupFolder, $"{Prefix}{Guid.NewGuid():n}{BlobFile.TemporarySuffix}");
        var copied = options with { Connection = null, ConfigFolder = folder };
        var copy = new ServerCopy(folder, new CatalogBackup(copied, time));
        await using var engine = new PostgresEngine(options);
        try
        {
            FileLink.CreateFolder(options.BackupFolder);
            RemoveLeftovers(options.BackupFolder, time);
            FileLink.CreateFolder(folder);
            foreach (var kept in new[] { "keys", "patches" })
                Directory.CreateSymbolicLink(Path.Combine(folder, kept), Path.Combine(Path.GetFullPath(options.ConfigFolder), kept));
            var transfer = new CatalogTransfer(copied, options, time);
            var blobs = new BlobFiles(options, engine, time);
            for (var round = 1; ; round++)
            {
                foreach (var former in Directory.GetFiles(folder))
                    File.Delete(former);
                await transfer.CopyRowsAsync(cancellationToken);
                if (await blobs.CopyAsync(copied, References(copied), cancellationToken) || round == Rounds)
                    break;
            }

            DirectorySync.FlushFileSystem(folder);
            return copy;
        }
        catch (Exception error)
        {
            copy.Dispose();
            if (engine.Translate(error) is { } known)
                throw known;
            if (error is DbException)
                throw new CatalogException(CatalogFault.Storage, $"The catalog cannot be copied: {error.Message}", error);
            if (error is not CatalogException && FileFaults.IsFault(error))
                throw FileFaults.WhileWriting(error, options.BackupFolder);
            throw;
        }
    }

    public void Dispose() => TryDelete(_folder);

    private static List<BlobHash> References(CatalogOptions copied)
    {
        using var connection = new SqliteConnection(new SqliteConnectionStringBuilder
        {
            DataSource = copied.DatabasePath,
            Mode = SqliteOpenMode.ReadOnly,
            Pooling = false
        }.ToString());
        connection.Open();
        return [.. connection.Query<string>("SELECT DISTINCT hash FROM blob_references").Select(BlobHash.Parse)];
    }

    /// <summary>Removes what a crash left. No backup takes a day.</summary>
    private static void RemoveLeftovers(string folder, TimeProvider time)
    {
        foreach (var leftover in new DirectoryInfo(folder).GetDirectories(Prefix + "*" + BlobFile.TemporarySuffix))
        {
            if (leftover.LastWriteTimeUtc < time.GetUtcNow().UtcDateTime.AddDays(-1))
                TryDelete(leftover.FullName);
        }
    }

    private static void TryDelete(string folder)
    {
        try
        {
            // Deletes the links, not their targets.
            if (Directory.Exists(folder))
                Directory.Delete(folder, recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next backup tries again.
        }
    }

    /// <summary>The blob files of the server.</summary>
    private sealed class BlobFiles(CatalogOptions options, PostgresEngine engine, TimeProvider time)
    {
        private readonly BlobRows _rows = new(engine, time);
        private readonly FolderBlobs _folder = new(options.BlobFolder, time);
        private readonly BackupBlobs _kept = new(options.BackupFolder);

        /// <returns>False if some were not found.</returns>
        public async Task<bool> CopyAsync(CatalogOptions to, IReadOnlyList<BlobHash> hashes, CancellationToken cancellationToken)
        {
            var target = new FolderBlobs(to.BlobFolder, time);
            var isComplete = true;
            foreach (var hash in hashes)
            {
                var path = target.PathOf(hash);
                if (!File.Exists(_kept.PathOf(hash)) && !File.Exists(path))
                    isComplete &= await TryCopyAsync(hash, path, cancellationToken);
            }

            return isComplete;
        }

        private async Task<bool> TryCopyAsync(BlobHash hash, string path, CancellationToken cancellationToken)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            if (options.HasBlobsInDatabase)
            {
                var unfinished = path + BlobFile.TemporarySuffix;
                try
                {
                    bool isThere;
                    await using (var file = new FileStream(
                        unfinished, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.Asynchronous))
                        isThere = await _rows.FetchAsync(hash, file, cancellationToken);
                    if (isThere)
                    {
                        File.Move(unfinished, path);
                        return true;
                    }
                }
                finally
                {
                    BlobFile.TryDelete(unfinished);
                }
            }

            return FileLink.Put(_folder.PathOf(hash), path);
        }
    }
}
