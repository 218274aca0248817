using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tree;

/// <summary>Remembers repairs that were begun or have failed, across restarts. Rows are deleted with their files. Thread-safe.</summary>
public sealed class RepairStore
{
    private readonly CatalogDatabase _database;

    public RepairStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>A file's latest repair; null if there was none, or it succeeded.</summary>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<StoredRepair?> FindAsync(long itemId, CancellationToken cancellationToken)
    {
        var row = await _database.ReadAsync(
            reader => reader.FirstAsync<(string? Article, string? Reason, long Until, string Providers)>(
                "SELECT article, reason, until, providers FROM repairs WHERE item_id = @itemId", new { itemId }),
            cancellationToken);
        return row.Article is { } article ? new StoredRepair(article,
            row.Reason is { } reason ? new RepairFailure(reason, new DateTimeOffset(row.Until, TimeSpan.Zero)) : null,
            row.Providers) : null;
    }

    /// <summary>Stores a file's repair, replacing any earlier one. Does nothing if the file is gone.</summary>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public Task SetAsync(long itemId, StoredRepair repair, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(repair);
        return _database.WriteAsync(
            transaction => transaction.Execute(
                "INSERT INTO repairs (item_id, article, reason, until, providers) SELECT id, @Article, @reason, @until, @Providers FROM " +
                "items WHERE id = @itemId " +
                "ON CONFLICT (item_id) DO UPDATE SET article = excluded.article, reason = excluded.reason, until = excluded.until, " +
                "providers = excluded.providers",
                new
                {
                    itemId,
                    repair.Article,
                    reason = repair.Failure?.Reason,
                    until = repair.Failure?.Until.UtcTicks ?? 0,
                    repair.Providers
                }),
            cancellationToken);
    }

    /// <summary>Forgets a file's repair, because it succeeded.</summary>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public Task RemoveAsync(long itemId, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => transaction.Execute("DELETE FROM repairs WHERE item_id = @itemId", new { itemId }), cancellationToken);
}

/// <summary>A file's repair as stored. Successful ones are not stored.</summary>
/// <param name="Article">The article that it was begun for: its id in the file's map.</param>
/// <param name="Failure">Why it failed; null: it was begun and did not finish.</param>
/// <param name="Providers">Names of the providers that were asked.</param>
public sealed record StoredRepair(string Article, RepairFailure? Failure, string Providers);
