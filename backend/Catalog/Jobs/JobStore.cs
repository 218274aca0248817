using System.Globalization;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>
/// The queue and the history. A worker claims a job with a lease and renews it; if the lease ends, the next worker that claims takes the
/// job over. Thread-safe; workers of other processes may share the queue.
/// </summary>
public sealed partial class JobStore
{
    /// <summary>The top-level collection of what jobs published.</summary>
    public const string ContentCollection = "content";

    private readonly CatalogDatabase _database;
    private readonly BlobStore _blobs;
    private readonly BlobCollector _collector;

    public JobStore(CatalogDatabase database, BlobStore blobs, BlobCollector collector)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(blobs);
        ArgumentNullException.ThrowIfNull(collector);
        _database = database;
        _blobs = blobs;
        _collector = collector;
        List = new JobList(database);
        database.NoticesReceived += OnNotices;
        database.NoticesLost += () => NoticesLost?.Invoke();
    }

    /// <summary>
    /// Raised after each change of state or priority made through this store, on the thread that made it. Handlers must return quickly.
    /// Changes by another process are raised when their notices arrive (PostgreSQL); workers also poll.
    /// </summary>
    public event Action<JobChange>? Changed;

    /// <summary>Raised when changes by other processes may have been missed. Handlers must return quickly.</summary>
    public event Action? NoticesLost;

    /// <summary>Lists the jobs.</summary>
    public JobList List { get; }

    /// <summary>Called between the commit of a new job and its <see cref="Changed"/>, so that tests can claim it in between.</summary>
    internal Func<Task>? BeforeChanged { get; set; }

    /// <summary>An id for a job that is enqueued later (<see cref="NewJob.Id"/>).</summary>
    public long NewId() => _database.Ids.Next();

    /// <summary>Stores the .nzb and enqueues the job; both are durable when the task completes.</summary>
    /// <param name="job">The job.</param>
    /// <param name="nzb">The .nzb, .torrent or .magnet; null for a job that failed before it had one.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is stored.</param>
    /// <exception cref="ArgumentException">The name or the category is not valid for a collection.</exception>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<CatalogJob> EnqueueAsync(NewJob job, Stream? nzb, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        CatalogNames.ThrowIfInvalid(job.Name, nameof(job));
        CatalogNames.ThrowIfInvalid(job.Category, nameof(job));
        if (nzb is null && job.FailureCode is null)
            throw new ArgumentNullException(nameof(nzb), "Only a job that failed can do without.");
        var blob = nzb is null ? default(StoredBlob?) : await _blobs.PutAsync(nzb, cancellationToken);
        var row = NewRow(job);
        row.Nzb = blob?.Hash.ToString();
        row.NzbSize = blob?.Length ?? 0;
        await _database.WriteAsync(
            transaction =>
            {
                if (blob is { } stored)
                    _collector.ThrowIfMissing(transaction, [stored.Hash]);
                if (job is { Kind: not JobKind.Nzb, ContentHash: { } hash, FailureCode: null })
                    TorrentWriter.Add(transaction, hash, job.Category, job.Torrent ?? new NewTorrent(), row.Id, row.Created);
                if (job.Moved is { } moved)
                    AliasRows.Add(transaction, moved, row.Id, published: null, row.Created);
                if (job.Replaces is { } from && AliasRows.MoveToJob(transaction, from, row.Id)
                    && transaction.First<JobRow>($"SELECT {JobRow.Columns} FROM jobs WHERE id = @from", new { from }) is { } old)
                    (row.DownloadId, row.Archived) = (old.DownloadId, old.Archived);
                JobChange.Notify(transaction, row.Id, row.State);
                return transaction.Execute(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, password, created, paused, " +
                    "content_hash, kind, finished, failure_code, failure_message, " +
                    "total_bytes, file_count, url, download_id, archived) " +
                    "VALUES (@Id, @Name, @Category, @State, @Priority, @Source, @Nzb, @NzbSize, @Password, @Created, @Paused, " +
                    "@ContentHash, @Kind, @Finished, @FailureCode, @FailureMessage, " +
                    "@TotalBytes, @FileCount, @Url, @DownloadId, @Archived)",
                    row);
            },
            cancellationToken);
        if (blob is { } kept)
            _collector.ReleasePins([kept.Hash]);
        if (BeforeChanged is { } faster)
            await faster();
        Changed?.Invoke(new(row.Id, JobRow.StateOf(row.State)));
        return row.ToJob();
    }

    /// <summary>Puts a failed job back into the queue.</summary>
    /// <returns>False if there is no such job or it has not failed.</returns>
    public async Task<bool> RetryAsync(long id, CancellationToken cancellationToken)
    {
        const string Sql =
            "UPDATE jobs SET state = 'queued', not_before = 0, finished = NULL, waiting_since = NULL, lost = 0, failure_code = NULL, " +
            "failure_message = NULL, step = NULL, progress = 0 " +
            "WHERE id = @id AND state = 'failed'";
        var change = new JobChange(id, JobState.Queued);
        var done = await _database.WriteAsync(
            transaction =>
            {
                change.Notify(transaction);
                return transaction.Execute(Sql, new { id });
            },
            cancellationToken) > 0;
        if (done)
            Changed?.Invoke(change);
        return done;
    }

    /// <summary>A job by its id; null if there is none.</summary>
    public async ValueTask<CatalogJob?> GetAsync(long id, CancellationToken cancellationToken)
    {
        var row = await _database.ReadAsync(
            reader => reader.FirstAsync<JobRow>($"SELECT {JobRow.Columns} FROM jobs WHERE id = @id", new { id }), cancellationToken);
        return row?.ToJob();
    }

    /// <summary>The newest job with this download id from another program; null if there is none.</summary>
    public ValueTask<long?> FindByDownloadIdAsync(string downloadId, CancellationToken cancellationToken) => _database.ReadAsync(
        reader => reader.ScalarAsync<long?>(
            "SELECT id FROM jobs WHERE download_id = @downloadId ORDER BY id DESC LIMIT 1", new { downloadId }), cancellationToken);

    /// <summary>Deletes a job in any state; a worker that holds it loses its lease.</summary>
    /// <param name="id">The job.</param>
    /// <param name="withContent">True to delete what it published too.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False if there is no such job.</returns>
    public Task<bool> DeleteAsync(long id, bool withContent, CancellationToken cancellationToken) =>
        DeleteAsync(id, withContent, unlessPublished: false, cancellationToken);

    /// <summary>Deletes a job that has published nothing; a worker that holds it loses its lease.</summary>
    /// <returns>False if there is no such job, or it completed in the meantime.</returns>
    public Task<bool> DeleteUnpublishedAsync(long id, CancellationToken cancellationToken) =>
        DeleteAsync(id, withContent: false, unlessPublished: true, cancellationToken);

    private async Task<bool> DeleteAsync(long id, bool withContent, bool unlessPublished, CancellationToken cancellationToken)
    {
        var blobs = await _database.WriteAsync(
            transaction =>
            {
                var row = transaction.First<JobRow>($"SELECT {JobRow.Columns} FROM jobs WHERE id = @id", new { id });
                if (row is null || (unlessPublished && JobRow.StateOf(row.State) == JobState.Completed))
                    return null;
                var gone = withContent && row.ItemId is { } item
                    ? new TreeWriter(transaction, _database.Ids, Now()).Delete(item) ?? [] : [];
                transaction.Execute("DELETE FROM jobs WHERE id = @id", new { id });
                JobChange.Notify(transaction, id, "");

                // Items that stay lose their job, but cached items still name it.
                if (row.ItemId is not null)
                    transaction.MarkChanged(TreeWriter.Scope);
                if (row.Nzb is not null)
                    gone.Add(BlobHash.Parse(row.Nzb));
                return gone;
            },
            cancellationToken);
        if (blobs is null)
            return false;
        Changed?.Invoke(new(id, State: null));
        await _collector.CollectAsync(blobs);
        return true;
    }

    /// <summary>Raises <see cref="Changed"/> for a job deleted in another store's transaction.</summary>
    internal void RaiseDeleted(long id) => Changed?.Invoke(new(id, State: null));

    private void OnNotices(IReadOnlyList<CatalogNotice> notices)
    {
        foreach (var (kind, text) in notices)
        {
            if (kind == NoticeKind.Job)
                Changed?.Invoke(JobChange.FromNotice(text));
        }
    }

    private JobRow NewRow(NewJob job)
    {
        var now = Now();
        return new JobRow
        {
            Id = job.Id ?? _database.Ids.Next(),
            Name = job.Name,
            Category = job.Category,
            State = JobRow.Text(job.FailureCode is null ? JobState.Queued : JobState.Failed),
            Kind = JobRow.Text(job.Kind),
            Priority = job.Priority,
            Source = JobRow.Text(job.Source),
            Password = job.Password,
            Created = now,
            Finished = job.FailureCode is null ? null : now,
            Paused = job.Paused ? 1 : 0,
            ContentHash = job.ContentHash,
            TotalBytes = job.TotalBytes,
            FileCount = job.FileCount,
            Url = job.Url,
            DownloadId = job.Moved?.DownloadId,
            Archived = job.Moved is { IsListed: false } ? 1 : 0,
            FailureCode = job.FailureCode,
            FailureMessage = job.FailureMessage,
        };
    }

    private long Now() => _database.Time.GetUtcNow().UtcTicks;

    // Changes by users.

    /// <summary>Pauses a job until <see cref="ResumeAsync"/>. A worker that holds it loses its lease; the job starts anew later.</summary>
    /// <returns>False if there is no such job, or it is completed or failed.</returns>
    public Task<bool> PauseAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 1, state = 'queued', owner = NULL, lease_until = NULL WHERE id = @id AND state IN ('queued', " +
        "'running') RETURNING state",
        new { id },
        id,
        cancellationToken);

    /// <summary>Resumes a paused job.</summary>
    /// <returns>False if there is no such job, or it is not paused.</returns>
    public Task<bool> ResumeAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 0, not_before = 0, waiting_since = NULL WHERE id = @id AND paused = 1 RETURNING state", new { id }, id,
        cancellationToken);

    /// <summary>Restarts the waiting time of each job, because none is tried while the whole queue is paused.</summary>
    public Task RestartWaitingAsync(CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "UPDATE jobs SET waiting_since = NULL WHERE state IN ('queued', 'running') AND waiting_since IS NOT NULL"), cancellationToken);

    /// <summary>Changes a job's priority, which moves it in the queue.</summary>
    /// <returns>False if there is no such job.</returns>
    public Task<bool> SetPriorityAsync(long id, int priority, CancellationToken cancellationToken)
        => UpdateAsync("UPDATE jobs SET priority = @priority WHERE id = @id RETURNING state", new { id, priority }, id, cancellationToken);

    /// <summary>Changes the category of a job that has not been published yet.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The category is not valid for a collection.</exception>
    public Task<bool> SetCategoryAsync(long id, string category, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(category);
        return UpdateAsync(
            "UPDATE jobs SET category = @category WHERE id = @id AND state <> 'completed' RETURNING state", new { id, category }, id,
            cancellationToken);
    }

    /// <summary>Renames a job that has not been published yet, and sets its password if one is given.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The name is not valid for a collection.</exception>
    public Task<bool> RenameAsync(long id, string name, string? password, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        return UpdateAsync(
            "UPDATE jobs SET name = @name, password = COALESCE(@password, password) WHERE id = @id AND state <> 'completed' RETURNING " +
            "state",
            new { id, name, password },
            id,
            cancellationToken);
    }

    private async Task<bool> UpdateAsync(string sql, object parameters, long id, CancellationToken cancellationToken)
    {
        var state = await _database.WriteAsync(
            transaction =>
            {
                var after = transaction.First<string>(sql, parameters);
                if (after is not null)
                    JobChange.Notify(transaction, id, after);
                return after;
            },
            cancellationToken);
        if (state is null)
            return false;
        Changed?.Invoke(new(id, JobRow.StateOf(state)));
        return true;
    }
}

/// <summary>A change of a job.</summary>
/// <param name="JobId">The job.</param>
/// <param name="State">Its new state; null: it was deleted.</param>
public readonly record struct JobChange(long JobId, JobState? State)
{
    /// <summary>True if another process made the change. Work to be done once per change is that process's.</summary>
    public bool IsForeign { get; init; }

    /// <summary>Notifies other processes of the change.</summary>
    internal void Notify(CatalogTransaction transaction) => Notify(transaction, JobId, State is { } state ? JobRow.Text(state) : "");

    /// <inheritdoc cref="Notify(CatalogTransaction)"/>
    internal static void Notify(CatalogTransaction transaction, long id, string state) =>
        transaction.Notify(NoticeKind.Job, string.Create(CultureInfo.InvariantCulture, $"{id}:{state}"));

    /// <summary>Parses the notice of another process.</summary>
    internal static JobChange FromNotice(string text)
    {
        var parts = text.Split(':');
        return new JobChange(long.Parse(parts[0], CultureInfo.InvariantCulture), parts[1].Length > 0 ? JobRow.StateOf(parts[1]) : null)
        { IsForeign = true };
    }
}
