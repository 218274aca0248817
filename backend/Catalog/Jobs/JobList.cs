using System.Runtime.CompilerServices;
using Dapper;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <summary>
/// Lists jobs: queue and history as one list, of all kinds, archived or not, by page (<see cref="ListAsync"/>) or one by one
/// (<see cref="EachAsync(JobFilter, bool, CancellationToken)"/>). Finds the ids of a page in indexes (<c>jobs_by_place</c>,
/// <c>jobs_ended</c>) for every filter and sort order, and reads only the rows of that page. Thread-safe.
/// </summary>
public sealed class JobList
{
    private const string InQueue = JobQuery.InQueue;
    private const string Ended = JobQuery.Ended;
    private const string ByTurn = JobQuery.ByTurn;
    private const string Sortable = "id, name, total_bytes, finished, category";

    /// <summary>Rows per query of <see cref="EachAsync(JobFilter, bool, CancellationToken)"/>.</summary>
    private const int PartSize = 256;

    private readonly CatalogDatabase _database;

    public JobList(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The status of a job at a time.</summary>
    public static JobStatus StatusOf(CatalogJob job, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(job);
        return job.State switch
        {
            JobState.Running => JobStatus.Running,
            JobState.Completed => JobStatus.Completed,
            JobState.Failed => JobStatus.Failed,
            _ when job.Paused => JobStatus.Paused,
            _ => job.NotBefore > now ? JobStatus.Waiting : JobStatus.Queued,
        };
    }

    /// <summary>A page of the list, and the number of matching jobs of every status.</summary>
    public async ValueTask<(IReadOnlyList<CatalogJob> Jobs, JobStatusCounts Counts)> ListAsync(
        JobFilter filter, JobPaging paging, CancellationToken cancellationToken)
    {
        var (query, parameters) = QueryOf(filter, paging);
        var (rows, counts) = await _database.ReadAsync(
            async reader =>
            {
                var standings = await CountAsync(reader, query, parameters);
                var ids = paging.Sort == JobListSort.Turn
                    ? await IdsByTurnAsync(reader, filter, paging, query, parameters, standings)
                    : await IdsByAsync(reader, paging, query, parameters);
                return (await RowsAsync(reader, ids), standings);
            },
            cancellationToken);
        return ([.. rows.Select(row => row.ToJob())], counts);
    }

    /// <summary>The number of matching jobs of every status.</summary>
    public ValueTask<JobStatusCounts> CountAsync(JobFilter filter, CancellationToken cancellationToken)
    {
        var (query, parameters) = QueryOf(filter, new JobPaging());
        return _database.ReadAsync(reader => CountAsync(reader, query, parameters), cancellationToken);
    }

    /// <summary>The ids of all matching jobs, in the given order.</summary>
    public ValueTask<IReadOnlyList<long>> FindAsync(JobFilter filter, JobPaging paging, CancellationToken cancellationToken)
    {
        var (query, parameters) = QueryOf(filter, paging);
        return _database.ReadAsync<IReadOnlyList<long>>(
            async reader => paging.Sort == JobListSort.Turn
                ? await IdsByTurnAsync(reader, filter, paging, query, parameters, await CountAsync(reader, query, parameters))
                : await IdsByAsync(reader, paging, query, parameters),
            cancellationToken);
    }

    /// <summary>
    /// All matching jobs by priority and turn, whatever their status, fetched page by page. Concurrent changes may or may not be seen.
    /// </summary>
    /// <param name="filter">The filter.</param>
    /// <param name="newestFirst">True to list the latest arrivals first, instead of by turn.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogJob> EachAsync(
        JobFilter filter, bool newestFirst, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var (query, parameters) = QueryOf(filter, new JobPaging { Limit = PartSize });
        var after = newestFirst ? "id < @Id"
            : "(priority < @Priority OR (priority = @Priority AND (COALESCE(turn, id) > @Turn OR (COALESCE(turn, id) = @Turn AND id > " +
                "@Id))))";
        var sql = $"SELECT {JobRow.Columns} FROM {query.From} WHERE {after}{query.Part}{query.IndexedRest} " +
            $"ORDER BY {(newestFirst ? "id DESC" : ByTurn)} LIMIT @Limit";
        var last = new JobRow { Priority = int.MaxValue, Id = newestFirst ? long.MaxValue : 0 };
        while (true)
        {
            parameters.Add("Priority", last.Priority);
            parameters.Add("Id", last.Id);
            parameters.Add("Turn", last.Turn);
            var part = await _database.ReadAsync(reader => reader.AllAsync<JobRow>(sql, parameters), cancellationToken);
            foreach (var row in part)
                yield return row.ToJob();
            if (part.Count < PartSize)
                yield break;
            last = part[^1];
        }
    }

    /// <inheritdoc cref="EachAsync(JobFilter, bool, CancellationToken)"/>
    public IAsyncEnumerable<CatalogJob> EachAsync(JobFilter filter, CancellationToken cancellationToken) =>
        EachAsync(filter, newestFirst: false, cancellationToken);

    /// <summary>Jobs in the order of the ids; skips missing ones.</summary>
    public async ValueTask<IReadOnlyList<CatalogJob>> GetAsync(IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(reader => RowsAsync(reader, ids), cancellationToken);
        return [.. rows.Select(row => row.ToJob())];
    }

    /// <summary>
    /// Up to <paramref name="most"/> jobs that were put back until a time after <paramref name="since"/> that has come, and the time of the
    /// next one; null if none waits.
    /// </summary>
    /// <param name="since">Returns jobs whose time is later than this.</param>
    /// <param name="until">Returns jobs whose time is not later than this; the next one's is.</param>
    /// <param name="most">Most jobs to return, in any order.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<(IReadOnlyList<long> Due, DateTimeOffset? Next)> FindDueAsync(
        DateTimeOffset since, DateTimeOffset until, int most, CancellationToken cancellationToken)
    {
        const string Waiting = $"FROM jobs WHERE {InQueue} AND state = 'queued' AND paused = 0";
        var parameters = new { Since = since.UtcTicks, Until = until.UtcTicks, most };
        return await _database.ReadAsync(
            async reader =>
            {
                var due = since < until ? await reader.AllAsync<long>(
                    $"SELECT id {Waiting} AND not_before > @Since AND not_before <= @Until LIMIT @most", parameters) : [];
                var next = await reader.ScalarAsync<long?>($"SELECT MIN(not_before) {Waiting} AND not_before > @Until", parameters);
                return ((IReadOnlyList<long>)due, next is { } ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : default(DateTimeOffset?));
            },
            cancellationToken);
    }

    /// <summary>Positions of jobs in the queue, from 0, counting all kinds; skips jobs that are not in it.</summary>
    public async ValueTask<IReadOnlyDictionary<long, int>> PlacesAsync(IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        if (ids.Count == 0)
            return new Dictionary<long, int>();
        var order = await _database.ReadAsync(
            reader => reader.AllAsync<long>($"SELECT id FROM jobs WHERE {InQueue} ORDER BY {ByTurn}"), cancellationToken);
        var wanted = ids.ToHashSet();
        var places = new Dictionary<long, int>(wanted.Count);
        for (var i = 0; i < order.Count; i++)
        {
            if (wanted.Contains(order[i]))
                places.Add(order[i], i);
        }

        return places;
    }

    private SqlDialect Dialect => _database.Engine.Dialect;

    private static async ValueTask<JobStatusCounts> CountAsync(CatalogReader reader, JobQuery query, DynamicParameters parameters)
    {
        const string Waiting =
            "COUNT(CASE WHEN state = 'queued' AND paused = 0 AND not_before <= @Now THEN 1 END) AS Queued, COUNT(CASE WHEN state = " +
            "'queued' AND paused = 0 AND not_before > @Now THEN 1 END) AS Waiting, "
            + "COUNT(CASE WHEN state = 'queued' AND paused <> 0 THEN 1 END) AS Paused, COUNT(CASE WHEN state = 'running' THEN 1 END) AS " +
                "Running";
        var (queued, waiting, paused, running) = await reader.SingleAsync<(long, long, long, long)>(
            $"SELECT {Waiting} FROM {query.From} WHERE {InQueue}{query.Rest}", parameters);

        // Without a filter the smaller index is enough.
        var (completed, failed) = query is { Rest.Length: 0, From: "jobs" }
            ? await reader.SingleAsync<(long, long)>(
                "SELECT (SELECT COUNT(*) FROM jobs WHERE state = 'completed') AS Completed, (SELECT COUNT(*) FROM jobs WHERE state = " +
                "'failed') AS Failed")
            : await reader.SingleAsync<(long, long)>(
                $"SELECT COUNT(CASE WHEN state = 'completed' THEN 1 END) AS Completed, COUNT(CASE WHEN state = 'failed' THEN 1 END) AS " +
                $"Failed FROM {query.From} WHERE {Ended}{query.Rest}", parameters);
        return new JobStatusCounts((int)queued, (int)waiting, (int)paused, (int)running, (int)completed, (int)failed);
    }

    private static async ValueTask<List<long>> IdsByTurnAsync(
        CatalogReader reader, JobFilter filter, JobPaging paging, JobQuery query, DynamicParameters parameters, JobStatusCounts counts)
    {
        var ids = new List<long>();
        var queue = query.QueuePart;
        var inQueue = queue is null ? 0 : counts.Of(filter.Standings?.Where(JobFilter.InQueue.Contains).ToArray() ?? JobFilter.InQueue);
        if (queue is not null && paging.Offset < inQueue && paging.Limit > 0)
            ids.AddRange(await reader.AllAsync<long>(
                $"SELECT id FROM {query.From} WHERE {InQueue}{queue}{query.Rest} ORDER BY {ByTurn} LIMIT @Limit OFFSET @Offset",
                parameters));
        if (query.EndedPart is not null && ids.Count < paging.Limit)
        {
            var total = counts.Of(filter.Standings?.Where(JobFilter.Ended.Contains).ToArray() ?? JobFilter.Ended);
            var slice = PageSlice.Of(Math.Max(0, paging.Offset - inQueue), paging.Limit - ids.Count, total);
            if (slice.Take == 0)
                return ids;
            parameters.Add("Limit", slice.Take);
            parameters.Add("Offset", slice.Skip);
            ids.AddRange(slice.InOrder(await reader.AllAsync<long>(EndedPage(query, slice.IsBackwards), parameters)));
        }

        return ids;
    }

    /// <summary>SQL for the ids of a page of ended jobs, latest first or last.</summary>
    internal string EndedPage(JobFilter filter, bool fromEnd) => EndedPage(new JobQuery(filter, Dialect), fromEnd);

    private static string EndedPage(JobQuery query, bool fromEnd)
    {
        var down = fromEnd ? "" : " DESC";
        return $"SELECT id FROM {query.From} WHERE {Ended}{query.EndedPart}{query.Rest} ORDER BY finished{down}, id{down} LIMIT @Limit " +
            $"OFFSET @Offset";
    }

    private async ValueTask<List<long>> IdsByAsync(
        CatalogReader reader, JobPaging paging, JobQuery query, DynamicParameters parameters)
    {
        var parts = new List<string>();
        if (query.QueuePart is { } queue)
            parts.Add($"SELECT {Sortable} FROM {query.From} WHERE {InQueue}{queue}{query.Rest}");
        if (query.EndedPart is { } ended)
            parts.Add($"SELECT {Sortable} FROM {query.From} WHERE {Ended}{ended}{query.Rest}");
        if (parts.Count == 0)
            return [];
        var down = paging.Descending ? " DESC" : "";
        var order = paging.Sort switch
        {
            JobListSort.Name => $"lower(name){down}, id{down}",
            JobListSort.Size => $"total_bytes{down}, id{down}",
            JobListSort.Finished => $"COALESCE(finished, 9223372036854775807){down}, id{down}",
            JobListSort.Category => $"lower(category){down}, lower(name){down}, id{down}",
            _ => Dialect.Unindexed("id") + down,
        };
        return await reader.AllAsync<long>(
            $"SELECT id FROM ({string.Join(" UNION ALL ", parts)}) AS listed ORDER BY {order} LIMIT @Limit OFFSET @Offset", parameters);
    }

    private async ValueTask<List<JobRow>> RowsAsync(CatalogReader reader, IReadOnlyCollection<long> ids)
    {
        var rows = new Dictionary<long, JobRow>(ids.Count);
        foreach (var part in ids.Chunk(500))
        {
            foreach (var row in await reader.AllAsync<JobRow>(
                $"SELECT {JobRow.Columns} FROM jobs WHERE {Dialect.In("id", "@part")}", new { part }))
                rows[row.Id] = row;
        }

        return [.. ids.Where(rows.ContainsKey).Select(id => rows[id])];
    }

    private (JobQuery Query, DynamicParameters Parameters) QueryOf(JobFilter filter, JobPaging paging)
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentNullException.ThrowIfNull(paging);
        var query = new JobQuery(filter, Dialect);
        var parameters = query.Parameters(_database.Time.GetUtcNow());
        parameters.AddDynamicParams(new { paging.Offset, paging.Limit });
        return (query, parameters);
    }
}
