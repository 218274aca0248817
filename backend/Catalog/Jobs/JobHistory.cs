using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>Lists and archives the .nzb jobs that ended, latest first. Thread-safe.</summary>
public sealed class JobHistory
{
    private const string Ended =
        "jobs.finished IS NOT NULL AND (jobs.state = 'failed' OR (jobs.state = 'completed' AND jobs.item_id IS NOT NULL)) AND jobs.kind " +
        "= 'nzb'";

    private readonly CatalogDatabase _database;
    private readonly TreeStore _tree;

    public JobHistory(CatalogDatabase database, TreeStore tree)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(tree);
        _database = database;
        _tree = tree;
    }

    /// <summary>A part of the history, and how many entries the whole of it has.</summary>
    public async ValueTask<(IReadOnlyList<HistoryEntry> Entries, int Total)> ListAsync(
        HistoryFilter filter, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var where = Where(filter);
        var parameters = Parameters(filter);
        var (rows, total) = await _database.ReadAsync(
            async reader =>
            {
                var count = await reader.ScalarAsync<int>($"SELECT COUNT(*) FROM jobs WHERE {where}", parameters);
                var page = filter.Limit == 0 || filter.Start >= count
                    ? []
                    : await reader.AllAsync<JobRow>(
                        $"SELECT {JobRow.Columns} FROM jobs WHERE {where} ORDER BY finished DESC, id DESC LIMIT @Limit OFFSET @Start",
                        parameters);
                return (page, count);
            },
            cancellationToken);
        var entries = new List<HistoryEntry>(rows.Count);
        foreach (var row in rows)
        {
            var job = row.ToJob();
            if (job.State == JobState.Failed)
                entries.Add(new HistoryEntry(job, null));
            else if (await _tree.GetPathAsync(job.ItemId!.Value, cancellationToken) is { } path)
                entries.Add(new HistoryEntry(job, path));
        }

        return (entries, total);
    }

    /// <summary>The job whose content is a collection; null if its entry was deleted.</summary>
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
    /// <returns>How many were changed.</returns>
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

    /// <summary>For <see cref="SqlDialect.Like"/>: the text anywhere.</summary>
    internal static string Pattern(string text) =>
        $"%{text.Replace(@"\", @"\\", StringComparison.Ordinal).Replace("%", @"\%", StringComparison.Ordinal).Replace("_", @"\_", StringComparison.Ordinal)}%";

    private string Where(HistoryFilter filter) =>
        Ended +
        " AND archived = @Archived" +
        (filter.State is not null ? " AND state = @State" : "") +
        (filter.Categories is not null ? " AND " + _database.Engine.Dialect.In("category", "@Categories") : "") +
        (filter.Search is not null ? " AND " + _database.Engine.Dialect.Like("name", "@Pattern") : "") +
        (filter.Ids is not null ? " AND " + _database.Engine.Dialect.In("id", "@Ids") : "");

    private static object Parameters(HistoryFilter filter) => new
    {
        Archived = filter.Archived ? 1 : 0,
        State = filter.State is { } state ? JobRow.Text(state) : null,
        Categories = filter.Categories?.ToArray() ?? [],
        Pattern = filter.Search is { } text ? Pattern(text) : null,
        Ids = filter.Ids?.ToArray() ?? [],
        filter.Start,
        filter.Limit,
    };
}

/// <summary>A job that ended, and the collection that it published.</summary>
/// <param name="Job">The job.</param>
/// <param name="Collection">Names from the tree's root to what it published, as it is called now; null when it failed.</param>
public sealed record HistoryEntry(CatalogJob Job, IReadOnlyList<string>? Collection);

/// <summary>Selects ended jobs. Jobs whose published content is gone from the tree are never shown.</summary>
public sealed record HistoryFilter
{
    /// <summary>False: jobs in the history; true: archived jobs.</summary>
    public bool Archived { get; init; }

    /// <summary>Completed or Failed; null: both.</summary>
    public JobState? State { get; init; }

    /// <summary>Jobs of these categories, written like this; null: of all.</summary>
    public IReadOnlyCollection<string>? Categories { get; init; }

    /// <summary>Part of the name, without regard to the case of ASCII letters; null: any.</summary>
    public string? Search { get; init; }

    /// <summary>These only; null: all.</summary>
    public IReadOnlyCollection<long>? Ids { get; init; }

    /// <summary>Entries to leave out at the beginning.</summary>
    public int Start { get; init; }

    /// <summary>Most entries to give; at least 0.</summary>
    public int Limit { get; init; } = int.MaxValue;
}

/// <summary>Bytes of all completed jobs that are still stored, and of those of the last month, week and day.</summary>
public readonly record struct HistoryTotals(long Total, long Month, long Week, long Day);
