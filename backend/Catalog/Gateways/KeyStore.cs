using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Gateways;

/// <summary>Keys that all gateways of a catalog share, by name. Thread-safe.</summary>
public sealed class KeyStore
{
    private readonly CatalogDatabase _database;

    public KeyStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Keys))
                Changed?.Invoke();
        };
        database.NoticesLost += () => Changed?.Invoke();
    }

    /// <summary>Raised after another process changed keys, or may have. Handlers must return quickly.</summary>
    public event Action? Changed;

    /// <summary>True if several gateways may use the catalog.</summary>
    public bool IsShared => _database.Options.Connection is not null;

    /// <summary>All keys by name.</summary>
    public async ValueTask<IReadOnlyDictionary<string, byte[]>> ListAsync(CancellationToken cancellationToken) =>
        (await _database.ReadAsync(
            static reader => reader.AllAsync<(string Name, byte[] Value)>("SELECT name, value FROM keys"), cancellationToken))
                .ToDictionary(static row => row.Name, static row => row.Value, StringComparer.Ordinal);

    /// <summary>Stores a key unless one with that name exists.</summary>
    /// <returns>The key that is stored now.</returns>
    public Task<byte[]> AddAsync(string name, byte[] value, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            if (transaction.First<byte[]>("SELECT value FROM keys WHERE name = @name", new { name }) is { } known)
            {
                transaction.Abandon();
                return known;
            }

            transaction.Execute("INSERT INTO keys (name, value) VALUES (@name, @value)", new { name, value });
            transaction.Notify(NoticeKind.Keys);
            return value;
        },
        cancellationToken);

    /// <summary>Stores a key unless one exists whose name starts with the prefix.</summary>
    /// <param name="prefix">The prefix of the names.</param>
    /// <param name="name">Its name.</param>
    /// <param name="value">The key.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False if one exists.</returns>
    public Task<bool> AddFirstAsync(string prefix, string name, byte[] value, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            if (transaction.All<string>("SELECT name FROM keys").Exists(known => known.StartsWith(prefix, StringComparison.Ordinal)))
            {
                transaction.Abandon();
                return false;
            }

            transaction.Execute("INSERT INTO keys (name, value) VALUES (@name, @value)", new { name, value });
            transaction.Notify(NoticeKind.Keys);
            return true;
        },
        cancellationToken);

    /// <summary>Stores a key, replacing any with that name.</summary>
    public Task SetAsync(string name, byte[] value, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            transaction.Notify(NoticeKind.Keys);
            return transaction.Execute(
                "INSERT INTO keys (name, value) VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                new { name, value });
        },
        cancellationToken);
}
