using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// Prepares a restore while a server runs: <see cref="Prepare"/> builds the new state beside the old one, and a marker makes the next start
/// adopt it (<see cref="Apply()"/>) with the same journal as <see cref="CatalogRestore"/>. A crash leaves one of the two states complete.
/// One server at a time uses a folder; thread-safe.
/// </summary>
/// <param name="options">The configuration folder.</param>
/// <param name="time">The clock.</param>
public sealed class RestorePlan(CatalogOptions options, TimeProvider time)
{
    private const string PreparedFolder = "restore-prepared";
    private const string MarkerFile = "restore.pending";
    private const string OutcomeFile = "restore.outcome";

    private readonly Lock _gate = new();

    /// <summary>The restore that the next start adopts; null if there is none.</summary>
    /// <exception cref="CatalogException">The marker cannot be read.</exception>
    public PendingRestore? Pending => Read(MarkerFile, BackupJson.Default.PendingRestore);

    /// <summary>The outcome of the latest restore; null if there was none.</summary>
    /// <exception cref="CatalogException">The outcome file cannot be read.</exception>
    public RestoreOutcome? Last => Read(OutcomeFile, BackupJson.Default.RestoreOutcome);

    /// <summary>Checks a backup and prepares its state for the next start. Blocks the calling thread while the database, and possibly all
    /// blobs, are copied.</summary>
    /// <param name="file">The backup.</param>
    /// <param name="name">Its name for people.</param>
    /// <param name="backupFolder">The folder with the blobs of kept backups.</param>
    /// <param name="cancellationToken">Cancels the operation and leaves nothing behind.</param>
    /// <exception cref="CatalogException">Another restore is pending or being prepared (<see cref="CatalogFault.Busy"/>), the file is not a
    /// sound backup, or the folder cannot be written.</exception>
    public PendingRestore Prepare(string file, string name, string backupFolder, CancellationToken cancellationToken)
    {
        if (options.Connection is not null)
            throw CatalogBackup.OnServer();
        if (!_gate.TryEnter())
            throw new CatalogException(CatalogFault.Busy, "Another restore is being prepared: wait for it.");
        try
        {
            if (Pending is { } other)
                throw new CatalogException(
                    CatalogFault.Busy, $"The restore of {other.Backup.Name} waits for the next start: cancel it first.");
            var made = Path.Combine(options.ConfigFolder, PreparedFolder);
            var decided = false;
            try
            {
                Remove(made);
                var (backup, missing) = CatalogRestore.Make(
                    file, name, made, options with { BackupFolder = backupFolder }, time, cancellationToken);
                var pending = new PendingRestore(backup with { Name = name }, time.GetUtcNow(), missing);
                DirectorySync.FlushFileSystem(made);
                Write(MarkerFile, pending, BackupJson.Default.PendingRestore);
                decided = true;
                return pending;
            }
            catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
            {
                throw FileFaults.WhileWriting(e, options.ConfigFolder);
            }
            finally
            {
                if (!decided)
                    Remove(made);
            }
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Cancels the pending restore.</summary>
    /// <returns>False if there is none.</returns>
    /// <exception cref="CatalogException">It is being prepared, or the folder cannot be written.</exception>
    public bool Cancel()
    {
        if (!_gate.TryEnter())
            throw new CatalogException(CatalogFault.Busy, "The restore is still being prepared: wait for it.");
        try
        {
            return Discard(options.ConfigFolder);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, options.ConfigFolder);
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>
    /// Adopts the prepared state. Called at the start, before anything in the folder is opened; can be repeated after a crash at any point.
    /// </summary>
    /// <returns>The outcome; null if no restore was pending.</returns>
    /// <exception cref="CatalogException">The folder cannot be written: the next start continues.</exception>
    public RestoreOutcome? Apply() => Apply(beforeStep: null);

    /// <inheritdoc cref="Apply()"/>
    internal RestoreOutcome? Apply(Action<string>? beforeStep)
    {
        CatalogRestore.CompleteInterrupted(options.ConfigFolder);
        if (Pending is not { } pending)
            return null;
        try
        {
            var made = Path.Combine(options.ConfigFolder, PreparedFolder);

            // If the folder is gone after the decision, an earlier start has already moved it into place.
            string? error = null;
            if (options.Connection is not null && pending.Former is null)
            {
                error = CatalogBackup.OnServer().Message;
            }
            else if (File.Exists(Path.Combine(made, CatalogBackup.DatabaseEntry)))
            {
                pending = pending with { Former = CatalogRestore.FormerFolder(options.ConfigFolder, time) };
                beforeStep?.Invoke("marker");
                Write(MarkerFile, pending, BackupJson.Default.PendingRestore);
                beforeStep?.Invoke("decision");
                RestoreJournal.Write(options.ConfigFolder, made, pending.Former).Complete(options.ConfigFolder, beforeStep);
            }
            else if (pending.Former is null)
            {
                error = "What was prepared for it is not there any more.";
            }

            beforeStep?.Invoke("outcome");
            var outcome = new RestoreOutcome(
                pending.Backup, time.GetUtcNow(), Directory.Exists(pending.Former) ? pending.Former : null, pending.MissingBlobs, error);
            Write(OutcomeFile, outcome, BackupJson.Default.RestoreOutcome);
            beforeStep?.Invoke("end");
            Discard(options.ConfigFolder);
            return outcome;
        }
        catch (Exception e) when (e is not CatalogException && FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, options.ConfigFolder);
        }
    }

    /// <summary>Removes the marker and the prepared state.</summary>
    /// <returns>False if there was no marker.</returns>
    internal static bool Discard(string folder)
    {
        var marker = Path.Combine(folder, MarkerFile);
        var waited = File.Exists(marker);
        File.Delete(marker);
        if (waited)
            DirectorySync.Flush(folder);
        Remove(Path.Combine(folder, PreparedFolder));
        return waited;
    }

    private static void Remove(string folder)
    {
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
    }

    private T? Read<T>(string name, JsonTypeInfo<T> type)
        where T : class
    {
        var path = Path.Combine(options.ConfigFolder, name);
        try
        {
            return File.Exists(path) ? JsonSerializer.Deserialize(File.ReadAllBytes(path), type) : null;
        }
        catch (Exception e) when (e is JsonException || FileFaults.IsFault(e))
        {
            throw new CatalogException(CatalogFault.Storage, $"{path} cannot be read ({e.Message}): remove it.", e);
        }
    }

    private void Write<T>(string name, T what, JsonTypeInfo<T> type)
    {
        using var text = new MemoryStream(JsonSerializer.SerializeToUtf8Bytes(what, type));
        FileLink.Write(text, Path.Combine(options.ConfigFolder, name));
        DirectorySync.Flush(options.ConfigFolder);
    }
}

/// <summary>A backup, checked and extracted, that replaces the current state at the next start. Immutable.</summary>
/// <param name="Backup">The backup; its name is the one shown to users.</param>
/// <param name="Requested">When the restore was requested.</param>
/// <param name="MissingBlobs">Blobs of the backup that were not found anywhere: the files that need them cannot be read.</param>
public sealed record PendingRestore(BackupInfo Backup, DateTimeOffset Requested, int MissingBlobs)
{
    /// <summary>The folder for the old state; null until a start has decided on the restore.</summary>
    public string? Former { get; init; }
}

/// <summary>The outcome of a <see cref="PendingRestore"/> at a start. Immutable.</summary>
/// <param name="Backup">The restored backup.</param>
/// <param name="Taken">When it was restored.</param>
/// <param name="Former">The folder with the old state; null if there was none.</param>
/// <param name="MissingBlobs">See <see cref="PendingRestore.MissingBlobs"/>.</param>
/// <param name="Error">Why the restore failed and nothing changed, for people; null if it succeeded.</param>
public sealed record RestoreOutcome(BackupInfo Backup, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
