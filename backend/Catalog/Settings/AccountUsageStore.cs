using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Settings;

/// <summary>What Usenet accounts brought in a period. Thread-safe.</summary>
public sealed class AccountUsageStore
{
    private readonly CatalogDatabase _database;

    public AccountUsageStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>All that is known: the account, when its period began, and the bytes that came since.</summary>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<IReadOnlyList<(string Account, DateTimeOffset Since, long Bytes)>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            static reader => reader.AllAsync<(string Account, long Since, long Bytes)>("SELECT account, since, bytes FROM account_usage"), cancellationToken);
        return [.. rows.Select(static row => (row.Account, new DateTimeOffset(row.Since, TimeSpan.Zero), row.Bytes))];
    }

    /// <summary>Stores these in place of what was known of the same accounts.</summary>
    /// <exception cref="CatalogException">They cannot be stored.</exception>
    public Task SetAsync(IEnumerable<(string Account, DateTimeOffset Since, long Bytes)> usages, CancellationToken cancellationToken)
    {
        var rows = usages.Select(static usage => new { usage.Account, Since = usage.Since.UtcTicks, usage.Bytes }).ToArray();
        return _database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "INSERT INTO account_usage (account, since, bytes) VALUES (@Account, @Since, @Bytes) ON CONFLICT (account) DO UPDATE SET since = excluded.since, bytes = excluded.bytes", rows);
                return rows.Length;
            },
            cancellationToken);
    }
}
