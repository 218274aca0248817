using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Sessions;

/// <summary>Opens each torrent on first use, and closes it when it has been unused for a while. Owns the engine. Thread-safe.</summary>
public sealed class TorrentSessions : IAsyncDisposable
{
    private static readonly TimeSpan TickInterval = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<InfoHash, Session> _sessions = [];
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _unusedLifetime;

    /// <param name="engine">The engine, which this object then owns.</param>
    /// <param name="time">Clock.</param>
    /// <param name="unusedLifetime">See <see cref="UnusedLifetime"/>. Until it has passed, an unused torrent still serves other peers, and
    /// the next reader finds its peers connected.</param>
    public TorrentSessions(TorrentEngine engine, TimeProvider time, TimeSpan unusedLifetime)
    {
        ArgumentNullException.ThrowIfNull(engine);
        ArgumentNullException.ThrowIfNull(time);
        Engine = engine;
        _time = time;
        UnusedLifetime = unusedLifetime;
        _timer = time.CreateTimer(static self => _ = ((TorrentSessions)self!).CloseIdleAsync(), this, TickInterval, TickInterval);
    }

    /// <summary>The engine.</summary>
    public TorrentEngine Engine { get; }

    /// <summary>How long an unused torrent stays open. May be changed at any time.</summary>
    public TimeSpan UnusedLifetime
    {
        get => TimeSpan.FromTicks(Interlocked.Read(ref _unusedLifetime));
        set => Interlocked.Exchange(ref _unusedLifetime, value.Ticks);
    }

    /// <summary>The bytes of a file. Costs nothing until it is read. Each reader keeps the torrent open.</summary>
    public IContent Open(Metainfo metainfo, TorrentFile file)
    {
        ArgumentNullException.ThrowIfNull(metainfo);
        ArgumentNullException.ThrowIfNull(file);
        return new SessionContent(this, metainfo, file);
    }

    /// <summary>
    /// The bytes of all files in order, including padding: for archives whose volumes follow each other. Otherwise like <see cref="Open"/>.
    /// </summary>
    public IContent OpenAll(Metainfo metainfo)
    {
        ArgumentNullException.ThrowIfNull(metainfo);
        return new SessionContent(this, metainfo, new TorrentFile("", 0, metainfo.Info.Length, IsPadding: false));
    }

    /// <summary>
    /// Opens a torrent, or shares one that is open. Null while it is being closed: <see cref="UseAsync(Metainfo, CancellationToken)"/>
    /// waits for that.
    /// </summary>
    public TorrentLease? TryUse(Metainfo metainfo)
    {
        ArgumentNullException.ThrowIfNull(metainfo);
        var lease = TryUse(metainfo.Info.Hash, () => Engine.Join(metainfo), out _);

        // Outside the lock, because it reads a file. Needed even if the torrent is open: a magnet link may have opened it.
        return lease is null ? null : Describe(lease, metainfo);
    }

    /// <summary>Opens a torrent, or shares one that is open. Waits while it is being closed.</summary>
    public async ValueTask<TorrentLease> UseAsync(Metainfo metainfo, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(metainfo);
        var lease = await UseAsync(metainfo.Info.Hash, () => Engine.Join(metainfo), cancellationToken);
        return Describe(lease, metainfo);
    }

    /// <inheritdoc cref="UseAsync(Metainfo, CancellationToken)"/>
    public ValueTask<TorrentLease> UseAsync(MagnetLink link, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(link);
        return UseAsync(link.Hash, () => Engine.Add(link), cancellationToken);
    }

    /// <summary>Closes a torrent now if nobody uses it, without waiting for <see cref="UnusedLifetime"/>.</summary>
    public void CloseUnused(InfoHash hash)
    {
        lock (_gate)
        {
            if (_sessions.TryGetValue(hash, out var session) && session is { Closing: null, Users: 0 })
                session.Closing = CloseAsync(hash, session);
        }
    }

    /// <summary>
    /// Closes a torrent now, even if it is in use: its readers fail. Its data stays on disk, and it can be opened again. Completes at once
    /// if it is not open.
    /// </summary>
    public Task CloseAsync(InfoHash hash)
    {
        lock (_gate)
            return _sessions.TryGetValue(hash, out var session) ? session.Closing ??= CloseAsync(hash, session) : Task.CompletedTask;
    }

    /// <summary>All torrents that are open or have data on disk.</summary>
    public IReadOnlyList<InfoHash> List()
    {
        var kept = Engine.ListKept();
        lock (_gate)
            return [.. _sessions.Keys.Union(kept)];
    }

    /// <summary>Closes a torrent, even if it is in use, and removes its data on disk.</summary>
    public async Task RemoveAsync(InfoHash hash)
    {
        Task closing;
        lock (_gate)
        {
            if (!_sessions.TryGetValue(hash, out var session))
                session = _sessions[hash] = new Session(torrent: null);
            closing = session.Closing = RemoveAsync(hash, session);
        }

        await closing;
    }

    /// <summary>
    /// Closes torrents that have been unused for <see cref="UnusedLifetime"/>. Completes when these, and any others already closing, are
    /// closed.
    /// </summary>
    internal Task CloseIdleAsync()
    {
        var closing = new List<Task>();
        lock (_gate)
        {
            foreach (var (hash, session) in _sessions)
            {
                if (session.Closing is null && session.Users == 0 && _time.GetElapsedTime(session.Since) >= UnusedLifetime)
                    session.Closing = CloseAsync(hash, session);
                if (session.Closing is { } task)
                    closing.Add(task);
            }
        }

        return Task.WhenAll(closing);
    }

    /// <summary>Closes everything. Open readers fail.</summary>
    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync();
        await Engine.DisposeAsync();
    }

    private async ValueTask<TorrentLease> UseAsync(InfoHash hash, Func<Torrent> open, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (TryUse(hash, open, out var closing) is { } lease)
                return lease;

            // Whether closing succeeds or not, the torrent is opened again afterwards.
            await closing.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private TorrentLease? TryUse(InfoHash hash, Func<Torrent> open, out Task closing)
    {
        closing = Task.CompletedTask;
        lock (_gate)
        {
            if (!_sessions.TryGetValue(hash, out var session))
                session = _sessions[hash] = new Session(open());
            if (session.Closing is { } already)
            {
                closing = already;
                return null;
            }

            session.Users++;
            return new TorrentLease(session.Torrent!, () => Release(session));
        }
    }

    /// <summary>
    /// Supplies a torrent's info dictionary. If its data cannot be opened, closes the torrent unless others use it, so that the next use
    /// starts again from the beginning.
    /// </summary>
    private TorrentLease Describe(TorrentLease lease, Metainfo metainfo)
    {
        try
        {
            lease.Torrent.Describe(metainfo.Info);
            return lease;
        }
        catch
        {
            lease.Dispose();
            CloseUnused(metainfo.Info.Hash);
            throw;
        }
    }

    private void Release(Session session)
    {
        lock (_gate)
        {
            session.Users--;
            session.Since = _time.GetTimestamp();
        }
    }

    private async Task CloseAsync(InfoHash hash, Session session)
    {
        await Task.Yield();
        try
        {
            await session.Torrent!.DisposeAsync();
        }
        finally
        {
            Forget(hash, session);
        }
    }

    private async Task RemoveAsync(InfoHash hash, Session session)
    {
        await Task.Yield();
        try
        {
            await Engine.RemoveAsync(hash);
        }
        finally
        {
            Forget(hash, session);
        }
    }

    private void Forget(InfoHash hash, Session session)
    {
        lock (_gate)
        {
            if (_sessions.TryGetValue(hash, out var found) && ReferenceEquals(found, session))
                _sessions.Remove(hash);
        }
    }

    private sealed class Session(Torrent? torrent)
    {
        /// <summary>The torrent; null for a session that exists only for a removal.</summary>
        public Torrent? Torrent { get; } = torrent;

        public int Users { get; set; }

        public long Since { get; set; }

        public Task? Closing { get; set; }
    }
}

/// <summary>Keeps a torrent open until disposed.</summary>
public sealed class TorrentLease : IDisposable
{
    private Action? _release;

    internal TorrentLease(Torrent torrent, Action release)
    {
        Torrent = torrent;
        _release = release;
    }

    /// <summary>The open torrent.</summary>
    public Torrent Torrent { get; }

    /// <inheritdoc/>
    public void Dispose() => Interlocked.Exchange(ref _release, value: null)?.Invoke();
}

/// <summary>One file of a torrent, which is opened on the first read. Thread-safe; valid as long as the sessions are.</summary>
internal sealed class SessionContent(TorrentSessions sessions, Metainfo metainfo, TorrentFile file) : IContent
{
    /// <inheritdoc/>
    public long Length => file.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new SessionReader(sessions, metainfo, file, start, end, intent);
    }
}
