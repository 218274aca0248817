using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Settings;

/// <summary>What Usenet accounts brought in a period. Thread-safe.</summary>
public sealed class AccountUsageStore
{
    /// <summary>
    /// How far ahead a period may begin: clocks of gateways differ a little, and what is less far ahead begins by itself soon.
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

    /// <summary>All that is known: the account, when its period began, and the bytes that came since.</summary>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<IReadOnlyList<(string Account, DateTimeOffset Since, long Bytes)>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            static reader => reader.AllAsync<(string Account, long Since, long Bytes)>("SELECT account, since, bytes FROM account_usage"),
            cancellationToken);
        return [.. rows.Select(static row => (row.Account, new DateTimeOffset(row.Since, TimeSpan.Zero), row.Bytes))];
    }

    /// <summary>Adds these to what is known of the same accounts in the same period; of a later period they count alone, of an earlier one
    /// not any more. A period that has not begun comes from a wrong clock: it is replaced, and replaces none.</summary>
    /// <exception cref="CatalogException">They cannot be stored.</exception>
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
