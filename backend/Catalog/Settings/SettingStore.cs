using System.Collections.Frozen;
using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;
using NzbDav.Catalog.Database.Sqlite;

namespace NzbDav.Catalog.Settings;

/// <summary>
/// Settings as text, by key. Cached: changes by another process are read at once when its notice arrives (PostgreSQL), otherwise on the
/// first read after <see cref="CatalogOptions.ForeignChangeInterval"/>. Thread-safe.
/// </summary>
public sealed class SettingStore
{
    private const string Scope = "settings";
    private const string Put =
        "INSERT INTO settings (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

    private readonly CatalogDatabase _database;
    private readonly ChangeWatch _watch;
    private readonly Lock _gate = new();
    private FrozenDictionary<string, string> _values = FrozenDictionary<string, string>.Empty;
    private volatile bool _stale = true;

    /// <summary>False until the first load: until then there are no older values to return.</summary>
    private volatile bool _loaded;
    private long _version;

    public SettingStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        _watch = new ChangeWatch(database, Scope, () => _stale = true);
        database.NoticesReceived += notices =>
        {
            if (_stale && _loaded && notices.Any(static notice => notice.Kind == NoticeKind.Scope))
                _ = FollowAsync();
        };
        database.NoticesLost += () => _ = FollowAsync();
    }

    /// <summary>
    /// Raised with the key of a value that changed, on the thread that changed it or first noticed. Handlers must return quickly.
    /// </summary>
    public event Action<string>? Changed;

    /// <summary>Reads all stored settings once, without upgrading the schema. For commands that run beside a server.</summary>
    /// <returns>Empty if there is no catalog.</returns>
    /// <exception cref="CatalogException">The settings cannot be read.</exception>
    public static IReadOnlyDictionary<string, string> Peek(CatalogOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Connection is not null)
            return PostgresEngine.Peek(options);
        if (!File.Exists(options.DatabasePath))
            return FrozenDictionary<string, string>.Empty;
        try
        {
            using var connection = SqliteEngine.Open(options, writable: false);
            return connection.Query<(string Key, string Value)>("SELECT key, value FROM settings")
                .ToFrozenDictionary(row => row.Key, row => row.Value, StringComparer.Ordinal);
        }
        catch (SqliteException e)
        {
            throw SqliteEngine.Translate(e, options)
                ?? new CatalogException(CatalogFault.Storage, $"The settings cannot be read: {e.Message}", e);
        }
    }

    /// <summary>The value of a key; null if it is not set.</summary>
    public async ValueTask<string?> GetAsync(string key, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        return (await GetAllAsync(cancellationToken)).GetValueOrDefault(key);
    }

    /// <summary>A snapshot of all settings.</summary>
    public async ValueTask<IReadOnlyDictionary<string, string>> GetAllAsync(CancellationToken cancellationToken)
    {
        await _watch.CheckAsync(cancellationToken);
        if (_stale || !_loaded)
            await ReloadAsync(cancellationToken);
        return Volatile.Read(ref _values);
    }

    /// <summary>Sets a value, durably; null removes it.</summary>
    public Task SetAsync(string key, string? value, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        return SetAsync(new Dictionary<string, string?>(StringComparer.Ordinal) { [key] = value }, cancellationToken);
    }

    /// <summary>Sets several values, durably, all or none; null removes a value.</summary>
    public async Task SetAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(changes);

        // The old values are needed to report changes.
        await GetAllAsync(cancellationToken);
        await _database.WriteAsync(
            transaction =>
            {
                transaction.MarkChanged(Scope);
                var rows = 0;
                foreach (var (key, value) in changes)
                {
                    rows += value is null
                        ? transaction.Execute("DELETE FROM settings WHERE key = @key", new { key })
                        : transaction.Execute(Put, new { key, value });
                }

                return rows;
            },
            cancellationToken);
        await ReloadAsync(CancellationToken.None);
    }

    /// <summary>Updates a value durably in one transaction, so that concurrent changes by another process are not lost.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="change">Returns the new value, given the old one, which is null if it is not set. May be called more than once.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task UpdateAsync(string key, Func<string?, string> change, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        ArgumentNullException.ThrowIfNull(change);
        await GetAllAsync(cancellationToken);
        await _database.WriteAsync(
            transaction =>
            {
                transaction.MarkChanged(Scope);
                var value = change(transaction.First<string>("SELECT value FROM settings WHERE key = @key", new { key }));
                return transaction.Execute(Put, new { key, value });
            },
            cancellationToken);
        await ReloadAsync(CancellationToken.None);
    }

    /// <summary>Reloads after a change by another process, so that it takes effect here too.</summary>
    private async Task FollowAsync()
    {
        try
        {
            await ReloadAsync(CancellationToken.None);
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // Loaded again when a setting is read, or when the server is back.
        }
    }

    private async ValueTask ReloadAsync(CancellationToken cancellationToken)
    {
        // One statement, so that values and version match. No key is empty.
        const string Sql = "SELECT key, value FROM settings UNION ALL SELECT '', CAST(value AS TEXT) FROM versions WHERE name = 'settings'";

        // Reset before the query: a change that the query does not see sets it again.
        _stale = false;
        FrozenDictionary<string, string> rows;
        try
        {
            rows = await _database.ReadAsync(
                async reader => (await reader.AllAsync<(string Key, string Value)>(Sql))
                    .ToFrozenDictionary(row => row.Key, row => row.Value, StringComparer.Ordinal),
                cancellationToken);
        }
        catch
        {
            _stale = true;
            throw;
        }

        var version = long.Parse(rows[""], CultureInfo.InvariantCulture);
        var after = rows.Where(row => row.Key.Length > 0).ToFrozenDictionary(StringComparer.Ordinal);
        FrozenDictionary<string, string>? before;
        lock (_gate)
        {
            before = _version == 0 ? null : _values;
            var isNew = version > _version;
            if (isNew)
                (_values, _version) = (after, version);
            _loaded = true;
            if (!isNew)
                return;
        }

        foreach (var key in before?.Keys.Union(after.Keys) ?? [])
        {
            if (before!.GetValueOrDefault(key) != after.GetValueOrDefault(key))
                Changed?.Invoke(key);
        }
    }
}
