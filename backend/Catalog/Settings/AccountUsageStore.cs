using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Settings;

/// <summary>Bytes downloaded from Usenet accounts in a period. Thread-safe.</summary>
public sealed class AccountUsageStore
{
    /// <summary>
    /// How far in the future a period may begin: clocks of gateways differ a little, and such a period begins soon anyway.
    /// </summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromDays(1);

    private readonly CatalogDatabase _database;

    public AccountUsageStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>True if other processes may use the same accounts.</summary>
    public bool IsShared => _database.Options.Connection is not null;

    /// <summary>All accounts on record: the account, when its period began, and the bytes since then.</summary>
    /// <exception cref="CatalogException">The usage cannot be read.</exception>
    public async ValueTask<IReadOnlyList<(string Account, DateTimeOffset Since, long Bytes)>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            static reader => reader.AllAsync<(string Account, long Since, long Bytes)>("SELECT account, since, bytes FROM account_usage"),
            cancellationToken);
        return [.. rows.Select(static row => (row.Account, new DateTimeOffset(row.Since, TimeSpan.Zero), row.Bytes))];
    }

    /// <summary>
    /// Adds bytes to accounts in the same period. A later period replaces the stored one; an earlier one is ignored. A period in the future
    /// comes from a wrong clock: it is replaced if stored, and never replaces another.
    /// </summary>
    /// <exception cref="CatalogException">The usage cannot be stored.</exception>
    public Task AddAsync(IEnumerable<(string Account, DateTimeOffset Since, long Bytes)> usages, CancellationToken cancellationToken)
    {
        var all = usages.ToArray();
        return _database.WriteAsync(
            transaction =>
            {
                var now = transaction.Scalar<long>($"SELECT {transaction.Dialect.Now}", new { now = _database.Time.GetUtcNow().UtcTicks });
                var rows = all.Select(
                    usage => new { usage.Account, Since = usage.Since.UtcTicks, usage.Bytes, Latest = now + Tolerance.Ticks }).ToArray();
                transaction.ExecuteAll(
                    "INSERT INTO account_usage (account, since, bytes) VALUES (@Account, @Since, @Bytes) ON CONFLICT (account) DO UPDATE " +
                    "SET " +
                    "bytes = CASE WHEN excluded.since = account_usage.since THEN account_usage.bytes + excluded.bytes " +
                    "WHEN excluded.since > account_usage.since OR account_usage.since > @Latest THEN excluded.bytes ELSE " +
                    "account_usage.bytes END, " +
                    "since = CASE WHEN excluded.since > account_usage.since OR account_usage.since > @Latest THEN excluded.since ELSE " +
                    "account_usage.since END " +
                    "WHERE excluded.since = account_usage.since OR excluded.since <= @Latest",
                    rows);
                return rows.Length;
            },
            cancellationToken);
    }
}
