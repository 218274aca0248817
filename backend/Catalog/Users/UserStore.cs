using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Users;

/// <summary>The users of the interface, by case-insensitive name. Thread-safe.</summary>
public sealed class UserStore
{
    /// <summary>The kind of sessions that belong to these users: <see cref="StoredSession.Via"/>.</summary>
    public const string PasswordSessions = "password";

    private const string Columns = "name, hash, stamp, created, role, seen";
    private const string Insert = "INSERT INTO users (id, name, folded, hash, stamp, created, role) ";

    private readonly CatalogDatabase _database;

    public UserStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>True if there is any user.</summary>
    public async ValueTask<bool> AnyAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.ScalarAsync<long>("SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT 1) AS found"), cancellationToken) > 0;

    /// <summary>The user with that name; null if there is none.</summary>
    public async ValueTask<StoredUser?> FindAsync(string name, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(string, string, string, long, string, long?)>(
                $"SELECT {Columns} FROM users WHERE folded = @folded", new { folded }), cancellationToken);
        return rows.Count == 0 ? null : ToUser(rows[0]);
    }

    /// <summary>All users by name.</summary>
    public async ValueTask<IReadOnlyList<StoredUser>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(string, string, string, long, string, long?)>($"SELECT {Columns} FROM users ORDER BY folded"),
            cancellationToken);
        return rows.ConvertAll(ToUser);
    }

    /// <summary>Adds the first user.</summary>
    /// <returns>False, with nothing changed, if there is one already.</returns>
    public Task<bool> AddFirstAsync(StoredUser user, CancellationToken cancellationToken) =>
        AddAsync(
            user, "SELECT @id, @Name, @folded, @Hash, @Stamp, @created, @role WHERE NOT EXISTS (SELECT 1 FROM users)", cancellationToken);

    /// <summary>Adds a user.</summary>
    /// <returns>False, with nothing changed, if the name is taken.</returns>
    public Task<bool> AddAsync(StoredUser user, CancellationToken cancellationToken) =>
        AddAsync(user, "VALUES (@id, @Name, @folded, @Hash, @Stamp, @created, @role) ON CONFLICT (folded) DO NOTHING", cancellationToken);

    /// <summary>Removes a user with the user's sessions and signed links, unless no administrator would be left.</summary>
    public Task<UserChange> RemoveAsync(string name, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        return _database.WriteAsync(
            transaction =>
            {
                if (CheckChange(transaction, folded) is { } refusal)
                    return refusal;
                transaction.Execute("DELETE FROM users WHERE folded = @folded", new { folded });
                EndSessionsAndLinks(transaction, folded);
                return UserChange.Done;
            },
            cancellationToken);
    }

    /// <summary>Changes a user's role, unless no administrator would be left.</summary>
    public Task<UserChange> SetRoleAsync(string name, UserRole role, CancellationToken cancellationToken)
    {
        var (folded, text) = (StoredUser.Fold(name), NameOf(role));
        return _database.WriteAsync(
            transaction =>
            {
                if (CheckChange(transaction, folded, staysAdministrator: role == UserRole.Administrator) is { } refusal)
                    return refusal;
                transaction.Execute("UPDATE users SET role = @text WHERE folded = @folded", new { folded, text });
                return UserChange.Done;
            },
            cancellationToken);
    }

    /// <summary>Changes a user's password, and ends the user's sessions and signed links.</summary>
    /// <returns>False if there is no user with that name.</returns>
    public Task<bool> SetPasswordAsync(string name, string hash, string stamp, CancellationToken cancellationToken)
    {
        var folded = StoredUser.Fold(name);
        return _database.WriteAsync(
            transaction =>
            {
                if (transaction.Execute(
                    "UPDATE users SET hash = @hash, stamp = @stamp WHERE folded = @folded", new { folded, hash, stamp }) == 0)
                    return false;
                EndSessionsAndLinks(transaction, folded);
                return true;
            },
            cancellationToken);
    }

    /// <summary>Stores a new hash of the same password; does nothing if the password has changed meanwhile.</summary>
    public Task RehashAsync(StoredUser user, string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(user);
        var folded = StoredUser.Fold(user.Name);
        return _database.WriteAsync(
            transaction => transaction.Execute("UPDATE users SET hash = @hash WHERE folded = @folded AND hash = @former",
                new { folded, hash, former = user.Hash }), cancellationToken);
    }

    private async Task<bool> AddAsync(StoredUser user, string values, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(user);
        var parameters = new
        {
            id = _database.Ids.Next(),
            user.Name,
            folded = StoredUser.Fold(user.Name),
            user.Hash,
            user.Stamp,
            created = user.Created.UtcTicks,
            role = NameOf(user.Role)
        };
        return await _database.WriteAsync(transaction => transaction.Execute(Insert + values, parameters), cancellationToken) > 0;
    }

    /// <summary>Why a user cannot be changed; null if it can.</summary>
    private static UserChange? CheckChange(CatalogTransaction transaction, string folded, bool staysAdministrator = false)
    {
        if (transaction.Scalar<long>("SELECT COUNT(*) FROM users WHERE folded = @folded", new { folded }) == 0)
            return UserChange.NotFound;
        const string Others = "SELECT COUNT(*) FROM users WHERE folded <> @folded AND role = 'administrator'";
        return staysAdministrator || transaction.Scalar<long>(Others, new { folded }) > 0 ? null : UserChange.LastAdministrator;
    }

    private static void EndSessionsAndLinks(CatalogTransaction transaction, string folded)
    {
        foreach (var id in transaction.All<string>(
            "DELETE FROM sessions WHERE folded = @folded AND via = @via RETURNING id", new { folded, via = PasswordSessions }))
            transaction.Notify(NoticeKind.Session, id);
        transaction.Execute("DELETE FROM signed_links WHERE folded = @folded AND via = @via", new { folded, via = PasswordSessions });
    }

    private static string NameOf(UserRole role) => role.ToString().ToLowerInvariant();

    private static StoredUser ToUser((string Name, string Hash, string Stamp, long Created, string Role, long? Seen) row) => new()
    {
        Name = row.Name,
        Hash = row.Hash,
        Stamp = row.Stamp,
        Created = new DateTimeOffset(row.Created, TimeSpan.Zero),

        // An unknown role, from a later version, gets the fewest rights.
        Role = Enum.TryParse<UserRole>(row.Role, ignoreCase: true, out var role) ? role : UserRole.Viewer,
        LastSeen = row.Seen is { } seen ? new DateTimeOffset(seen, TimeSpan.Zero) : null,
    };
}

/// <summary>Outcome of removing a user or changing the user's role.</summary>
public enum UserChange
{
    /// <summary>Done.</summary>
    Done,

    /// <summary>There is no user with that name.</summary>
    NotFound,

    /// <summary>Nothing changed: no administrator would be left.</summary>
    LastAdministrator,
}
