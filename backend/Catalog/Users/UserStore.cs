using Dapper;

namespace NzbDav.Catalog;

/// <summary>The users of the interface, by name in any case. Thread-safe.</summary>
public sealed class UserStore
{
    private const string Columns = "name AS Name, hash AS Hash, stamp AS Stamp, created AS Created";
    private const string Insert = "INSERT INTO users (id, name, folded, hash, stamp, created) ";

    private readonly CatalogDatabase _database;

    public UserStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>True if there is anybody.</summary>
    public async ValueTask<bool> AnyAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        connection => connection.ExecuteScalar<long>("SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT 1) AS some"), cancellationToken) > 0;

    /// <summary>The user of that name; null if there is none.</summary>
    public async ValueTask<StoredUser?> FindAsync(string name, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        var rows = await _database.ReadAsync(
            connection => connection.Query<(string, string, string, long)>($"SELECT {Columns} FROM users WHERE folded = @folded", new { folded }).AsList(), cancellationToken);
        return rows.Count == 0 ? null : ToUser(rows[0]);
    }

    /// <summary>All of them by name.</summary>
    public async ValueTask<IReadOnlyList<StoredUser>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            connection => connection.Query<(string, string, string, long)>($"SELECT {Columns} FROM users ORDER BY folded").AsList(), cancellationToken);
        return rows.ConvertAll(ToUser);
    }

    /// <summary>Adds the first user.</summary>
    /// <returns>False, with nothing changed, if there is one already.</returns>
    public Task<bool> AddFirstAsync(StoredUser user, CancellationToken cancellationToken) =>
        AddAsync(user, "SELECT @id, @Name, @folded, @Hash, @Stamp, @created WHERE NOT EXISTS (SELECT 1 FROM users)", cancellationToken);

    /// <summary>Adds a user.</summary>
    /// <returns>False, with nothing changed, if the name is taken.</returns>
    public Task<bool> AddAsync(StoredUser user, CancellationToken cancellationToken) =>
        AddAsync(user, "VALUES (@id, @Name, @folded, @Hash, @Stamp, @created) ON CONFLICT (folded) DO NOTHING", cancellationToken);

    /// <summary>Removes a user unless nobody would be left.</summary>
    public Task<UserRemoval> RemoveAsync(string name, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        return _database.WriteAsync(
            transaction =>
            {
                if (transaction.Scalar<long>("SELECT COUNT(*) FROM users WHERE folded = @folded", new { folded }) == 0)
                    return UserRemoval.NotFound;
                return transaction.Execute("DELETE FROM users WHERE folded = @folded AND EXISTS (SELECT 1 FROM users WHERE folded <> @folded)", new { folded }) > 0
                    ? UserRemoval.Removed
                    : UserRemoval.Last;
            },
            cancellationToken);
    }

    /// <summary>Gives a user another password.</summary>
    /// <returns>False if there is nobody of that name.</returns>
    public async Task<bool> SetPasswordAsync(string name, string hash, string stamp, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        return await _database.WriteAsync(
            transaction => transaction.Execute("UPDATE users SET hash = @hash, stamp = @stamp WHERE folded = @folded", new { folded, hash, stamp }), cancellationToken) > 0;
    }

    /// <summary>Stores the same password hashed anew; nothing happens if the user has another one meanwhile.</summary>
    public Task RehashAsync(StoredUser user, string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(user);
        var folded = StoredUser.Fold(user.Name);
        return _database.WriteAsync(
            transaction => transaction.Execute("UPDATE users SET hash = @hash WHERE folded = @folded AND hash = @former", new { folded, hash, former = user.Hash }), cancellationToken);
    }

    private async Task<bool> AddAsync(StoredUser user, string values, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(user);
        var parameters = new { id = _database.Ids.Next(), user.Name, folded = StoredUser.Fold(user.Name), user.Hash, user.Stamp, created = user.Created.UtcTicks };
        return await _database.WriteAsync(transaction => transaction.Execute(Insert + values, parameters), cancellationToken) > 0;
    }

    private static StoredUser ToUser((string Name, string Hash, string Stamp, long Created) row) =>
        new() { Name = row.Name, Hash = row.Hash, Stamp = row.Stamp, Created = new DateTimeOffset(row.Created, TimeSpan.Zero) };
}
