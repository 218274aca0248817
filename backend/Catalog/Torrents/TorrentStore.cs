using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Torrents;

/// <summary>The torrents of the user: how each is to be treated and what it has transferred. Thread-safe.</summary>
public sealed class TorrentStore
{
    private readonly CatalogDatabase _database;

    public TorrentStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
            RaiseChanged([.. notices.Where(static notice => notice.Kind == NoticeKind.Torrent).Select(static notice => notice.Text)]);
    }

    /// <summary>
    /// Raised with the info-hashes of torrents changed through this store: on the calling thread for this process, when the notice arrives
    /// for others. Handlers must return quickly. New torrents raise <see cref="JobStore.Changed"/>.
    /// </summary>
    public event Action<IReadOnlyCollection<string>>? Changed;

    /// <summary>The catalog's clock.</summary>
    public DateTimeOffset Now => _database.Time.GetUtcNow();

    /// <summary>All torrents in queue order, including those removed from the list.</summary>
    public ValueTask<IReadOnlyList<TorrentEntry>> ListAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<TorrentEntry>>(
            async reader => (await reader.AllAsync<TorrentRow>($"SELECT {TorrentRow.Columns} FROM torrents ORDER BY turn, hash"))
                .Select(static row => row.ToEntry()).ToList(), cancellationToken);

    /// <summary>A torrent; null if the user does not have it.</summary>
    public ValueTask<TorrentEntry?> FindAsync(string hash, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader => (await reader.FirstAsync<TorrentRow>(
            $"SELECT {TorrentRow.Columns} FROM torrents WHERE hash = @hash", new { hash }))?.ToEntry(), cancellationToken);

    /// <summary>Changes torrents in one transaction.</summary>
    /// <param name="hashes">Info-hashes; unknown ones are skipped.</param>
    /// <param name="change">Returns the new state; the same object for no change. May be called more than once.
    /// <see cref="TorrentEntry.Totals"/> are written too, so pass them on.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>The changed torrents, in their new state.</returns>
    public async Task<IReadOnlyList<TorrentEntry>> UpdateAsync(
        IReadOnlyCollection<string> hashes, Func<TorrentEntry, TorrentEntry> change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        ArgumentNullException.ThrowIfNull(change);
        var changed = await _database.WriteAsync(
            transaction =>
            {
                var done = new List<TorrentEntry>();
                foreach (var hash in hashes.Distinct(StringComparer.Ordinal))
                {
                    var row = transaction.First<TorrentRow>($"SELECT {TorrentRow.Columns} FROM torrents WHERE hash = @hash", new { hash });
                    if (row?.ToEntry() is not { } before || change(before) is not { } after || ReferenceEquals(before, after))
                        continue;
                    TorrentWriter.Write(transaction, after);
                    TorrentWriter.AddTags(transaction, after.Tags);
                    done.Add(after);
                    transaction.Notify(NoticeKind.Torrent, hash);
                }

                return done;
            },
            cancellationToken);
        RaiseChanged(changed.ConvertAll(static entry => entry.Hash));
        return changed;
    }

    /// <summary>Sets what torrents have transferred. A power cut may lose the latest totals.</summary>
    /// <param name="totals">New totals, and when a byte last came from or went to a peer (null: unchanged), by info-hash.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task SetTotalsAsync(
        IReadOnlyDictionary<string, (TorrentTotals Totals, DateTimeOffset? LastActive)> totals, CancellationToken cancellationToken)
    {
        const string Sql =
            "UPDATE torrents SET downloaded = @Downloaded, uploaded = @Uploaded, active_time = @active, seeding_time = @seeding, " +
            "idle_time = @idle, " +
            "last_active = COALESCE(@last, last_active) WHERE hash = @Key";
        ArgumentNullException.ThrowIfNull(totals);
        return totals.Count == 0 ? Task.CompletedTask : _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(Sql, totals.Select(static pair => (object)new
                {
                    pair.Key,
                    pair.Value.Totals.Downloaded,
                    pair.Value.Totals.Uploaded,
                    active = (long)pair.Value.Totals.Active.TotalSeconds,
                    seeding = (long)pair.Value.Totals.Seeding.TotalSeconds,
                    idle = (long)pair.Value.Totals.Idle.TotalSeconds,
                    last = pair.Value.LastActive?.UtcTicks,
                }));
                return true;
            },
            WriteKind.Relaxed,
            cancellationToken);
    }

    /// <summary>Reorders all torrents.</summary>
    /// <param name="arrange">Returns all info-hashes in their new order, given the old one. May be called more than once.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task ArrangeAsync(Func<IReadOnlyList<string>, IReadOnlyList<string>> arrange, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(arrange);
        var moved = await _database.WriteAsync(
            transaction =>
            {
                var before = transaction.All<(string Hash, long Turn)>("SELECT hash, turn FROM torrents ORDER BY turn, hash");
                var after = arrange(before.ConvertAll(static row => row.Hash));

                // Reuse the same turns, so that torrents added later still come last.
                var turns = before.ConvertAll(static row => row.Turn);
                for (var i = 1; i < turns.Count; i++)
                    turns[i] = Math.Max(turns[i], turns[i - 1] + 1);
                var known = before.ToDictionary(static row => row.Hash, static row => row.Turn, StringComparer.Ordinal);
                var news = after.Zip(turns).Where(pair => known.TryGetValue(pair.First, out var turn) && turn != pair.Second).ToList();
                transaction.ExecuteAll("UPDATE torrents SET turn = @Second WHERE hash = @First",
                    news.Select(static pair => (object)new { pair.First, pair.Second }));
                return Notify(transaction, news.ConvertAll(static pair => pair.First));
            },
            cancellationToken);
        RaiseChanged(moved);
    }

    /// <summary>Removes torrents. Their files, if any, can still be read.</summary>
    public async Task DeleteAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        await _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll("DELETE FROM torrents WHERE hash = @hash", hashes.Select(static hash => (object)new { hash }));
                return Notify(transaction, hashes);
            },
            cancellationToken);
        RaiseChanged(hashes);
    }

    /// <summary>Removes torrents that have no file left and no job that is queued, running or failed.</summary>
    /// <returns>Their info-hashes.</returns>
    public async Task<IReadOnlyList<string>> DeleteUnneededAsync(CancellationToken cancellationToken)
    {
        const string Unneeded =
            "NOT EXISTS (SELECT 1 FROM items WHERE items.torrent = torrents.hash) AND NOT EXISTS " +
            "(SELECT 1 FROM jobs WHERE jobs.content_hash = torrents.hash AND jobs.kind <> 'nzb' AND jobs.state IN ('queued', 'running', " +
            "'failed'))";
        if (await _database.ReadAsync(
            reader => reader.ScalarAsync<long>($"SELECT EXISTS (SELECT 1 FROM torrents WHERE {Unneeded})"), cancellationToken) == 0)
            return [];
        var gone = await _database.WriteAsync(transaction =>
            Notify(transaction, transaction.All<string>($"DELETE FROM torrents WHERE {Unneeded} RETURNING hash")), cancellationToken);
        RaiseChanged(gone);
        return gone;
    }

    private static T Notify<T>(CatalogTransaction transaction, T hashes)
        where T : IReadOnlyCollection<string>
    {
        foreach (var hash in hashes)
            transaction.Notify(NoticeKind.Torrent, hash);
        return hashes;
    }

    private void RaiseChanged(IReadOnlyCollection<string> hashes)
    {
        if (hashes.Count > 0)
            Changed?.Invoke(hashes);
    }
}
