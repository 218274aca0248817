using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>The .nzb jobs that ended, with what they published. Thread-safe.</summary>
public sealed class JobHistory
{
    private readonly CatalogDatabase _database;
    private readonly JobList _list;
    private readonly TreeStore _tree;

    /// <param name="database">The catalog.</param>
    /// <param name="list">Lists its jobs.</param>
    /// <param name="tree">Holds what they published.</param>
    public JobHistory(CatalogDatabase database, JobList list, TreeStore tree)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(list);
        ArgumentNullException.ThrowIfNull(tree);
        (_database, _list, _tree) = (database, list, tree);
    }

    /// <summary>
    /// A page of the history, latest end first, and the number of entries in all of it. Leaves out jobs whose published content is gone
    /// from the tree.
    /// </summary>
    /// <param name="filter">Without <see cref="JobFilter.Standings"/>: completed and failed jobs; without <see cref="JobFilter.Archived"/>:
    /// jobs that are not archived.</param>
    /// <param name="start">Entries to skip at the beginning.</param>
    /// <param name="limit">Most entries to return; at least 0.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<(IReadOnlyList<HistoryEntry> Entries, int Total)> ListAsync(
        JobFilter filter, int start, int limit, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var standings = filter.Standings ?? JobFilter.Ended;
        var (jobs, counts) = await _list.ListAsync(
            filter with { Kinds = [JobKind.Nzb], Standings = standings, Archived = filter.Archived ?? false, HasContent = true },
            new JobPaging { Offset = start, Limit = limit },
            cancellationToken);
        var entries = new List<HistoryEntry>(jobs.Count);
        foreach (var job in jobs)
        {
            if (job.State == JobState.Failed)
                entries.Add(new HistoryEntry(job, null));
            else if (await _tree.GetPathAsync(job.ItemId!.Value, cancellationToken) is { } path)
                entries.Add(new HistoryEntry(job, path));
        }

        return (entries, counts.Of(standings));
    }

    /// <summary>The job that published a collection; null if its entry was deleted.</summary>
    /// <param name="itemId">The collection that it was published as.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<CatalogJob?> FindByItemAsync(long itemId, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader =>
                reader.AllAsync<JobRow>(
                $"SELECT {JobRow.Columns} FROM jobs WHERE item_id = @itemId ORDER BY finished DESC, id DESC LIMIT 1", new { itemId }),
                cancellationToken);
        return rows.Count == 0 ? null : rows[0].ToJob();
    }

    /// <summary>Archives ended jobs, or returns them to the history.</summary>
    /// <returns>The number of jobs changed.</returns>
    public Task<int> ArchiveAsync(IReadOnlyCollection<long> ids, bool archived, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => transaction.Execute(
                $"UPDATE jobs SET archived = @archived WHERE {transaction.Dialect.In("id", "@ids")} AND finished IS NOT NULL AND " +
                $"archived <> @archived", new { ids = ids.ToArray(), archived = archived ? 1 : 0 }),
            cancellationToken);

    /// <summary>Bytes of completed jobs, archived or not.</summary>
    public ValueTask<HistoryTotals> TotalsAsync(CancellationToken cancellationToken)
    {
        const string Sql =
            "SELECT CAST(COALESCE(SUM(total_bytes), 0) AS BIGINT) AS Total, " +
            "CAST(COALESCE(SUM(CASE WHEN finished >= @month THEN total_bytes ELSE 0 END), 0) AS BIGINT) AS Month, " +
            "CAST(COALESCE(SUM(CASE WHEN finished >= @week THEN total_bytes ELSE 0 END), 0) AS BIGINT) AS Week, " +
            "CAST(COALESCE(SUM(CASE WHEN finished >= @day THEN total_bytes ELSE 0 END), 0) AS BIGINT) AS Day FROM jobs WHERE state = " +
            "'completed' AND kind = 'nzb'";
        var now = _database.Time.GetUtcNow();
        var since = new { month = now.AddDays(-30).UtcTicks, week = now.AddDays(-7).UtcTicks, day = now.AddDays(-1).UtcTicks };
        return _database.ReadAsync(
            async reader =>
            {
                var (total, month, week, day) = await reader.SingleAsync<(long Total, long Month, long Week, long Day)>(Sql, since);
                return new HistoryTotals(total, month, week, day);
            },
            cancellationToken);
    }
}

/// <summary>A job that ended, and the collection that it published.</summary>
/// <param name="Job">The job.</param>
/// <param name="Collection">Current path of its collection from the tree's root; null if it failed.</param>
public sealed record HistoryEntry(CatalogJob Job, IReadOnlyList<string>? Collection);

/// <summary>Bytes of all completed jobs that are still on record, and of those of the last 30 days, 7 days and day.</summary>
public readonly record struct HistoryTotals(long Total, long Month, long Week, long Day);
