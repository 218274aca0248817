using Dapper;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <summary>
/// Queue and history as one list, of all kinds, archived or not. Ids are found in indexes (<c>jobs_by_place</c>, <c>jobs_ended</c>),
/// whatever the list is filtered and sorted by; only the rows of the page are read. Thread-safe.
/// </summary>
public sealed class JobList
{
    private const string InQueue = "state IN ('queued', 'running')";
    private const string Ended = "finished IS NOT NULL";
    private const string ByTurn = "priority DESC, COALESCE(turn, id), id";
    private const string Sortable = "id, name, total_bytes, finished, category";

    private readonly CatalogDatabase _database;

    public JobList(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The standing of a job at a time.</summary>
    public static JobStanding StandingOf(CatalogJob job, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(job);
        return job.State switch
        {
            JobState.Running => JobStanding.Running,
            JobState.Completed => JobStanding.Completed,
            JobState.Failed => JobStanding.Failed,
            _ when job.Paused => JobStanding.Paused,
            _ => job.NotBefore > now ? JobStanding.Waiting : JobStanding.Queued,
        };
    }

    /// <summary>A part of the list, and how many jobs the filter finds, wherever they stand.</summary>
    public async ValueTask<(IReadOnlyList<CatalogJob> Jobs, JobStandings Counts)> ListAsync(
        JobListFilter filter, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var (rows, counts) = await _database.ReadAsync(
            async reader =>
            {
                var parameters = Parameters(filter);
                var standings = await CountAsync(reader, filter, parameters);
                var ids = filter.Sort == JobListSort.Turn
                    ? await IdsByTurnAsync(reader, filter, parameters, standings) : await IdsByAsync(reader, filter, parameters);
                return (await RowsAsync(reader, ids), standings);
            },
            cancellationToken);
        return ([.. rows.Select(row => row.ToJob())], counts);
    }

    /// <summary>How many jobs there are.</summary>
    public ValueTask<JobStandings> CountAsync(CancellationToken cancellationToken) => _database.ReadAsync(
        reader =>
        {
            var all = new JobListFilter();
            return CountAsync(reader, all, Parameters(all));
        },
        cancellationToken);

    /// <summary>The ids of all jobs that a filter finds, in its order.</summary>
    public ValueTask<IReadOnlyList<long>> FindAsync(JobListFilter filter, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        return _database.ReadAsync<IReadOnlyList<long>>(
            async reader =>
            {
                var parameters = Parameters(filter);
                return filter.Sort == JobListSort.Turn ? await IdsByTurnAsync(reader, filter, parameters,
                    await CountAsync(reader, filter, parameters)) : await IdsByAsync(reader, filter, parameters);
            },
            cancellationToken);
    }

    /// <summary>These jobs, in the order of the ids; missing ones are left out.</summary>
    public async ValueTask<IReadOnlyList<CatalogJob>> GetAsync(IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(reader => RowsAsync(reader, ids), cancellationToken);
        return [.. rows.Select(row => row.ToJob())];
    }

    /// <summary>Jobs that were put back until a time that came after <paramref name="since"/>, at most <paramref name="most"/>; and when
    /// the next one's comes, null if none waits.</summary>
    /// <param name="since">Their time is later.</param>
    /// <param name="until">Their time is not later than this; the next one's is.</param>
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

    /// <summary>Places of jobs in the queue, from 0, all kinds counted; those that are not in it are left out.</summary>
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

    private async ValueTask<JobStandings> CountAsync(CatalogReader reader, JobListFilter filter, DynamicParameters parameters)
    {
        const string Waiting =
            "COUNT(CASE WHEN state = 'queued' AND paused = 0 AND not_before <= @Now THEN 1 END) AS Queued, COUNT(CASE WHEN state = " +
            "'queued' AND paused = 0 AND not_before > @Now THEN 1 END) AS Waiting, "
            + "COUNT(CASE WHEN state = 'queued' AND paused <> 0 THEN 1 END) AS Paused, COUNT(CASE WHEN state = 'running' THEN 1 END) AS " +
                "Running";
        var (queued, waiting, paused, running) = await reader.SingleAsync<(long, long, long, long)>(
            $"SELECT {Waiting} FROM jobs WHERE {InQueue}{Where(filter)}", parameters);

        // Without a filter the smaller index is enough.
        var (completed, failed) = Where(filter).Length == 0
            ? await reader.SingleAsync<(long, long)>(
                "SELECT (SELECT COUNT(*) FROM jobs WHERE state = 'completed') AS Completed, (SELECT COUNT(*) FROM jobs WHERE state = " +
                "'failed') AS Failed")
            : await reader.SingleAsync<(long, long)>(
                $"SELECT COUNT(CASE WHEN state = 'completed' THEN 1 END) AS Completed, COUNT(CASE WHEN state = 'failed' THEN 1 END) AS " +
                $"Failed FROM jobs WHERE {Ended}{Where(filter)}", parameters);
        return new JobStandings((int)queued, (int)waiting, (int)paused, (int)running, (int)completed, (int)failed);
    }

    private async ValueTask<List<long>> IdsByTurnAsync(
        CatalogReader reader, JobListFilter filter, DynamicParameters parameters, JobStandings counts)
    {
        var ids = new List<long>();
        var queue = InQueueOf(filter);
        var inQueue = queue is null ? 0 : counts.Of(filter.Standings?.Where(standing => standing < JobStanding.Completed).ToArray()
            ?? [JobStanding.Queued, JobStanding.Waiting, JobStanding.Paused, JobStanding.Running]);
        if (queue is not null && filter.Offset < inQueue && filter.Limit > 0)
            ids.AddRange(await reader.AllAsync<long>(
                $"SELECT id FROM jobs WHERE {InQueue}{queue}{Where(filter)} ORDER BY {ByTurn} LIMIT @Limit OFFSET @Offset", parameters));
        if (EndedOf(filter) is not null && ids.Count < filter.Limit)
        {
            var total = counts.Of(filter.Standings?.Where(standing => standing >= JobStanding.Completed).ToArray()
                ?? [JobStanding.Completed, JobStanding.Failed]);
            var slice = PageSlice.Of(Math.Max(0, filter.Offset - inQueue), filter.Limit - ids.Count, total);
            if (slice.Take == 0)
                return ids;
            parameters.Add("Limit", slice.Take);
            parameters.Add("Offset", slice.Skip);
            ids.AddRange(slice.InOrder(await reader.AllAsync<long>(EndedPage(filter, slice.IsBackwards), parameters)));
        }

        return ids;
    }

    /// <summary>The ids of a page of what ended, latest first or last.</summary>
    internal string EndedPage(JobListFilter filter, bool fromEnd)
    {
        var down = fromEnd ? "" : " DESC";
        return $"SELECT id FROM jobs WHERE {Ended}{EndedOf(filter)}{Where(filter)} ORDER BY finished{down}, id{down} LIMIT @Limit OFFSET " +
            $"@Offset";
    }

    private async ValueTask<List<long>> IdsByAsync(CatalogReader reader, JobListFilter filter, DynamicParameters parameters)
    {
        var parts = new List<string>();
        if (InQueueOf(filter) is { } queue)
            parts.Add($"SELECT {Sortable} FROM jobs WHERE {InQueue}{queue}{Where(filter)}");
        if (EndedOf(filter) is { } ended)
            parts.Add($"SELECT {Sortable} FROM jobs WHERE {Ended}{ended}{Where(filter)}");
        if (parts.Count == 0)
            return [];
        var down = filter.Descending ? " DESC" : "";
        var order = filter.Sort switch
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

    /// <summary>Null if nothing of the queue is wanted.</summary>
    private static string? InQueueOf(JobListFilter filter)
    {
        if (filter.Standings is not { } standings)
            return "";
        string?[] any =
        [
            standings.Contains(JobStanding.Queued) ? "(state = 'queued' AND paused = 0 AND not_before <= @Now)" : null,
            standings.Contains(JobStanding.Waiting) ? "(state = 'queued' AND paused = 0 AND not_before > @Now)" : null,
            standings.Contains(JobStanding.Paused) ? "(state = 'queued' AND paused <> 0)" : null,
            standings.Contains(JobStanding.Running) ? "state = 'running'" : null,
        ];
        var wanted = string.Join(" OR ", any.OfType<string>());
        return wanted.Length == 0 ? null : $" AND ({wanted})";
    }

    /// <summary>
    /// Keeps SQLite in <c>jobs_ended</c>: another index knows the state too, and each of its rows would be looked up and sorted.
    /// </summary>
    private string? EndedOf(JobListFilter filter) =>
        (filter.Standings?.Contains(JobStanding.Completed) ?? true, filter.Standings?.Contains(JobStanding.Failed) ?? true) switch
        {
            (true, true) => "",
            (true, false) => $" AND {Dialect.Unindexed("state")} = 'completed'",
            (false, true) => $" AND {Dialect.Unindexed("state")} = 'failed'",
            _ => null,
        };

    /// <summary>Keeps SQLite from other indexes, whose rows it would have to look up one by one.</summary>
    private string Where(JobListFilter filter) =>
        (filter.Kind is not null ? $" AND {Dialect.Unindexed("kind")} = @Kind" : "")
        + (filter.Category is not null ? $" AND {Dialect.Unindexed("category")} = @Category" : "")
        + (filter.Search is not null ? " AND " + Dialect.Like("name", "@Pattern") : "");

    private DynamicParameters Parameters(JobListFilter filter) => new(new
    {
        Now = _database.Time.GetUtcNow().UtcTicks,
        Kind = filter.Kind is { } kind ? JobRow.Text(kind) : null,
        filter.Category,
        Pattern = filter.Search is { } text ? JobHistory.Pattern(text) : null,
        filter.Offset,
        filter.Limit,
    });
}
