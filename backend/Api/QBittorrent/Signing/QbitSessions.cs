using System.Security.Cryptography;

namespace NzbDav.Api.QBittorrent.Signing;

/// <summary>
/// The sessions of logged-in clients, by the random id in their cookie. In memory only: after a restart clients are answered 403 and log in
/// again. Thread-safe; bounded.
/// </summary>
internal sealed class QbitSessions(TimeProvider time)
{
    /// <summary>A session ends after this time without use: qBittorrent's default.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

    /// <summary>Bounds the memory for clients that log in for each call.</summary>
    private const int Most = 1_000;

    private const int IdBytes = 24;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (QbitLogin Login, DateTimeOffset Used)> _sessions = new(StringComparer.Ordinal);

    /// <summary>Begins a session.</summary>
    /// <returns>Its id: letters and digits, valid in a cookie without escaping.</returns>
    public string Begin(QbitLogin login)
    {
        var id = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(IdBytes));
        lock (_gate)
        {
            if (_sessions.Count >= Most)
                _sessions.Remove(_sessions.MinBy(static pair => pair.Value.Used).Key);
            _sessions[id] = (login, time.GetUtcNow());
        }

        return id;
    }

    /// <summary>The credentials of a session; null if there is none with that id. Counts as a use.</summary>
    public QbitLogin? Use(string id)
    {
        lock (_gate)
        {
            if (!_sessions.TryGetValue(id, out var session))
                return null;
            var now = time.GetUtcNow();
            if (now - session.Used >= Lifetime)
            {
                _sessions.Remove(id);
                return null;
            }

            _sessions[id] = (session.Login, now);
            return session.Login;
        }
    }

    /// <summary>Ends a session.</summary>
    public void End(string id)
    {
        lock (_gate)
            _sessions.Remove(id);
    }
}

/// <summary>
/// The credentials with which a session began. The session's rights depend on them: it has none once the key has changed, or the user was
/// deleted or has another password.
/// </summary>
/// <param name="Key">An API key; null for a user.</param>
/// <param name="User">The user's name; null for a key or a trusted network.</param>
/// <param name="Stamp">Changes with the user's password.</param>
internal sealed record QbitLogin(string? Key, string? User = null, string? Stamp = null)
{
    /// <summary>Without the key, because this text goes to logs.</summary>
    public override string ToString() => User ?? "key";
}
