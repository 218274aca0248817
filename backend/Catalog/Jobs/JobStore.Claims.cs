using Dapper;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <content>Claims: what a worker does with the job that it holds.</content>
public sealed partial class JobStore
{
    /// <summary>
    /// SQL for the next job to claim. Each half follows the index by place to its first row, however long the queue is; with OR in one
    /// query, SQLite would read and sort all waiting jobs.
    /// </summary>
    /// <param name="locked">Skips rows that another claim holds (<see cref="SqlDialect.SkipLocked"/>); empty for a query without the
    /// lock.</param>
    internal static string NextFree(string locked = "") =>
        "SELECT id FROM (" +
        $"SELECT * FROM (SELECT id, {Place} FROM jobs WHERE state = 'queued' AND paused = 0 AND not_before <= @now AND priority >= " +
        $"@leastPriority {First}{locked}) AS waiting " +
        $"UNION ALL SELECT * FROM (SELECT id, {Place} FROM jobs WHERE state = 'running' AND lease_until < @now {First}{locked}) AS lost" +
        ") AS free ORDER BY priority DESC, place, id LIMIT 1";

    private const string Place = "priority, COALESCE(turn, id) AS place";
    private const string First = "ORDER BY priority DESC, COALESCE(turn, id), id LIMIT 1";

    /// <summary>Counts a claim that its worker did not end; see <see cref="CatalogJob.Lost"/>.</summary>
    private const string CountLost = "lost = CASE WHEN state = 'running' THEN lost + 1 ELSE lost END";

    private const string Held = "id = @Id AND state = 'running' AND owner = @Owner AND attempts = @Attempts";

    /// <summary>
    /// How often a claim looks for a job that nobody takes from under it: PostgreSQL shows it the queue as it was when the statement began,
    /// so that it finds nothing if the only job of then is taken meanwhile, although another one has come.
    /// </summary>
    internal const int ClaimAttempts = 5;

    private static string Claim(string locked) =>
        "UPDATE jobs SET lost = CASE WHEN state = 'running' AND substr(owner, 1, @length) <> @queue THEN lost + 1 ELSE lost END, " +
        "state = 'running', owner = @owner, lease_until = @until, attempts = attempts + 1, " +
        "started = COALESCE(started, @now), step = NULL, progress = 0, failure_code = NULL, failure_message = NULL " +
        $"WHERE id = ({NextFree(locked)}) RETURNING {JobRow.Columns}";

    /// <summary>Claims the next job, queued or with an expired lease: highest priority first, then oldest. Null if there is none.</summary>
    /// <param name="owner">Name of the worker; not empty.</param>
    /// <param name="lease">How long the worker holds the job unless it renews.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <param name="leastPriority">Skips jobs with a lower priority.</param>
    public async Task<CatalogJob?> ClaimAsync(
        string owner, TimeSpan lease, CancellationToken cancellationToken, int leastPriority = int.MinValue)
    {
        ArgumentException.ThrowIfNullOrEmpty(owner);

        // A lease that expired in this process, for example while the machine slept, does not count as lost.
        var queue = owner[..(owner.LastIndexOf('-') + 1)];

        var sql = Claim(_database.Engine.Dialect.SkipLocked);
        for (var attempt = 0; attempt < ClaimAttempts; attempt++)
        {
            // Idle workers poll often, so check without the write lock first.
            var now = Now();
            if (await _database.ReadAsync(
                reader => reader.FirstAsync<long?>(NextFree(), new { now, leastPriority }), cancellationToken) is null)
                return null;
            var row = await _database.WriteAsync(
                transaction =>
                {
                    var until = now + lease.Ticks;
                    var taken = transaction.First<JobRow>(sql, new { owner, queue, length = queue.Length, now, leastPriority, until });
                    if (taken is not null)
                        JobChange.Notify(transaction, taken.Id, taken.State);
                    return taken;
                },
                WriteKind.Relaxed,
                cancellationToken);
            if (row is null)
                continue;
            Changed?.Invoke(new(row.Id, JobState.Running));
            return row.ToJob();
        }

        return null;
    }

    /// <summary>Renews the lease of a claimed job, from now on.</summary>
    /// <returns>False if the lease was lost: stop working on it.</returns>
    public Task<bool> RenewAsync(CatalogJob job, TimeSpan lease, CancellationToken cancellationToken)
        => UpdateHeldAsync(job, "lease_until = @until", new { until = Now() + lease.Ticks }, state: null, cancellationToken);

    /// <summary>Reports the progress of a claimed job and renews its lease.</summary>
    /// <returns>False if the lease was lost: stop working on it.</returns>
    public Task<bool> ReportAsync(CatalogJob job, JobProgress progress, TimeSpan lease, CancellationToken cancellationToken) =>
        UpdateHeldAsync(
            job,
            "lease_until = @until, step = @Step, progress = @PerMille, total_bytes = @TotalBytes, file_count = @FileCount",
            new { until = Now() + lease.Ticks, progress.Step, progress.PerMille, progress.TotalBytes, progress.FileCount },
            JobState.Running,
            cancellationToken);

    /// <summary>
    /// Creates the job's collection <c>/content/&lt;category&gt;/&lt;name&gt;</c> with all its files and completes the job, in one
    /// transaction: all or nothing.
    /// </summary>
    /// <returns>The job's collection; null if the lease was lost.</returns>
    /// <exception cref="ArgumentException">A name is not valid, or two items would share a path.</exception>
    /// <exception cref="InvalidOperationException">A file is in the way of the category.</exception>
    /// <exception cref="CatalogException">An extent map is not in the blob store, the disk is full, …; nothing was published.</exception>
    public async Task<CatalogItem?> PublishAsync(CatalogJob job, JobPublication publication, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        var plan = PublicationPlan.Of(publication);
        var item = await _database.WriteAsync(
            transaction => new JobPublisher(transaction, _database.Ids, _collector, Now())
                .Publish(job, publication.Name ?? job.Name, plan, publication.Timings),
            cancellationToken);
        if (item is null)
            return null;
        _collector.ReleasePins(plan.PutBlobs);
        Changed?.Invoke(new(job.Id, JobState.Completed));
        return item;
    }

    /// <summary>Marks a claimed job as failed.</summary>
    /// <param name="job">As claimed.</param>
    /// <param name="code">Why, for programs.</param>
    /// <param name="message">Why, for people.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> FailAsync(CatalogJob job, string code, string message, CancellationToken cancellationToken) =>
        FailAsync(job, code, message, [], cancellationToken);

    /// <inheritdoc cref="FailAsync(CatalogJob, string, string, CancellationToken)"/>
    /// <param name="job">As claimed.</param>
    /// <param name="code">Why, for programs.</param>
    /// <param name="message">Why, for people.</param>
    /// <param name="timings">How long the steps took.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task<bool> FailAsync(CatalogJob job, string code, string message, IReadOnlyList<StepTiming> timings,
        CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "state = 'failed', owner = NULL, lease_until = NULL, finished = @finished, failure_code = @code, failure_message = @message, " +
        "timings = @timings",
        new { finished = Now(), code, message, timings = StepTiming.Format(timings) },
        JobState.Failed,
        cancellationToken);

    /// <summary>
    /// Puts a claimed job back into the queue because something it needs is missing now, such as a provider that answers.
    /// </summary>
    /// <param name="job">As claimed.</param>
    /// <param name="delay">Time before it may be claimed again.</param>
    /// <param name="code">What it waits for, for programs.</param>
    /// <param name="message">What it waits for, for people.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> PutBackAsync(CatalogJob job, TimeSpan delay, string code, string message, CancellationToken cancellationToken) =>
        UpdateHeldAsync(
            job,
            "state = 'queued', owner = NULL, lease_until = NULL, not_before = @notBefore, waiting_since = COALESCE(waiting_since, @now), " +
            "lost = 0, failure_code = @code, failure_message = @message",
            new { notBefore = Now() + delay.Ticks, now = Now(), code, message },
            JobState.Queued,
            cancellationToken);

    /// <summary>Puts a claimed job back into the queue because the process stops.</summary>
    /// <returns>False if the lease was lost.</returns>
    public Task<bool> RequeueAsync(CatalogJob job, TimeSpan delay, CancellationToken cancellationToken) => UpdateHeldAsync(
        job,
        "state = 'queued', owner = NULL, lease_until = NULL, not_before = @notBefore",
        new { notBefore = delay > TimeSpan.Zero ? Now() + delay.Ticks : 0 },
        JobState.Queued,
        cancellationToken);

    /// <summary>
    /// Puts every claimed job back and ends all waiting, so that jobs interrupted by a crash need not wait for their leases to end. Call at
    /// a start where nobody else works on this queue. Waiting times restart, because nothing was tried meanwhile.
    /// </summary>
    public Task RequeueAllAsync(CancellationToken cancellationToken) =>
        RequeueAsync(
            "state = 'running' OR (state = 'queued' AND (not_before > 0 OR waiting_since IS NOT NULL))", new { }, cancellationToken);

    /// <summary>
    /// Puts the jobs claimed by a queue back at once, because its process has ended while others may work on this catalog. If it is alive
    /// after all, it loses these jobs. Their waiting times restart; those of queued jobs do not, because others may have tried them
    /// meanwhile.
    /// </summary>
    /// <param name="queue">The name of the queue: <see cref="CatalogJob.Owner"/> without the worker's number.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task RequeueOfAsync(string queue, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        return RequeueAsync("state = 'running' AND substr(owner, 1, @length) = @start",
            new { start = queue + "-", length = queue.Length + 1 }, cancellationToken);
    }

    private async Task RequeueAsync(string which, object values, CancellationToken cancellationToken)
    {
        var sql =
            $"UPDATE jobs SET {CountLost}, state = 'queued', owner = NULL, lease_until = NULL, not_before = 0, waiting_since = NULL " +
            $"WHERE {which} RETURNING id";
        var released = await _database.WriteAsync(
            transaction =>
            {
                var ids = transaction.All<long>(sql, values);
                foreach (var id in ids)
                    new JobChange(id, JobState.Queued).Notify(transaction);
                return ids;
            },
            cancellationToken);
        foreach (var id in released)
            Changed?.Invoke(new JobChange(id, JobState.Queued));
    }

    private async Task<bool> UpdateHeldAsync(
        CatalogJob job, string assignments, object values, JobState? state, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        var parameters = new DynamicParameters(values);
        parameters.AddDynamicParams(new { job.Id, job.Owner, job.Attempts });
        // If a power cut loses any of these, a claimed job remains whose lease expires, or a job is tried once more. Only a failure must be
        // durable.
        var kind = state == JobState.Failed ? WriteKind.Durable : WriteKind.Relaxed;
        var change = state is null ? default(JobChange?) : new JobChange(job.Id, state);
        var held = await _database.WriteAsync(
            transaction =>
            {
                change?.Notify(transaction);
                return transaction.Execute($"UPDATE jobs SET {assignments} WHERE {Held}", parameters);
            },
            kind,
            cancellationToken) > 0;
        if (held && change is { } done)
            Changed?.Invoke(done);
        return held;
    }
}

/// <summary>The progress of a running job.</summary>
/// <param name="Step">Name of the step, for display.</param>
/// <param name="PerMille">Progress of the step; 0 … 1000.</param>
/// <param name="TotalBytes">Bytes of all files, as far as known.</param>
/// <param name="FileCount">Number of files, as far as known.</param>
public readonly record struct JobProgress(string Step, int PerMille, long TotalBytes, int FileCount);
