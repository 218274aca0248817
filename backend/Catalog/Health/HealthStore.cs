using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Health;

/// <summary>
/// Stores the health of posts, the history of actions with their reasons, and the use of daily limits. A post is a job's collection with at
/// least one Usenet file. Thread-safe; only one caller at a time may store changes of one post.
/// </summary>
public sealed partial class HealthStore
{
    /// <summary>Most entries in the history: a year of a large library with many failures, about 5 MB.</summary>
    internal const int MostEvents = 20_000;

    private const string Update =
        "UPDATE health_posts SET verdict = @Verdict, stage = @Stage, due = @Due, urgent = @Urgent, checked = @Checked, checks = @Checks, " +
        "whole = @Whole, place = @Place, articles = @Articles, " +
        "had = @Had, reason = @Reason, changed = @Changed, kept = @Kept, search = @Search WHERE item_id = @ItemId";

    private readonly CatalogDatabase _database;
    private readonly UnwantedItems _unwanted;
    private readonly UnwantedDeleter _deleter;
    private readonly BlobCollector _collector;

    /// <param name="database">The catalog.</param>
    /// <param name="unwanted">Reloaded when posts are hidden or shown.</param>
    /// <param name="deleter">Deletes hidden posts.</param>
    /// <param name="collector">Removes maps that are no longer referenced.</param>
    public HealthStore(CatalogDatabase database, UnwantedItems unwanted, UnwantedDeleter deleter, BlobCollector collector)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(unwanted);
        ArgumentNullException.ThrowIfNull(deleter);
        ArgumentNullException.ThrowIfNull(collector);
        (_database, _unwanted, _deleter, _collector) = (database, unwanted, deleter, collector);
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Health))
                Changed?.Invoke();
        };
    }

    /// <summary>
    /// Raised after a change was stored here, or when the notice of another process arrives. Handlers must return quickly.
    /// </summary>
    public event Action? Changed;

    /// <summary>Adds a row for each post that has none.</summary>
    /// <param name="due">Returns when a post is first checked, from its id and import time.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The number added.</returns>
    public async Task<int> AddNewAsync(Func<long, DateTimeOffset, DateTimeOffset> due, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(due);
        const string Sql =
            "SELECT job.id AS Id, job.created AS Created FROM items job JOIN items category ON category.id = job.parent_id JOIN items " +
            "content ON content.id = category.parent_id " +
            "WHERE content.parent_id = @Root AND content.name = @Content AND job.kind = 'collection' AND NOT EXISTS (SELECT 1 FROM " +
            "health_posts WHERE health_posts.item_id = job.id)";
        var found = await _database.ReadAsync(
            reader => reader.AllAsync<(long Id, long Created)>(
                Sql, new { Root = CatalogItem.RootId, Content = JobStore.ContentCollection }), cancellationToken);
        if (found.Count == 0)
            return 0;
        var rows = found.ConvertAll(row => (object)new { row.Id, Due = due(row.Id, HealthRow.Time(row.Created)).UtcTicks, row.Created });
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "INSERT INTO health_posts (item_id, verdict, stage, due, changed) SELECT id, 'New', 'None', @Due, @Created FROM " +
                    "items WHERE id = @Id ON CONFLICT (item_id) DO NOTHING", rows);
                transaction.Notify(NoticeKind.Health);
                return 0;
            },
            WriteKind.Relaxed,
            cancellationToken);
        Changed?.Invoke();
        return rows.Count;
    }

    /// <summary>
    /// The posts to check now: urgent ones first, then the longest overdue. Includes posts that a person wants left alone.
    /// </summary>
    public async ValueTask<IReadOnlyList<HealthPost>> ListDueAsync(DateTimeOffset now, int most, CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            async reader => (await reader.AllAsync<HealthRow>(
                $"SELECT {HealthRow.Columns} {HealthRow.From} WHERE post.due <= @now ORDER BY post.urgent DESC, post.due LIMIT @most",
                new { now = now.UtcTicks, most }))
                .Select(row => row.ToPost()).ToList(),
            cancellationToken);

    /// <summary>When the next post is due; null: there is none.</summary>
    public ValueTask<DateTimeOffset?> NextDueAsync(CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => HealthRow.Time(await reader.ScalarAsync<long?>("SELECT MIN(due) FROM health_posts")), cancellationToken);

    /// <summary>A post; null: it has no row.</summary>
    public ValueTask<HealthPost?> GetAsync(long itemId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.FirstAsync<HealthRow>(
            $"SELECT {HealthRow.Columns} {HealthRow.From} WHERE post.item_id = @itemId", new { itemId }))?.ToPost(), cancellationToken);

    /// <summary>Posts by verdict, latest change first.</summary>
    /// <param name="verdicts">Verdicts to include; empty: all.</param>
    /// <param name="text">Part of the name; null: any.</param>
    /// <param name="start">Posts to skip at the beginning.</param>
    /// <param name="most">Most posts to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>A page of posts, and the total number.</returns>
    public ValueTask<(IReadOnlyList<HealthPost> Posts, int Total)> ListAsync(
        IReadOnlyCollection<HealthVerdict> verdicts, string? text, int start, int most, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(verdicts);
        var where =
            $"WHERE (@any OR {_database.Engine.Dialect.In("post.verdict", "@names")}) AND (@pattern IS NULL OR " +
            $"{_database.Engine.Dialect.Like("job.folded", "@pattern")})";
        var parameters = new
        {
            any = verdicts.Count == 0,
            names = verdicts.Count == 0 ? [""] : verdicts.Select(verdict => verdict.ToString()).ToArray(),
            pattern = string.IsNullOrWhiteSpace(text) ? null : JobQuery.Pattern(FoldedName.Of(text)),
            start,
            most,
        };
        return _database.ReadAsync<(IReadOnlyList<HealthPost>, int)>(
            async reader =>
            (
                (await reader.AllAsync<HealthRow>(
                    $"SELECT {HealthRow.Columns} {HealthRow.From} {where} ORDER BY post.changed DESC, post.item_id LIMIT @most OFFSET " +
                    $"@start", parameters)).Select(row => row.ToPost()).ToList(),
                await reader.ScalarAsync<int>($"SELECT COUNT(*) {HealthRow.From} {where}", parameters)),
            cancellationToken);
    }

    /// <summary>The number of posts with each verdict.</summary>
    public async ValueTask<IReadOnlyDictionary<HealthVerdict, int>> CountAsync(CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            async reader =>
                (await reader.AllAsync<(string Verdict, int Count)>("SELECT verdict, COUNT(*) FROM health_posts GROUP BY verdict"))
                .ToDictionary(row => Enum.Parse<HealthVerdict>(row.Verdict), row => row.Count),
            cancellationToken);

    /// <summary>Number of articles of all posts, as of their last checks.</summary>
    public ValueTask<long> CountArticlesAsync(CancellationToken cancellationToken) => _database.ReadAsync(
        reader => reader.ScalarAsync<long>("SELECT CAST(COALESCE(SUM(articles), 0) AS BIGINT) FROM health_posts"), cancellationToken);

    /// <summary>The missing articles of a post.</summary>
    public async ValueTask<IReadOnlyList<GoneArticle>> GoneAsync(long itemId, CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            async reader => (await reader.AllAsync<(string Article, long FileId, long First, long Last, int Times, string Accounts)>(
                "SELECT article, file_id, first, last, times, accounts FROM health_gone WHERE item_id = @itemId ORDER BY file_id, article",
                new { itemId }))
                .Select(row => new GoneArticle(row.Article, row.FileId, HealthRow.Time(row.First), HealthRow.Time(row.Last), row.Times,
                    HealthRow.Lines(row.Accounts))).ToList(),
            cancellationToken);

    /// <summary>The Usenet files of a post, largest first.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> FilesAsync(long itemId, CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            async reader => (await reader.AllAsync<ItemRow>(
                $"SELECT {ItemRow.Columns} FROM items WHERE post_id = @itemId AND kind = 'file' AND torrent IS NULL ORDER BY size DESC, id",
                new { itemId }))
                .Select(row => row.ToItem()).ToList(),
            cancellationToken);

    /// <summary>The post that an item lies in; null: none, or it has no row.</summary>
    public ValueTask<HealthPost?> FindByFileAsync(long fileId, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.FirstAsync<HealthRow>(
            $"SELECT {HealthRow.Columns} {HealthRow.From} WHERE post.item_id = (SELECT post_id FROM items WHERE id = @fileId)",
            new { fileId }))?.ToPost(),
        cancellationToken);

    /// <summary>The history, latest first.</summary>
    /// <param name="itemId">Only entries of this post; null: of all posts.</param>
    /// <param name="most">Most entries to return.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<HealthEvent>> EventsAsync(long? itemId, int most, CancellationToken cancellationToken) =>
        await _database.ReadAsync(
            async reader => (await reader.AllAsync<(long? ItemId, string Name, long At, string Kind, string Reason)>(
                $"SELECT item_id, name, at, kind, reason FROM health_events {(itemId is null ? "" : "WHERE item_id = @itemId ")}ORDER BY " +
                $"id DESC LIMIT @most", new { itemId, most }))
                .Select(row => new HealthEvent(
                    row.ItemId, row.Name, HealthRow.Time(row.At), Enum.Parse<HealthEventKind>(row.Kind), row.Reason)).ToList(),
            cancellationToken);

    /// <summary>What is known about accounts.</summary>
    public async ValueTask<IReadOnlyList<HealthAccount>> AccountsAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        async reader => (await reader.AllAsync<(string Account, long Day, int Asked, int Denied, long? Doubted,
            int Agreed, int Returned, int Bodies, int Lies)>(
            "SELECT account, day, asked, denied, doubted, agreed, returned, bodies, lies FROM health_accounts ORDER BY account"))
            .Select(row => new HealthAccount(row.Account)
            {
                Day = row.Day,
                PostsAsked = row.Asked,
                Denied = row.Denied,
                DistrustedSince = HealthRow.Time(row.Doubted),
                Agreed = row.Agreed,
                Returned = row.Returned,
                Bodies = row.Bodies,
                FalseStats = row.Lies,
            }).ToList(),
        cancellationToken);

    /// <summary>How much of its limits a day has used.</summary>
    /// <param name="day">Days since 0001-01-01 UTC.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<HealthDay> DayAsync(long day, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.FirstAsync<(int Stats, int Bodies, int Removals)>(
            "SELECT stats, bodies, removals FROM health_days WHERE day = @day", new { day })) is var row
            ? new HealthDay(day, row.Stats, row.Bodies, row.Removals) : null!,
        cancellationToken);

    /// <summary>The settings made by people.</summary>
    public ValueTask<HealthState> StateAsync(CancellationToken cancellationToken) => _database.ReadAsync(StateAsync, cancellationToken);

    private static async ValueTask<HealthState> StateAsync(CatalogReader reader)
    {
        var (paused, braked, released) = await reader.SingleAsync<(long? Paused, long? Braked, long? Released)>(
            "SELECT paused, braked, released FROM health_state WHERE id = 1");
        return new HealthState(HealthRow.Time(paused), HealthRow.Time(braked), released);
    }

    // Writes.

    /// <summary>Counts articles before they are requested: a crash may waste quota but never exceeds it.</summary>
    /// <param name="day">Days since 0001-01-01 UTC.</param>
    /// <param name="stats">STAT commands; a negative number returns quota.</param>
    /// <param name="bodies">Articles fetched.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public Task UseAsync(long day, int stats, int bodies, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO health_days (day, stats, bodies) VALUES (@day, @stats, @bodies) ON CONFLICT (day) DO UPDATE SET stats = " +
            "health_days.stats + @stats, bodies = health_days.bodies + @bodies",
            new { day, stats, bodies }),
        WriteKind.Relaxed,
        cancellationToken);

    /// <summary>Stores the changes of one check of a post, all or none.</summary>
    /// <returns>False if the post is gone, or a person changed it since it was read (<see cref="HealthChange.Before"/>); nothing is stored
    /// then.</returns>
    public async Task<bool> SaveAsync(HealthChange change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        var (saved, visibility) = await _database.WriteAsync(
            transaction =>
            {
                var row = HealthRow.Of(change.Post);
                var known = transaction.First<HealthRow>(
                    $"SELECT {HealthRow.Hiding} AS Hidden, kept AS Kept FROM health_posts post WHERE item_id = @ItemId", row);
                if (known is null
                    || (change.Before is { } before && (known.Hidden != before.Hidden?.UtcTicks || known.Kept != before.Kept?.UtcTicks)))
                    return (false, false);
                transaction.Execute(Update, row);
                if (change.Gone is { } gone)
                {
                    transaction.Execute("DELETE FROM health_gone WHERE item_id = @ItemId", row);
                    transaction.ExecuteAll(
                        "INSERT INTO health_gone (item_id, article, file_id, first, last, times, accounts) VALUES (@ItemId, @Article, " +
                        "@FileId, @First, @Last, @Times, @Accounts)",
                        gone.Select(one => (object)new
                        {
                            row.ItemId,
                            one.Article,
                            one.FileId,
                            First = one.First.UtcTicks,
                            Last = one.Last.UtcTicks,
                            one.Times,
                            Accounts = string.Join('\n', one.Accounts)
                        }));
                }

                Add(transaction, change.Events);
                Put(transaction, change.Accounts);
                transaction.Notify(NoticeKind.Health);
                if (known.Hidden != row.Hidden)
                    UnwantedItems.SetReplaced(transaction, row.ItemId, row.Hidden, row.Reason);
                if (change.Removals > 0)
                {
                    transaction.Execute(
                        "INSERT INTO health_days (day, removals) VALUES (@day, @Removals) ON CONFLICT (day) DO UPDATE SET removals = " +
                        "health_days.removals + @Removals",
                        new { day = change.Post.Changed.UtcTicks / TimeSpan.TicksPerDay, change.Removals });
                }

                return (true, known.Hidden != row.Hidden);
            },
            change.Removals > 0 ? WriteKind.Durable : WriteKind.Relaxed,
            cancellationToken);
        if (visibility)
            await _unwanted.LoadAsync(cancellationToken);
        Changed?.Invoke();
        return saved;
    }

    /// <summary>
    /// Deletes a hidden post with everything below it. The same transaction checks whether it may be deleted, so a link found, or a
    /// person's decision to keep it, until then wins.
    /// </summary>
    /// <param name="happened">The entry for the history.</param>
    /// <param name="hiddenSince">Latest time by which it must have been hidden.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    /// <returns>False if it was not deleted.</returns>
    public async Task<bool> DeleteHiddenAsync(HealthEvent happened, DateTimeOffset hiddenSince, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(happened);
        var deleted = await _deleter.DeleteReplacedAsync(
            happened.ItemId ?? throw new ArgumentException("It is about no post.", nameof(happened)),
            hiddenSince,
            transaction =>
            {
                Add(transaction, [happened]);
                transaction.Notify(NoticeKind.Health);
            },
            cancellationToken);
        if (deleted)
            Changed?.Invoke();
        return deleted;
    }

    /// <summary>Stores what was learned about accounts, and events that are not about a post.</summary>
    public async Task NoteAsync(
        IReadOnlyList<HealthAccount> accounts, IReadOnlyList<HealthEvent> events, CancellationToken cancellationToken)
    {
        await _database.WriteAsync(
            transaction =>
            {
                Put(transaction, accounts);
                Add(transaction, events);
                transaction.Notify(NoticeKind.Health);
                return 0;
            },
            WriteKind.Relaxed,
            cancellationToken);
        Changed?.Invoke();
    }

    /// <summary>Stores the settings made by people.</summary>
    public async Task SetStateAsync(HealthState state, HealthEvent? happened, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(state);
        await _database.WriteAsync(
            transaction =>
            {
                Add(transaction, happened is null ? [] : [happened]);
                transaction.Notify(NoticeKind.Health);
                return transaction.Execute(
                    "UPDATE health_state SET paused = @paused, braked = @braked, released = @Released WHERE id = 1",
                    new { paused = state.Paused?.UtcTicks, braked = state.Braked?.UtcTicks, Released = state.RemovalsAllowedOn });
            },
            cancellationToken);
        Changed?.Invoke();
    }

    private static void Add(CatalogTransaction transaction, IReadOnlyList<HealthEvent> events)
    {
        if (events.Count == 0)
            return;
        transaction.ExecuteAll(
            "INSERT INTO health_events (item_id, name, at, kind, reason) VALUES (@ItemId, @Name, @at, @kind, @Reason)",
            events.Select(one => (object)new { one.ItemId, one.Name, at = one.At.UtcTicks, kind = one.Kind.ToString(), one.Reason }));
        transaction.Execute("DELETE FROM health_events WHERE id <= (SELECT MAX(id) FROM health_events) - @MostEvents", new { MostEvents });
    }

    private static void Put(CatalogTransaction transaction, IReadOnlyList<HealthAccount> accounts)
    {
        if (accounts.Count == 0)
            return;
        transaction.ExecuteAll(
            "INSERT INTO health_accounts (account, day, asked, denied, doubted, agreed, returned, bodies, lies) VALUES (@Account, @Day, " +
            "@Asked, @Denied, @doubted, @Agreed, @Returned, @Bodies, @Lies) " +
            "ON CONFLICT (account) DO UPDATE SET day = excluded.day, asked = excluded.asked, denied = excluded.denied, doubted = " +
            "excluded.doubted, agreed = excluded.agreed, returned = excluded.returned, " +
            "bodies = excluded.bodies, lies = excluded.lies",
            accounts.Select(one => (object)new
            {
                one.Account,
                one.Day,
                Asked = one.PostsAsked,
                one.Denied,
                doubted = one.DistrustedSince?.UtcTicks,
                one.Agreed,
                one.Returned,
                one.Bodies,
                Lies = one.FalseStats
            }));
    }
}

/// <summary>How much of its limits a day has used.</summary>
/// <param name="Day">Days since 0001-01-01 UTC.</param>
/// <param name="Stats">STAT commands.</param>
/// <param name="Bodies">Articles fetched to check a STAT.</param>
/// <param name="Removals">Posts hidden.</param>
public sealed record HealthDay(long Day, int Stats, int Bodies, int Removals);

/// <summary>What people set on the health page.</summary>
/// <param name="Paused">Since when checks are paused; null: they run.</param>
/// <param name="Braked">Since when removals wait for a person; null: they do not.</param>
/// <param name="RemovalsAllowedOn">The day (days since 0001-01-01 UTC) for which a person allowed removals beyond the limit; null:
/// none.</param>
public sealed record HealthState(DateTimeOffset? Paused, DateTimeOffset? Braked, long? RemovalsAllowedOn);
