using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Health;

/// <content>What is written.</content>
public sealed partial class HealthStore
{
    private const string Update =
        "UPDATE health_posts SET verdict = @Verdict, stage = @Stage, due = @Due, urgent = @Urgent, checked = @Checked, checks = @Checks, whole = @Whole, place = @Place, articles = @Articles, " +
        "had = @Had, reason = @Reason, changed = @Changed, kept = @Kept, hidden = @Hidden, search = @Search WHERE item_id = @ItemId";

    /// <summary>Counts articles before they are asked for: a crash may waste quota but never exceeds it.</summary>
    /// <param name="day">Days since 0001-01-01 UTC.</param>
    /// <param name="stats">STAT commands; negative gives back.</param>
    /// <param name="bodies">Articles.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public Task UseAsync(long day, int stats, int bodies, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO health_days (day, stats, bodies) VALUES (@day, @stats, @bodies) ON CONFLICT (day) DO UPDATE SET stats = health_days.stats + @stats, bodies = health_days.bodies + @bodies",
            new { day, stats, bodies }),
        WriteKind.Relaxed,
        cancellationToken);

    /// <summary>Stores the changes of one check of a post, all or none.</summary>
    /// <returns>False if the post is gone, or a person changed it since it was read (<see cref="HealthChange.Before"/>): nothing is stored
    /// then.</returns>
    public async Task<bool> SaveAsync(HealthChange change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        var (saved, visibility) = await _database.WriteAsync(
            transaction =>
            {
                var row = HealthRow.Of(change.Post);
                var known = transaction.First<HealthRow>("SELECT hidden AS Hidden, kept AS Kept FROM health_posts WHERE item_id = @ItemId", row);
                if (known is null || (change.Before is { } before && (known.Hidden != before.Hidden?.UtcTicks || known.Kept != before.Kept?.UtcTicks)))
                    return (false, false);
                transaction.Execute(Update, row);
                if (change.Gone is { } gone)
                {
                    transaction.Execute("DELETE FROM health_gone WHERE item_id = @ItemId", row);
                    transaction.ExecuteAll(
                        "INSERT INTO health_gone (item_id, article, file_id, first, last, times, accounts) VALUES (@ItemId, @Article, @FileId, @First, @Last, @Times, @Accounts)",
                        gone.Select(one => (object)new { row.ItemId, one.Article, one.FileId, First = one.First.UtcTicks, Last = one.Last.UtcTicks, one.Times, Accounts = string.Join('\n', one.Accounts) }));
                }

                Add(transaction, change.Events);
                Put(transaction, change.Accounts);
                transaction.Tell(NoticeKind.Health);
                if (known.Hidden != row.Hidden)
                    transaction.Tell(NoticeKind.Hidden);
                if (change.Removals > 0)
                {
                    transaction.Execute(
                        "INSERT INTO health_days (day, removals) VALUES (@day, @Removals) ON CONFLICT (day) DO UPDATE SET removals = health_days.removals + @Removals",
                        new { day = change.Post.Changed.UtcTicks / TimeSpan.TicksPerDay, change.Removals });
                }

                return (true, known.Hidden != row.Hidden);
            },
            change.Removals > 0 ? WriteKind.Durable : WriteKind.Relaxed,
            cancellationToken);
        if (visibility)
            await _holds.LoadAsync(cancellationToken);
        Changed?.Invoke();
        return saved;
    }

    /// <summary>
    /// Deletes a post that is hidden, with all below it. Whether it may go is checked in the same transaction: a link that is found, or a
    /// person who wants it, until then wins.
    /// </summary>
    /// <param name="happened">What the history says of it.</param>
    /// <param name="hiddenSince">It must be hidden since then at least.</param>
    /// <param name="cancellationToken">Cancels the operation before its transaction begins.</param>
    /// <returns>False if it stays.</returns>
    public async Task<bool> DeleteHiddenAsync(HealthEvent happened, DateTimeOffset hiddenSince, CancellationToken cancellationToken)
    {
        const string Going = "SELECT COUNT(*) FROM health_posts WHERE item_id = @id AND stage = 'Hidden' AND hidden <= @since AND kept IS NULL";
        const string Staying = Subtree + "SELECT COUNT(*) FROM holds WHERE item_id IN (SELECT id FROM subtree) AND (lost IS NULL OR kept IS NOT NULL)";
        ArgumentNullException.ThrowIfNull(happened);
        var parameters = new { id = happened.ItemId ?? throw new ArgumentException("It is about no post.", nameof(happened)), since = hiddenSince.UtcTicks };
        var maps = await _database.WriteAsync(
            transaction =>
            {
                if (transaction.Scalar<long>(Going, parameters) == 0 || transaction.Scalar<long>(Staying, parameters) > 0)
                    return null;
                Add(transaction, [happened]);
                transaction.Tell(NoticeKind.Health);
                return new TreeWriter(transaction, _database.Ids, _database.Time.GetUtcNow().UtcTicks).Delete(parameters.id);
            },
            cancellationToken);
        if (maps is null)
            return false;
        await _collector.CollectAsync(maps);
        await _holds.LoadAsync(CancellationToken.None);
        Changed?.Invoke();
        return true;
    }

    /// <summary>Stores what was learned of accounts, and what happened that is about no post.</summary>
    public async Task NoteAsync(IReadOnlyList<HealthAccount> accounts, IReadOnlyList<HealthEvent> events, CancellationToken cancellationToken)
    {
        await _database.WriteAsync(
            transaction =>
            {
                Put(transaction, accounts);
                Add(transaction, events);
                transaction.Tell(NoticeKind.Health);
                return 0;
            },
            WriteKind.Relaxed,
            cancellationToken);
        Changed?.Invoke();
    }

    /// <summary>Stores what people set.</summary>
    public async Task SetStateAsync(HealthState state, HealthEvent? happened, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(state);
        await _database.WriteAsync(
            transaction =>
            {
                Add(transaction, happened is null ? [] : [happened]);
                transaction.Tell(NoticeKind.Health);
                return transaction.Execute(
                    "UPDATE health_state SET paused = @paused, braked = @braked, released = @Released WHERE id = 1",
                    new { paused = state.Paused?.UtcTicks, braked = state.Braked?.UtcTicks, state.Released });
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
            "INSERT INTO health_accounts (account, day, asked, denied, doubted, agreed, returned, bodies, lies) VALUES (@Account, @Day, @Asked, @Denied, @doubted, @Agreed, @Returned, @Bodies, @Lies) " +
            "ON CONFLICT (account) DO UPDATE SET day = excluded.day, asked = excluded.asked, denied = excluded.denied, doubted = excluded.doubted, agreed = excluded.agreed, returned = excluded.returned, " +
            "bodies = excluded.bodies, lies = excluded.lies",
            accounts.Select(one => (object)new { one.Account, one.Day, one.Asked, one.Denied, doubted = one.Doubted?.UtcTicks, one.Agreed, one.Returned, one.Bodies, one.Lies }));
    }
}
