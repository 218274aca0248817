using System.Security.Cryptography;

namespace NzbDav.Api.QBittorrent;

/// <summary>Who is logged in, by the random text in their cookie. In memory: clients log in again after a restart, when they are answered 403. Thread-safe; bounded.</summary>
internal sealed class QbitSessions(TimeProvider time)
{
    /// <summary>A session ends when it has not been used for so long: qBittorrent's default.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

    /// <summary>Clients that log in with each call would fill the memory otherwise.</summary>
    private const int Most = 1_000;

    private const int IdBytes = 24;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (QbitLogin Login, DateTimeOffset Used)> _sessions = new(StringComparer.Ordinal);

    /// <summary>Begins one.</summary>
    /// <returns>Its id: letters and digits that fit into a cookie as they are.</returns>
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

    /// <summary>By what a session was begun; null if there is none of that id. This counts as a use.</summary>
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

    /// <summary>Ends one.</summary>
    public void End(string id)
    {
        lock (_gate)
            _sessions.Remove(id);
    }
}
