using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Callers;
using NzbDav.Access.Options;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Sessions;

/// <summary>
/// The signed-in browsers, in memory; their rows follow later. A cookie names its session: a session that is unknown here gives no access.
/// Changes by a request (when and from where it was seen) are written at most once a minute, together for all sessions, so no request waits
/// for the disk. Sessions that other gateways began are read when a cookie names them; those that others ended are dropped when the notice
/// arrives. Thread-safe.
/// </summary>
internal sealed partial class SessionRegistry(
    SessionStore store, LiveAccess access, TimeProvider time, ILogger<SessionRegistry> logger) : IAsyncDisposable
{
    /// <summary>
    /// Most sessions of a user. Above this the oldest ones end: a script that signs in for each call must not fill the catalog.
    /// </summary>
    internal const int MostPerUser = 100;

    private static readonly TimeSpan NoteEvery = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _loading = new(1);
    private readonly HashSet<string> _unwritten = new(StringComparer.Ordinal);
    private Dictionary<string, StoredSession>? _sessions;
    private bool _follows;
    private volatile bool _isStale;
    private DateTimeOffset _notedAt = time.GetUtcNow();
    private Task _noting = Task.CompletedTask;

    /// <summary>Begins a session.</summary>
    /// <returns>Its id.</returns>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public async Task<string> BeginAsync(HttpContext http, string username, CallerKind kind)
    {
        await LoadAsync(http.RequestAborted);
        var now = Minute();
        var session = new StoredSession
        {
            Id = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16)),
            Username = username,
            Via = ViaOf(kind),
            StartedAt = time.GetUtcNow(),
            Seen = now,
            Address = http.Connection.RemoteIpAddress?.ToString(),
            Program = ProgramName.Of(http.Request.Headers.UserAgent),
        };
        await store.AddAsync(session, http.RequestAborted);
        string[] surplus;
        lock (_gate)
        {
            _sessions![session.Id] = session;
            surplus = [.. _sessions.Values.Where(other => IsOf(other, username, session.Via)).OrderByDescending(other => other.Seen)
                .ThenByDescending(other => other.StartedAt).Skip(MostPerUser).Select(other => other.Id)];
        }

        await EndAsync(surplus, http.RequestAborted);
        return session.Id;
    }

    /// <summary>Records a request of a session.</summary>
    /// <returns>False if there is no such session: it was revoked, or has ended.</returns>
    public async ValueTask<bool> TouchAsync(HttpContext http, string id)
    {
        await LoadAsync(http.RequestAborted);
        if (store.IsShared && !IsKnown(id))
            await FindAsync(id, http.RequestAborted);
        var now = Minute();
        var (address, program) = (http.Connection.RemoteIpAddress?.ToString(), ProgramName.Of(http.Request.Headers.UserAgent));
        lock (_gate)
        {
            if (!_sessions!.TryGetValue(id, out var session))
                return false;
            if (session.Seen != now || session.Address != address || session.Program != program)
            {
                _sessions[id] = session with { Seen = now, Address = address, Program = program };
                _unwritten.Add(id);
            }

            if (_noting.IsCompleted && time.GetUtcNow() - _notedAt >= NoteEvery)
            {
                _notedAt = time.GetUtcNow();
                _noting = Task.Run(NoteAsync);
            }
        }

        return true;
    }

    /// <summary>Sessions, most recently seen first.</summary>
    /// <param name="of">The user; null: all users.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<StoredSession>> ListAsync(Caller? of, CancellationToken cancellationToken)
    {
        await LoadAsync(cancellationToken);
        var now = time.GetUtcNow();
        lock (_gate)
            return [.. _sessions!.Values.Where(session => !IsDead(session, now) && (of is null || IsOf(session, of.Name, ViaOf(of.Kind))))
                .OrderByDescending(session => session.Seen).ThenByDescending(session => session.StartedAt)];
    }

    /// <summary>Ends sessions, durably. They are refused from the next request on.</summary>
    /// <exception cref="CatalogException">No session ended: the change could not be stored.</exception>
    public async Task EndAsync(IReadOnlyCollection<string> ids, CancellationToken cancellationToken)
    {
        if (ids.Count == 0)
            return;
        await store.RemoveAsync(ids, cancellationToken);
        Forget(ids);
    }

    /// <summary>Drops sessions whose rows are already gone, because the user or the password changed.</summary>
    public void Forget(IEnumerable<string> ids)
    {
        lock (_gate)
        {
            foreach (var id in ids)
            {
                _sessions?.Remove(id);
                _unwritten.Remove(id);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task noting;
        lock (_gate)
            noting = _noting;
        store.Ended -= Forget;
        store.NoticesLost -= OnNoticesLost;
        await noting;
        await NoteAsync();
        _loading.Dispose();
    }

    private static string ViaOf(CallerKind kind) =>
        kind == CallerKind.Password ? UserStore.PasswordSessions : kind.ToString().ToLowerInvariant();

    private static bool IsOf(StoredSession session, string? username, string via) =>
        session.Via == via && username is not null && StoredUser.Fold(session.Username) == StoredUser.Fold(username);

    /// <summary>True if the session's cookie has expired.</summary>
    private bool IsDead(StoredSession session, DateTimeOffset now) =>
        now - session.Seen > SessionCookie.Lifetime + NoteEvery
        || (session.Via != UserStore.PasswordSessions && access.Current.Oidc is { } oidc && now - session.StartedAt > oidc.SessionLifetime);

    private DateTimeOffset Minute()
    {
        var now = time.GetUtcNow();
        return now.AddTicks(-(now.UtcTicks % TimeSpan.TicksPerMinute));
    }

    private bool IsKnown(string id)
    {
        lock (_gate)
            return _sessions?.ContainsKey(id) ?? false;
    }

    /// <summary>
    /// Looks for a session that another gateway began since the sessions were read. Only a cookie encrypted by a gateway names one.
    /// </summary>
    private async Task FindAsync(string id, CancellationToken cancellationToken)
    {
        if (await store.FindAsync(id, cancellationToken) is not { } session)
            return;
        lock (_gate)
            _sessions?.TryAdd(id, session);
    }

    /// <summary>Notices were lost, and sessions may have ended: all are read again.</summary>
    private void OnNoticesLost() => _isStale = true;

    private async ValueTask LoadAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _sessions) is not null && !_isStale)
            return;
        await _loading.WaitAsync(cancellationToken);
        try
        {
            if (_sessions is not null && !_isStale)
                return;
            _isStale = false;
            if (!_follows)
            {
                store.Ended += Forget;
                store.NoticesLost += OnNoticesLost;
                _follows = true;
            }

            var loaded = await ListAsync(cancellationToken);
            lock (_gate)
            {
                _sessions = loaded.ToDictionary(session => session.Id, StringComparer.Ordinal);
                _unwritten.IntersectWith(_sessions.Keys);
            }
        }
        finally
        {
            _loading.Release();
        }
    }

    private async ValueTask<IReadOnlyList<StoredSession>> ListAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await store.ListAsync(cancellationToken);
        }
        catch
        {
            _isStale = true;
            throw;
        }
    }

    private async Task NoteAsync()
    {
        List<StoredSession> seen;
        string[] dead;
        lock (_gate)
        {
            if (_sessions is null)
                return;
            var now = time.GetUtcNow();
            seen = [.. _unwritten.Select(id => _sessions[id])];
            _unwritten.Clear();
            dead = [.. _sessions.Values.Where(session => IsDead(session, now)).Select(session => session.Id)];
        }

        try
        {
            if (seen.Count > 0)
                await store.NoteAsync(seen, CancellationToken.None);
            await EndAsync(dead, CancellationToken.None);
        }
        catch (CatalogException e)
        {
            // Written with the next ones.
            LogNotNoted(logger, e.Message);
            lock (_gate)
                _unwritten.UnionWith(seen.Select(session => session.Id).Where(_sessions.ContainsKey));
        }
    }

    [LoggerMessage(513, LogLevel.Warning, "The times of the latest requests of sessions could not be stored: {Reason}")]
    private static partial void LogNotNoted(ILogger logger, string reason);
}

/// <summary>Derives a short program name for people from a <c>User-Agent</c> header.</summary>
internal static class ProgramName
{
    private const int Longest = 64;

    // Browsers also name their predecessors, so the order matters.
    private static readonly (string Mark, string Name)[] Browsers =
        [("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/",
            "Vivaldi"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")];

    private static readonly (string Mark, string Name)[] Systems =
        [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
            ("CrOS", "ChromeOS"), ("Linux", "Linux")];

    /// <summary><c>Firefox on Linux</c>, or the first product named, <c>curl</c>; null if there is none.</summary>
    public static string? Of(string? userAgent)
    {
        if (string.IsNullOrWhiteSpace(userAgent))
            return null;
        if (Find(Browsers, userAgent) is { } browser)
            return Find(Systems, userAgent) is { } system ? $"{browser} on {system}" : browser;
        var end = userAgent.AsSpan().IndexOfAny('/', ' ', '(');
        var name = new string([.. (end > 0 ? userAgent[..end] : userAgent).Where(static c => !char.IsControl(c)).Take(Longest)]);
        return name.Length > 0 ? name : null;
    }

    private static string? Find((string Mark, string Name)[] known, string text) =>
        Array.Find(known, one => text.Contains(one.Mark, StringComparison.Ordinal)).Name;
}
