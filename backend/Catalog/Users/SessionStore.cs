using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Users;

/// <summary>The sessions of signed-in browsers. Thread-safe.</summary>
public sealed class SessionStore
{
    private readonly CatalogDatabase _database;

    public SessionStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            string[] ended = [.. notices.Where(static notice => notice.Kind == NoticeKind.Session).Select(static notice => notice.Text)];
            if (ended.Length > 0)
                Ended?.Invoke(ended);
        };
        database.NoticesLost += () => NoticesLost?.Invoke();
    }

    /// <summary>Raised with the ids of sessions ended by another process. Handlers must return quickly.</summary>
    public event Action<IReadOnlyCollection<string>>? Ended;

    /// <summary>Raised when sessions ended by other processes may have been missed. Handlers must return quickly.</summary>
    public event Action? NoticesLost;

    /// <summary>True if other processes start sessions too.</summary>
    public bool IsShared => _database.Options.Connection is not null;

    /// <summary>All sessions.</summary>
    public async ValueTask<IReadOnlyList<StoredSession>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(string, string, string, long, long, string?, string?)>(
                "SELECT id, name, via, begun, seen, address, program FROM sessions"), cancellationToken);
        return rows.ConvertAll(ToSession);
    }

    /// <summary>A session; null if there is none with that id.</summary>
    public ValueTask<StoredSession?> FindAsync(string id, CancellationToken cancellationToken) => _database.ReadAsync(
        async reader =>
        {
            var rows = await reader.AllAsync<(string, string, string, long, long, string?, string?)>(
                "SELECT id, name, via, begun, seen, address, program FROM sessions WHERE id = @id", new { id });
            return rows.Count == 0 ? null : ToSession(rows[0]);
        },
        cancellationToken);

    /// <summary>Adds a session.</summary>
    public Task AddAsync(StoredSession session, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(session);
        var parameters = new
        {
            session.Id,
            folded = StoredUser.Fold(session.Username),
            session.Username,
            session.Via,
            begun = session.StartedAt.UtcTicks,
            seen = session.Seen.UtcTicks,
            session.Address,
            session.Program,
        };
        return _database.WriteAsync(
            transaction =>
            {
                transaction.Execute(
                    "INSERT INTO sessions (id, folded, name, via, begun, seen, address, program) VALUES (@Id, @folded, @Username, @Via, " +
                    "@begun, @seen, @Address, @Program)", parameters);
                NoteUser(transaction, session.Via, parameters);
                return true;
            },
            cancellationToken);
    }

    /// <summary>Removes sessions, durably.</summary>
    public Task RemoveAsync(IReadOnlyCollection<string> ids, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => ids.Sum(id =>
            {
                transaction.Notify(NoticeKind.Session, id);
                return transaction.Execute("DELETE FROM sessions WHERE id = @id", new { id });
            }),
            cancellationToken);

    /// <summary>Records when and from where sessions, and their users, were last seen. Sessions removed meanwhile stay removed.</summary>
    public Task NoteAsync(IReadOnlyCollection<StoredSession> sessions, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction =>
        {
            foreach (var session in sessions)
            {
                var parameters = new
                {
                    session.Id,
                    folded = StoredUser.Fold(session.Username),
                    seen = session.Seen.UtcTicks,
                    session.Address,
                    session.Program
                };
                if (transaction.Execute(
                    "UPDATE sessions SET seen = @seen, address = @Address, program = @Program WHERE id = @Id", parameters) > 0)
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

    private static StoredSession ToSession(
        (string Id, string Name, string Via, long Begun, long Seen, string? Address, string? Program) row) => new()
        {
            Id = row.Id,
            Username = row.Name,
            Via = row.Via,
            StartedAt = new DateTimeOffset(row.Begun, TimeSpan.Zero),
            Seen = new DateTimeOffset(row.Seen, TimeSpan.Zero),
            Address = row.Address,
            Program = row.Program,
        };
}

/// <summary>A session of a signed-in browser. Immutable.</summary>
public sealed record StoredSession
{
    /// <summary>Random; the browser's cookie holds it, encrypted.</summary>
    public required string Id { get; init; }

    /// <summary>The name of its user.</summary>
    public required string Username { get; init; }

    /// <summary>How it was started: <c>password</c> or <c>oidc</c>. Only the first kind belongs to a <see cref="StoredUser"/>.</summary>
    public required string Via { get; init; }

    /// <summary>When it was started.</summary>
    public DateTimeOffset StartedAt { get; init; }

    /// <summary>Time of its latest request, to the minute.</summary>
    public DateTimeOffset Seen { get; init; }

    /// <summary>Address of the latest request.</summary>
    public string? Address { get; init; }

    /// <summary>Client program of the latest request, in short.</summary>
    public string? Program { get; init; }
}
