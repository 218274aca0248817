using Dapper;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <summary>A <see cref="JobFilter"/> as SQL conditions.</summary>
/// <param name="filter">The filter.</param>
/// <param name="dialect">The dialect of the engine.</param>
internal sealed class JobQuery(JobFilter filter, SqlDialect dialect)
{
    /// <summary>Jobs that have not ended.</summary>
    public const string InQueue = "state IN ('queued', 'running')";

    /// <summary>Jobs that have ended.</summary>
    public const string Ended = "finished IS NOT NULL";

    /// <summary>The order in which workers claim jobs.</summary>
    public const string ByTurn = "priority DESC, COALESCE(turn, id), id";

    /// <summary>
    /// Excludes jobs with hidden files or a torrent removed from the list: they must not prevent submitting the same again.
    /// </summary>
    private const string Shown =
        " AND NOT EXISTS (SELECT 1 FROM items JOIN unwanted ON unwanted.item_id = items.id WHERE items.job_id = jobs.id AND " +
        "unwanted.cause = 'library' AND unwanted.state = 'hidden')" +
        " AND NOT EXISTS (SELECT 1 FROM torrents WHERE torrents.hash = jobs.content_hash AND torrents.removed IS NOT NULL)";

    /// <summary>
    /// Jobs with the name first, if the filter has one: otherwise SQLite takes the index of the sort order and reads the whole queue.
    /// SQLite does not flatten a subquery with a limit.
    /// </summary>
    public string From => filter.Name is null ? "jobs"
        : $"(SELECT * FROM jobs WHERE name = @Name{(filter.Categories is { Count: 1 } ? " AND category = @Category" : "")} LIMIT " +
            "1000000) AS jobs";

    /// <summary>Condition on jobs in the queue; null if none of them match.</summary>
    public string? QueuePart => filter.Standings is { } standings ? Any(standings.Where(JobFilter.InQueue.Contains)) : "";

    /// <summary>
    /// Condition on ended jobs; null if none of them match. Keeps SQLite in <c>jobs_ended</c>: another index also has the state, and each
    /// of its rows would be looked up and sorted.
    /// </summary>
    public string? EndedPart =>
        (filter.Standings?.Contains(JobStatus.Completed) ?? true, filter.Standings?.Contains(JobStatus.Failed) ?? true) switch
        {
            (true, true) => "",
            (true, false) => $" AND {dialect.Unindexed("state")} = 'completed'",
            (false, true) => $" AND {dialect.Unindexed("state")} = 'failed'",
            _ => null,
        };

    /// <summary>Condition on jobs of every status.</summary>
    public string Part => filter.Standings is { } standings ? Any(standings) ?? " AND 1 = 0" : "";

    /// <summary>
    /// The other conditions, for a list in the order of an index. Keeps SQLite from using other indexes, whose rows it would have to look
    /// up one by one.
    /// </summary>
    public string Rest => Where(dialect.Unindexed);

    /// <summary>The other conditions, for a statement that may use any index.</summary>
    public string IndexedRest => Where(static column => column);

    /// <summary>The values of all conditions.</summary>
    /// <param name="now">The time.</param>
    public DynamicParameters Parameters(DateTimeOffset now) => new(new
    {
        Now = now.UtcTicks,
        Kind = filter.Kinds?.Select(JobRow.Text).FirstOrDefault(),
        Kinds = filter.Kinds?.Select(JobRow.Text).ToArray() ?? [],
        Category = filter.Categories?.FirstOrDefault(),
        Categories = filter.Categories?.ToArray() ?? [],
        filter.Name,
        Pattern = filter.Search is { } text ? Pattern(text) : null,
        filter.ContentHash,
        Ids = filter.Ids?.ToArray() ?? [],
    });

    /// <summary>A pattern for <see cref="SqlDialect.Like"/> that finds the text anywhere.</summary>
    public static string Pattern(string text) =>
        $"%{text.Replace(@"\", @"\\", StringComparison.Ordinal).Replace("%", @"\%", StringComparison.Ordinal).Replace("_", @"\_", StringComparison.Ordinal)}%";

    private string Where(Func<string, string> plain) =>
        Is(filter.Kinds?.Count, plain("kind"), "@Kind", "@Kinds")
        + Is(filter.Categories?.Count, plain("category"), "@Category", "@Categories")
        + (filter.Search is not null ? " AND " + dialect.Like("name", "@Pattern") : "")
        + (filter.ContentHash is not null ? " AND content_hash = @ContentHash" + Shown : "")
        + (filter.Archived is { } archived ? $" AND archived = {(archived ? 1 : 0)}" : "")
        + (filter.HasContent ? " AND (state <> 'completed' OR item_id IS NOT NULL)" : "")
        + (filter.Ids is not null ? " AND " + dialect.In("id", "@Ids") : "");

    private string Is(int? count, string column, string one, string several) => count switch
    {
        null => "",
        1 => $" AND {column} = {one}",
        _ => " AND " + dialect.In(column, several),
    };

    /// <summary>Null if there are no statuses.</summary>
    private static string? Any(IEnumerable<JobStatus> standings)
    {
        var wanted = standings.ToHashSet();
        var any = new List<string>();
        if (wanted.IsSupersetOf(JobFilter.NotTaken))
        {
            any.Add("state = 'queued'");
            wanted.ExceptWith(JobFilter.NotTaken);
        }

        any.AddRange(wanted.Select(static standing => standing switch
        {
            JobStatus.Queued => "(state = 'queued' AND paused = 0 AND not_before <= @Now)",
            JobStatus.Waiting => "(state = 'queued' AND paused = 0 AND not_before > @Now)",
            JobStatus.Paused => "(state = 'queued' AND paused <> 0)",
            JobStatus.Running => "state = 'running'",
            JobStatus.Completed => "state = 'completed'",
            _ => "state = 'failed'",
        }));
        return any.Count == 0 ? null : $" AND ({string.Join(" OR ", any)})";
    }
}
