using System.Collections.Frozen;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Links;

/// <summary>
/// The states of unwanted items (table <c>unwanted</c>): marked, hidden, shown again or kept. There is one row per item and cause: a file
/// that no library has any more, a job that an *arr gave up on, a post that was replaced. Only <see cref="UnwantedDeleter"/> deletes. Times
/// come from the caller's clock. Only one caller at a time may mark and hide files; everything else is thread-safe.
/// </summary>
public sealed class UnwantedItems
{
    /// <summary>Condition on <c>holds</c>: a library has a link to the file.</summary>
    internal const string IsHeld =
        "NOT EXISTS (SELECT 1 FROM unwanted WHERE unwanted.item_id = holds.item_id AND unwanted.cause = 'library')";

    private readonly CatalogDatabase _database;
    private readonly Lock _gate = new();
    private FrozenSet<long> _hidden = [];
    private long _loads;
    private long _loaded;

    public UnwantedItems(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Hidden))
                _ = FollowAsync();
            if (notices.Any(static notice => notice.Kind == NoticeKind.Abandoned))
                JobAbandoned?.Invoke();
        };
        database.NoticesLost += () =>
        {
            _ = FollowAsync();
            JobAbandoned?.Invoke();
        };
    }

    /// <summary>
    /// Raised after an *arr gave up on a job: on the calling thread for this process, when the notice arrives for others, and when such a
    /// notice may have been missed. Handlers must return quickly.
    /// </summary>
    public event Action? JobAbandoned;

    /// <summary>
    /// Raised after the set of hidden items changed, on the thread that changed or read it. Handlers must return quickly.
    /// </summary>
    public event Action? HiddenChanged;

    /// <summary>
    /// True if an item, or a job with all its files, is hidden. Costs no query. An item below a hidden job is not itself hidden.
    /// </summary>
    public bool IsHidden(long itemId) => _hidden.Contains(itemId);

    /// <summary>The items that <see cref="IsHidden"/> is true for, as of now.</summary>
    internal IReadOnlyCollection<long> Hidden => Volatile.Read(ref _hidden);

    /// <summary>True if anything is hidden.</summary>
    public bool AnyHidden => _hidden.Count > 0;

    /// <summary>
    /// Loads the set of hidden items. Needed at the start only: changes made through the stores or by another process reload it.
    /// </summary>
    public async Task LoadAsync(CancellationToken cancellationToken)
    {
        var number = Interlocked.Increment(ref _loads);
        var hidden = await _database.ReadAsync(
            async reader =>
            {
                // A post is hidden as a whole if all its files that libraries ever had are hidden.
                const string Sql =
                    "SELECT item_id FROM unwanted WHERE state = 'hidden' UNION SELECT post_id FROM (SELECT DISTINCT items.post_id " +
                    "FROM unwanted JOIN items ON items.id = unwanted.item_id WHERE cause = 'library' AND state = 'hidden') AS posts " +
                    "WHERE post_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM items JOIN holds ON holds.item_id = items.id WHERE " +
                    "items.post_id = posts.post_id AND NOT EXISTS (SELECT 1 FROM unwanted WHERE unwanted.item_id = holds.item_id AND " +
                    "cause = 'library' AND state = 'hidden'))";
                return (await reader.AllAsync<long>(Sql)).ToHashSet();
            },
            cancellationToken);
        bool changed;
        lock (_gate)
        {
            // A slower call that began earlier must not replace a newer result.
            if (number < _loaded)
                return;
            _loaded = number;
            changed = !hidden.SetEquals(_hidden);
            Volatile.Write(ref _hidden, hidden.ToFrozenSet());
        }

        if (changed)
            HiddenChanged?.Invoke();
    }

    // Files that libraries no longer have.

    /// <summary>The files that libraries no longer have, longest ago first.</summary>
    public async ValueTask<IReadOnlyList<UnwantedFile>> ListLostAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        async reader => (await reader.AllAsync<(
            long Id, string State, long Since, long Changed, string Holder, long? Accepted, string? Hash)>(
            "SELECT item_id, state, since, changed, reason, accepted, (SELECT torrent FROM items WHERE items.id = unwanted.item_id) " +
            "FROM unwanted WHERE cause = 'library' ORDER BY since, item_id"))
            .Select(row => new UnwantedFile
            {
                ItemId = row.Id,
                State = Enum.Parse<UnwantedState>(row.State, ignoreCase: true),
                Since = new DateTimeOffset(row.Since, TimeSpan.Zero),
                Changed = new DateTimeOffset(row.Changed, TimeSpan.Zero),
                Holder = row.Holder,
                IsAccepted = row.Accepted is not null,
                InfoHash = row.Hash,
            }).ToList(),
        cancellationToken);

    /// <summary>
    /// Marks files that no library has any more, as far as can be read now. Does not count as a reading of all libraries.
    /// </summary>
    public Task MarkLostAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction =>
            {
                MarkLost(transaction, itemIds, at);
                return 0;
            },
            cancellationToken);

    /// <summary>Hides lost files.</summary>
    public async Task HideAsync(IReadOnlyCollection<long> itemIds, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var now = at.UtcTicks;
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "UPDATE unwanted SET state = 'hidden', changed = @now WHERE item_id = @id AND cause = 'library' AND state = 'shown'",
                    itemIds.Select(id => (object)new { id, now }));
                transaction.Notify(NoticeKind.Hidden);
                return 0;
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }

    /// <summary>Shows a hidden file again because a client uses it; it counts as lost from now on.</summary>
    public async Task ReturnAsync(long itemId, DateTimeOffset at, CancellationToken cancellationToken)
    {
        await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Hidden);
                return transaction.Execute(
                    "UPDATE unwanted SET state = 'shown', since = @now, changed = @now, accepted = NULL WHERE item_id = @id AND cause = " +
                    "'library' AND state = 'hidden'",
                    new { id = itemId, now = at.UtcTicks });
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
    }

    /// <summary>Records a person's confirmation that everything lost now may be deleted.</summary>
    public Task AcceptAsync(DateTimeOffset at, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "UPDATE unwanted SET accepted = @now WHERE cause = 'library' AND accepted IS NULL", new { now = at.UtcTicks }),
        cancellationToken);

    /// <summary>
    /// Shows lost items again and keeps them until a library has had them once more: the files of an item, a job that an *arr gave up on,
    /// and a post that was replaced.
    /// </summary>
    /// <returns>False if there was nothing to keep.</returns>
    public async Task<bool> KeepAsync(long itemId, DateTimeOffset at, CancellationToken cancellationToken)
    {
        var parameters = new { id = itemId, now = at.UtcTicks };
        var kept = await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Hidden);
                var replaced = transaction.Execute(
                    "DELETE FROM unwanted WHERE cause = 'replacement' AND item_id = (SELECT post_id FROM items WHERE id = @id)",
                    parameters);
                if (replaced > 0)
                    transaction.Execute(
                        "UPDATE health_posts SET stage = 'None', kept = @now WHERE item_id = (SELECT post_id FROM items WHERE id = @id)",
                        parameters);
                return replaced + transaction.Execute(
                    $"UPDATE unwanted SET state = 'kept', changed = @now WHERE cause = 'library' AND item_id {TreeSql.IsWithin}",
                    parameters)
                    + transaction.Execute($"DELETE FROM unwanted WHERE cause = 'arr' AND item_id {TreeSql.IsWithin}", parameters);
            },
            cancellationToken);
        await LoadAsync(cancellationToken);
        return kept > 0;
    }

    // Jobs that an *arr gave up on.

    /// <summary>Records that an *arr gave up on a job. This alone deletes nothing.</summary>
    /// <param name="itemId">The job's collection.</param>
    /// <param name="jobId">The job; null: the one that published the collection.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task MarkAbandonedAsync(long itemId, long? jobId, CancellationToken cancellationToken)
    {
        const string Sql =
            "INSERT INTO unwanted (item_id, cause, state, since, changed, job_id, download_id) " +
            "SELECT items.id, 'arr', 'shown', @now, @now, COALESCE(@jobId, items.job_id), jobs.download_id FROM items LEFT JOIN jobs ON " +
            "jobs.id = COALESCE(@jobId, items.job_id) WHERE items.id = @itemId AND items.kind = 'collection' " +
            "ON CONFLICT (item_id, cause) DO UPDATE SET since = excluded.since, changed = excluded.changed";
        var now = _database.Time.GetUtcNow().UtcTicks;
        var marked = await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Abandoned);
                return transaction.Execute(Sql, new { itemId, jobId, now });
            },
            cancellationToken);
        if (marked > 0)
            JobAbandoned?.Invoke();
    }

    /// <summary>The jobs that *arrs gave up on, longest ago first.</summary>
    public ValueTask<IReadOnlyList<AbandonedJob>> ListAbandonedAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<AbandonedJob>>(
            async reader => (await reader.AllAsync<(long ItemId, long? JobId, string Name, string Category, long Created,
                string? DownloadId, string? InfoHash)>(
                    "SELECT job.id, unwanted.job_id, job.name, category.name, job.created, unwanted.download_id, " +
                    "(SELECT MAX(torrent) FROM items WHERE post_id = job.id) FROM unwanted " +
                    "JOIN items job ON job.id = unwanted.item_id JOIN items category ON category.id = job.parent_id " +
                    "WHERE cause = 'arr' ORDER BY unwanted.since, job.id"))
                .Select(row => new AbandonedJob(row.ItemId, row.JobId, row.Name, row.Category,
                    new DateTimeOffset(row.Created, TimeSpan.Zero))
                { DownloadId = row.DownloadId, InfoHash = row.InfoHash })
                .ToList(),
            cancellationToken);

    /// <summary>Keeps a job that an *arr gave up on, by removing its mark.</summary>
    public Task KeepAbandonedAsync(long itemId, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => transaction.Execute("DELETE FROM unwanted WHERE item_id = @itemId AND cause = 'arr'", new { itemId }),
            cancellationToken);

    // For transactions of other stores.

    /// <summary>Marks files that no library has any more; files already marked as lost are unchanged.</summary>
    internal static void MarkLost(CatalogTransaction transaction, IReadOnlyCollection<long> itemIds, DateTimeOffset at)
    {
        var now = at.UtcTicks;
        transaction.ExecuteAll(
            "INSERT INTO unwanted (item_id, cause, state, since, changed, reason) SELECT item_id, 'library', 'shown', @now, @now, holder " +
            "FROM holds WHERE item_id = @id ON CONFLICT (item_id, cause) DO NOTHING",
            itemIds.Select(id => (object)new { id, now }));
    }

    /// <summary>Marks files as held by a library again. Call <see cref="LoadAsync"/> afterwards if one was hidden.</summary>
    internal static void MarkHeld(CatalogTransaction transaction, IEnumerable<long> itemIds) => transaction.ExecuteAll(
        "DELETE FROM unwanted WHERE item_id = @id AND cause = 'library'", itemIds.Select(static id => (object)new { id }));

    /// <summary>
    /// Sets since when a post is hidden because another replaced it; null: it is not. Call <see cref="LoadAsync"/> afterwards.
    /// </summary>
    internal static void SetReplaced(CatalogTransaction transaction, long itemId, long? hidden, string? reason)
    {
        var row = new { itemId, hidden, reason };
        transaction.Execute("DELETE FROM unwanted WHERE item_id = @itemId AND cause = 'replacement'", row);
        if (hidden is not null)
            transaction.Execute(
                "INSERT INTO unwanted (item_id, cause, state, since, changed, reason) VALUES (@itemId, 'replacement', 'hidden', @hidden, " +
                "@hidden, @reason)", row);
        transaction.Notify(NoticeKind.Hidden);
    }

    /// <summary>Reloads the hidden items after a change by another process.</summary>
    private async Task FollowAsync()
    {
        try
        {
            await LoadAsync(CancellationToken.None);
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // Loaded again when the server is back.
        }
    }
}
