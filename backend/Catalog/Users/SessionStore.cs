using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Users;

/// <summary>The browsers that are signed in. Thread-safe.</summary>
public sealed class SessionStore
{
    private readonly CatalogDatabase _database;

    public SessionStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>All of them.</summary>
    public async ValueTask<IReadOnlyList<StoredSession>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(string, string, string, long, long, string?, string?)>("SELECT id, name, via, begun, seen, address, program FROM sessions"), cancellationToken);
        return rows.ConvertAll(ToSession);
    }

    /// <summary>Adds one.</summary>
    public Task AddAsync(StoredSession session, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(session);
        var parameters = new
        {
            session.Id,
            folded = StoredUser.Fold(session.Username),
            session.Username,
            session.Via,
            begun = session.Begun.UtcTicks,
            seen = session.Seen.UtcTicks,
            session.Address,
            session.Program,
        };
        return _database.WriteAsync(
            transaction =>
            {
                transaction.Execute("INSERT INTO sessions (id, folded, name, via, begun, seen, address, program) VALUES (@Id, @folded, @Username, @Via, @begun, @seen, @Address, @Program)", parameters);
                NoteUser(transaction, session.Via, parameters);
                return true;
            },
            cancellationToken);
    }

    /// <summary>Removes those of these ids, durably.</summary>
    public Task RemoveAsync(IReadOnlyCollection<string> ids, CancellationToken cancellationToken) =>
        _database.WriteAsync(transaction => ids.Sum(id => transaction.Execute("DELETE FROM sessions WHERE id = @id", new { id })), cancellationToken);

    /// <summary>Records when and from where sessions, and their users, were last seen. Sessions removed meanwhile stay removed.</summary>
    public Task NoteAsync(IReadOnlyCollection<StoredSession> sessions, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            foreach (var session in sessions)
            {
                var parameters = new { session.Id, folded = StoredUser.Fold(session.Username), seen = session.Seen.UtcTicks, session.Address, session.Program };
                if (transaction.Execute("UPDATE sessions SET seen = @seen, address = @Address, program = @Program WHERE id = @Id", parameters) > 0)
                    NoteUser(transaction, session.Via, parameters);
            }

            return true;
        },
        cancellationToken);

    private static void NoteUser(CatalogTransaction transaction, string via, object parameters)
    {
        if (via == UserStore.PasswordSessions)
            transaction.Execute("UPDATE users SET seen = @seen WHERE folded = @folded AND COALESCE(seen, 0) < @seen", parameters);
    }

    private static StoredSession ToSession((string Id, string Name, string Via, long Begun, long Seen, string? Address, string? Program) row) => new()
    {
        Id = row.Id,
        Username = row.Name,
        Via = row.Via,
        Begun = new DateTimeOffset(row.Begun, TimeSpan.Zero),
        Seen = new DateTimeOffset(row.Seen, TimeSpan.Zero),
        Address = row.Address,
        Program = row.Program,
    };
}
