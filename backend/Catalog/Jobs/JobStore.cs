using System.Runtime.CompilerServices;
using Dapper;

namespace NzbDav.Catalog;

/// <summary>
/// The queue and the history. A worker claims a job for a time (a lease) and renews it; one that is lost is taken over by whoever
/// claims next. Thread-safe; workers of other processes may share the queue.
/// </summary>
public sealed class JobStore
{
    /// <summary>The collection at the top of the tree that holds what jobs published.</summary>
    public const string ContentCollection = "content";

    private const int PageSize = 256;
    private const string Held = "id = @Id AND state = 'running' AND owner = @Owner AND attempts = @Attempts";

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
    }

    /// <summary>
    /// Raised after each change of state or priority made through this store, on the thread that made it: return quickly. What another process does is
    /// not told; a worker also looks now and then.
    /// </summary>
    public event Action<JobChange>? Changed;

    /// <summary>An id for a job that is enqueued later (<see cref="NewJob.Id"/>).</summary>
    public long NewId() => _database.Ids.Next();

    /// <summary>Stores the .nzb and enqueues the job; both are durable when the task completes.</summary>
    /// <param name="job">What it is.</param>
    /// <param name="nzb">The .nzb, .torrent or .magnet; null for one that failed before there was any.</param>
    /// <param name="cancellationToken">Nothing is kept.</param>
    /// <exception cref="ArgumentException">The name or the category cannot be the name of a collection.</exception>
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
                return transaction.Execute(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, password, created, paused, content_hash, kind, finished, failure_code, failure_message, " +
                    "total_bytes, file_count, url) " +
                    "VALUES (@Id, @Name, @Category, @State, @Priority, @Source, @Nzb, @NzbSize, @Password, @Created, @Paused, @ContentHash, @Kind, @Finished, @FailureCode, @FailureMessage, " +
                    "@TotalBytes, @FileCount, @Url)",
                    row);
            },
            cancellationToken);
        if (blob is { } kept)
            _collector.Referred([kept.Hash]);
        Changed?.Invoke(new(row.Id, JobRow.StateOf(row.State)));
        return row.ToJob();
    }

    /// <summary>Takes the next job: highest priority, then oldest; waiting ones and those whose lease ran out. Null if there is none.</summary>
    /// <param name="owner">Names the worker; not empty.</param>
    /// <param name="lease">How long the job is its own unless renewed.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <param name="leastPriority">Those with a lower one are left.</param>
    public async Task<CatalogJob?> ClaimAsync(string owner, TimeSpan lease, CancellationToken cancellationToken, int leastPriority = int.MinValue)
    {
        ArgumentException.ThrowIfNullOrEmpty(owner);
        const string Free = "((state = 'queued' AND paused = 0 AND not_before <= @now AND priority >= @leastPriority) OR (state = 'running' AND lease_until < @now))";
        const string Sql =
            "UPDATE jobs SET state = 'running', owner = @owner, lease_until = @until, attempts = attempts + 1, " +
            "started = COALESCE(started, @now), step = NULL, progress = 0, failure_code = NULL, failure_message = NULL " +
            $"WHERE id = (SELECT id FROM jobs WHERE {Free} ORDER BY priority DESC, COALESCE(turn, id), id LIMIT 1) AND {Free} RETURNING {JobRow.Columns}";

        // Idle workers look often: without the lock first.
        var now = Now();
        var waiting = await _database.ReadAsync(
            connection => connection.ExecuteScalar<long>($"SELECT COUNT(*) FROM (SELECT id FROM jobs WHERE {Free} LIMIT 1) AS free", new { now, leastPriority }), cancellationToken);
        if (waiting == 0)
            return null;
        var row = await _database.WriteAsync(
            transaction => transaction.First<JobRow>(Sql, new { owner, now, leastPriority, until = now + lease.Ticks }), WriteKind.Relaxed, cancellationToken);
        if (row is null)
            return null;
        Changed?.Invoke(new(row.Id, JobState.Running));
        return row.ToJob();
    }

    /// <summary>Keeps a claimed job for longer, from now on.</summary>
    /// <returns>False if the lease was lost: stop working on it.</returns>
    public Task<bool> RenewAsync(CatalogJob job, TimeSpan lease, CancellationToken cancellationToken)
        => UpdateHeldAsync(job, "lease_until = @until", new { until = Now() + lease.Ticks }, state: null, cancellationToken);

    /// <summary>Tells how far a claimed job is, and keeps it for longer.</summary>
    /// <returns>False if the lease was lost: stop working on it.</returns>
    public Task<bool> ReportAsync(CatalogJob job, JobProgress progress, TimeSpan lease, CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "lease_until = @until, step = @Step, progress = @PerMille, total_bytes = @TotalBytes, file_count = @FileCount",
        new { until = Now() + lease.Ticks, progress.Step, progress.PerMille, progress.TotalBytes, progress.FileCount },
        JobState.Running,
        cancellationToken);

    /// <summary>
    /// Makes the job's collection <c>/content/&lt;category&gt;/&lt;name&gt;</c> with all its files, and completes the job, in one
    /// transaction: whatever happens, there is either the whole of it or nothing.
    /// </summary>
    /// <returns>The job's collection; null if the lease was lost.</returns>
    /// <exception cref="ArgumentException">A name cannot be one, or two items would share a path.</exception>
    /// <exception cref="InvalidOperationException">A file is in the way of the category.</exception>
    /// <exception cref="CatalogException">An extent map is not in the blob store, the disk is full, …; nothing was published.</exception>
    public async Task<CatalogItem?> PublishAsync(CatalogJob job, JobPublication publication, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        var plan = PublicationPlan.Of(publication);
        var item = await _database.WriteAsync(
            transaction => new JobPublisher(transaction, _database.Ids, _collector, Now()).Publish(job, publication.Name ?? job.Name, plan, publication.Timings),
            cancellationToken);
        if (item is null)
            return null;
        _collector.Referred(plan.PutBlobs);
        Changed?.Invoke(new(job.Id, JobState.Completed));
        return item;
    }

    /// <summary>Gives a claimed job up.</summary>
    /// <param name="job">As it was claimed.</param>
    /// <param name="code">Why, for programs.</param>
    /// <param name="message">Why, for people.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> FailAsync(CatalogJob job, string code, string message, CancellationToken cancellationToken) =>
        FailAsync(job, code, message, [], cancellationToken);

    /// <inheritdoc cref="FailAsync(CatalogJob, string, string, CancellationToken)"/>
    /// <param name="job">As it was claimed.</param>
    /// <param name="code">Why, for programs.</param>
    /// <param name="message">Why, for people.</param>
    /// <param name="timings">How long the steps took until then.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    public Task<bool> FailAsync(CatalogJob job, string code, string message, IReadOnlyList<StepTiming> timings, CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "state = 'failed', owner = NULL, lease_until = NULL, finished = @finished, failure_code = @code, failure_message = @message, timings = @timings",
        new { finished = Now(), code, message, timings = StepTiming.Format(timings) },
        JobState.Failed,
        cancellationToken);

    /// <summary>Puts a claimed job back into the queue: what it needs is not there now, such as a provider that answers.</summary>
    /// <param name="job">As it was claimed.</param>
    /// <param name="delay">Not to be taken before.</param>
    /// <param name="code">What it waits for, for programs.</param>
    /// <param name="message">What it waits for, for people.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> PutBackAsync(CatalogJob job, TimeSpan delay, string code, string message, CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "state = 'queued', owner = NULL, lease_until = NULL, not_before = @notBefore, waiting_since = COALESCE(waiting_since, @now), failure_code = @code, failure_message = @message",
        new { notBefore = Now() + delay.Ticks, now = Now(), code, message },
        JobState.Queued,
        cancellationToken);

    /// <summary>Puts a claimed job back into the queue: the process stops.</summary>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> ReleaseAsync(CatalogJob job, TimeSpan delay, CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "state = 'queued', owner = NULL, lease_until = NULL, not_before = @notBefore",
        new { notBefore = delay > TimeSpan.Zero ? Now() + delay.Ticks : 0 },
        JobState.Queued,
        cancellationToken);

    /// <summary>
    /// Puts every claimed job back and ends all waiting: for a start that knows that nobody else works on this queue, so that what a
    /// crash interrupted need not wait for its lease to run out.
    /// </summary>
    public async Task ReleaseAllAsync(CancellationToken cancellationToken)
    {
        const string Sql =
            "UPDATE jobs SET state = 'queued', owner = NULL, lease_until = NULL, not_before = 0 " +
            "WHERE state = 'running' OR (state = 'queued' AND not_before > 0) RETURNING id";
        var released = await _database.WriteAsync(transaction => transaction.All<long>(Sql), cancellationToken);
        foreach (var id in released)
            Changed?.Invoke(new(id, JobState.Queued));
    }

    /// <summary>Puts a failed job back into the queue.</summary>
    /// <returns>False if there is no such job or it has not failed.</returns>
    public async Task<bool> RetryAsync(long id, CancellationToken cancellationToken)
    {
        const string Sql =
            "UPDATE jobs SET state = 'queued', not_before = 0, finished = NULL, waiting_since = NULL, failure_code = NULL, failure_message = NULL, step = NULL, progress = 0 " +
            "WHERE id = @id AND state = 'failed'";
        var done = await _database.WriteAsync(transaction => transaction.Execute(Sql, new { id }), cancellationToken) > 0;
        if (done)
            Changed?.Invoke(new(id, JobState.Queued));
        return done;
    }

    /// <summary>Holds a job back until <see cref="ResumeAsync"/>; a worker that has it loses its lease and begins anew later.</summary>
    /// <returns>False if there is no such job, or it is completed or failed.</returns>
    public Task<bool> PauseAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 1, state = 'queued', owner = NULL, lease_until = NULL WHERE id = @id AND state IN ('queued', 'running') RETURNING state",
        new { id },
        id,
        cancellationToken);

    /// <summary>Lets a job that was held back go on.</summary>
    /// <returns>False if there is no such job, or it is not held back.</returns>
    public Task<bool> ResumeAsync(long id, CancellationToken cancellationToken) => UpdateAsync(
        "UPDATE jobs SET paused = 0, not_before = 0, waiting_since = NULL WHERE id = @id AND paused = 1 RETURNING state", new { id }, id, cancellationToken);

    /// <summary>Moves a job forward or back in the queue.</summary>
    /// <returns>False if there is no such job.</returns>
    public Task<bool> SetPriorityAsync(long id, int priority, CancellationToken cancellationToken)
        => UpdateAsync("UPDATE jobs SET priority = @priority WHERE id = @id RETURNING state", new { id, priority }, id, cancellationToken);

    /// <summary>Changes the category of a job that has not been published yet.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The category cannot be the name of a collection.</exception>
    public Task<bool> SetCategoryAsync(long id, string category, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(category);
        return UpdateAsync(
            "UPDATE jobs SET category = @category WHERE id = @id AND state <> 'completed' RETURNING state", new { id, category }, id, cancellationToken);
    }

    /// <summary>Calls a job that has not been published yet something else; the password, if one is given, goes with it.</summary>
    /// <returns>False if there is no such job, or it is published.</returns>
    /// <exception cref="ArgumentException">The name cannot be the name of a collection.</exception>
    public Task<bool> RenameAsync(long id, string name, string? password, CancellationToken cancellationToken)
    {
        CatalogNames.ThrowIfInvalid(name);
        return UpdateAsync(
            "UPDATE jobs SET name = @name, password = COALESCE(@password, password) WHERE id = @id AND state <> 'completed' RETURNING state",
            new { id, name, password },
            id,
            cancellationToken);
    }

    /// <summary>A job by its id; null if there is none.</summary>
    public async ValueTask<CatalogJob?> GetAsync(long id, CancellationToken cancellationToken)
    {
        var row = await _database.ReadAsync(
            connection => connection.QueryFirstOrDefault<JobRow>($"SELECT {JobRow.Columns} FROM jobs WHERE id = @id", new { id }), cancellationToken);
        return row?.ToJob();
    }

    /// <summary>Jobs, fetched page by page. What changes meanwhile may or may not be seen.</summary>
    public async IAsyncEnumerable<CatalogJob> ListAsync(JobFilter filter, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var turn = filter.Order == JobOrder.Turn;
        var sql =
            $"SELECT {JobRow.Columns} FROM jobs WHERE {Where(filter)}" +
            (turn ? " AND (priority < @Priority OR (priority = @Priority AND (COALESCE(turn, id) > @Turn OR (COALESCE(turn, id) = @Turn AND id > @Id)))) ORDER BY priority DESC, COALESCE(turn, id), id LIMIT @PageSize"
                  : " AND id < @Id ORDER BY id DESC LIMIT @PageSize");
        var parameters = Parameters(filter);
        parameters.Add("PageSize", PageSize);
        var last = new JobRow { Priority = int.MaxValue, Id = turn ? 0 : long.MaxValue };
        while (true)
        {
            parameters.Add("Priority", last.Priority);
            parameters.Add("Id", last.Id);
            parameters.Add("Turn", last.Turn);
            var page = await _database.ReadAsync(connection => connection.Query<JobRow>(sql, parameters).AsList(), cancellationToken);
            foreach (var row in page)
                yield return row.ToJob();
            if (page.Count < PageSize)
                yield break;
            last = page[^1];
        }
    }

    /// <summary>How many jobs there are.</summary>
    public ValueTask<long> CountAsync(JobFilter filter, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        return _database.ReadAsync(
            connection => connection.ExecuteScalar<long>($"SELECT COUNT(*) FROM jobs WHERE {Where(filter)}", Parameters(filter)), cancellationToken);
    }

    /// <summary>Forgets a job, wherever it stands; a worker that has it loses its lease.</summary>
    /// <param name="id">The job.</param>
    /// <param name="withContent">Remove what it published too.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>False if there is no such job.</returns>
    public async Task<bool> DeleteAsync(long id, bool withContent, CancellationToken cancellationToken)
    {
        var blobs = await _database.WriteAsync(
            transaction =>
            {
                var row = transaction.First<JobRow>($"SELECT {JobRow.Columns} FROM jobs WHERE id = @id", new { id });
                if (row is null)
                    return null;
                var gone = withContent && row.ItemId is { } item ? new TreeWriter(transaction, _database.Ids, Now()).Delete(item) ?? [] : [];
                transaction.Execute("DELETE FROM jobs WHERE id = @id", new { id });

                // Items that stay forget the job: what is cached of them names it still.
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

    /// <summary>Raises <see cref="Changed"/> for a job that was deleted in a transaction that is not this store's.</summary>
    internal void TellDeleted(long id) => Changed?.Invoke(new(id, State: null));

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
            FailureCode = job.FailureCode,
            FailureMessage = job.FailureMessage,
        };
    }

    /// <summary>What is hidden is no reason not to bring it again.</summary>
    private const string Shown = " AND NOT EXISTS (SELECT 1 FROM items JOIN holds ON holds.item_id = items.id WHERE items.job_id = jobs.id AND holds.hidden IS NOT NULL)";

    private static string Where(JobFilter filter) =>
        "1 = 1" +
        (filter.States.Count > 0 ? " AND state IN @States" : "") +
        (filter.Kinds.Count > 0 ? " AND kind IN @Kinds" : "") +
        (filter.Category is not null ? " AND category = @Category" : "") +
        (filter.Name is not null ? " AND name = @Name" : "") +
        (filter.ContentHash is not null ? " AND content_hash = @ContentHash" + Shown : "") +
        (filter.Archived is { } archived ? $" AND archived = {(archived ? 1 : 0)}" : "");

    private static DynamicParameters Parameters(JobFilter filter)
        => new(new { States = filter.States.Select(JobRow.Text).ToArray(), Kinds = filter.Kinds.Select(JobRow.Text).ToArray(), filter.Category, filter.Name, filter.ContentHash });

    private async Task<bool> UpdateAsync(string sql, object parameters, long id, CancellationToken cancellationToken)
    {
        var state = await _database.WriteAsync(transaction => transaction.First<string>(sql, parameters), cancellationToken);
        if (state is null)
            return false;
        Changed?.Invoke(new(id, JobRow.StateOf(state)));
        return true;
    }

    private async Task<bool> UpdateHeldAsync(CatalogJob job, string assignments, object values, JobState? state, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        var parameters = new DynamicParameters(values);
        parameters.AddDynamicParams(new { job.Id, job.Owner, job.Attempts });
        // A power cut that takes any of these back leaves a claimed job whose lease runs out, or one that is tried once more; only its end has to stay.
        var kind = state == JobState.Failed ? WriteKind.Durable : WriteKind.Relaxed;
        var held = await _database.WriteAsync(
            transaction => transaction.Execute($"UPDATE jobs SET {assignments} WHERE {Held}", parameters), kind, cancellationToken) > 0;
        if (held && state is not null)
            Changed?.Invoke(new(job.Id, state));
        return held;
    }

    private long Now() => _database.Time.GetUtcNow().UtcTicks;
}
