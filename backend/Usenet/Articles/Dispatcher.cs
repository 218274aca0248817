using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Schedules all article requests. Each waits here by priority, in one queue per provider tier, and connections pull when they have room.
/// One lock, never held across a wait or a write to a socket; no permits, no nested queues. Thread-safe.
/// </summary>
internal sealed class Dispatcher : ISegmentFetcher, IDispatcher, IDisposable
{
    private readonly DispatchState _state;
    private readonly Assigner _assigner;
    private readonly Router _router;
    private readonly SilentConnections _silent;
    private readonly SlowProviders _slow;
    private readonly LateWatch _late;
    private readonly AttemptRunner _attempts;
    private readonly ITimer _timer;

    /// <param name="time">Clock.</param>
    /// <param name="metrics">Receives measurements of fetching.</param>
    /// <param name="timeline">Receives the results of attempts; may be null.</param>
    /// <param name="logger">Logs internal errors; null: they are not logged.</param>
    public Dispatcher(TimeProvider time, UsenetMetrics metrics, ProviderTimeline? timeline = null, ILogger? logger = null)
    {
        Gone = new GoneArticles(time);
        _state = new DispatchState(time, metrics);
        _timer = time.CreateTimer(static state => ((Dispatcher)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        var lateness = new Lateness(_state);
        _assigner = new Assigner(_state);
        _router = new Router(_state, _assigner);
        _silent = new SilentConnections(_state, lateness);
        _slow = new SlowProviders(_state, lateness, _assigner, _router);
        _late = new LateWatch(_state, lateness, _router, _silent, _timer);
        _attempts = new AttemptRunner(_state, _assigner, _router, _late, _silent, Gone, timeline, logger ?? NullLogger.Instance);
    }

    /// <summary>Articles that readers found missing.</summary>
    public GoneArticles Gone { get; }

    /// <inheritdoc cref="UsenetClient.RefusedLoginTimeout"/>
    public TimeSpan RefusedLoginTimeout
    {
        get
        {
            lock (_state.Gate)
                return _state.RefusedLoginTimeout;
        }

        set
        {
            lock (_state.Gate)
                _state.RefusedLoginTimeout = value;
        }
    }

    /// <summary>Number of requests that wait for a connection.</summary>
    public int Queued
    {
        get
        {
            lock (_state.Gate)
                return _state.Tiers.Sum(tier => tier.Queue.Count);
        }
    }

    /// <summary>Number of requests on connections that have not ended.</summary>
    public int OnWire
    {
        get
        {
            lock (_state.Gate)
                return _state.Tiers.Sum(tier => tier.Connections.Sum(connection => connection.InFlight));
        }
    }

    /// <inheritdoc/>
    public long Burst => _state.Line.Burst;

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        var work = new Work();
        lock (_state.Gate)
        {
            _state.IsDisposed = true;
            foreach (var tier in _state.Tiers)
            {
                while (tier.Queue.Peek() is { } request)
                {
                    _state.End(request.Fetch!);
                    work.Fail(request.Fetch!, Verdicts.ShuttingDown);
                }
            }
        }

        _attempts.Do(work);
    }

    /// <summary>
    /// Replaces the providers in service and reroutes waiting requests. A removed provider finishes its requests on the wire and gets no
    /// new ones; each of its connections gets a QUIT as soon as it is idle.
    /// </summary>
    public void SetProviders(IEnumerable<Provider> providers)
    {
        Tier[] tiers =
        [
            .. providers.GroupBy(static provider => (provider.Options.FallbackRank, provider.Options.Priority))
                .OrderBy(static group => group.Key.FallbackRank).ThenBy(static group => group.Key.Priority)
                    .Select(static group => new Tier([.. group])),
        ];
        var work = new Work();
        lock (_state.Gate)
        {
            var former = _state.Tiers;
            _state.Tiers = tiers;
            _router.Changed();
            foreach (var connection in former.SelectMany(static tier => tier.Connections))
            {
                connection.Requests.ForEach(static request => request.TierIndex = -1);
                if (_state.TierOf(connection.Provider) is { } tier)
                    tier.Connections.Add(connection);
                else
                    _assigner.QuitIfIdle(connection, ref work);
            }

            _router.RouteAll(former, ref work);
        }

        _attempts.Do(work);
    }

    /// <inheritdoc/>
    public void ProviderChanged(Provider provider)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (_state.TierOf(provider) is not { } tier)
                return;
            tier.ComparePaces(_state.Line.ArticleBytes);
            _router.RouteAll([tier], ref work);
        }

        _attempts.Do(work);
    }

    /// <inheritdoc/>
    public void Begin(SegmentFlight flight)
    {
        var fetch = new ArticleFetch(flight);
        if (Verdicts.Unsendable(fetch, flight.Key.Id) is { } reason)
        {
            flight.Fail(ContentFault.Missing, reason);
            return;
        }

        var work = new Work();
        lock (_state.Gate)
        {
            flight.FetcherState = fetch;
            _router.Begin(fetch, ref work);
            _late.Watch(fetch);
        }

        _attempts.Do(work);
    }

    /// <summary>Asks the providers in turn whether they have an article, and ends <paramref name="stat"/> with the answer.</summary>
    public void Begin(ArticleStat stat)
    {
        var fetch = new ArticleFetch(stat);
        if (Verdicts.Unsendable(fetch, stat.Id) is { } reason)
        {
            stat.End(ContentFault.Missing, reason);
            return;
        }

        var work = new Work();
        lock (_state.Gate)
        {
            _router.Begin(fetch, ref work);
            _late.Watch(fetch);
        }

        _attempts.Do(work);
    }

    /// <inheritdoc/>
    public void Raise(SegmentFlight flight)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (flight.FetcherState is not ArticleFetch { Ended: false } fetch)
                return;
            _late.Watch(fetch);
            if (fetch.Queued is { } request && flight.Priority < request.Priority)
            {
                var tier = _state.TierOf(request)!;
                tier.Queue.Raise(request, flight.Priority);
                _assigner.Assign(tier, ref work);
            }
        }

        _attempts.Do(work);
    }

    /// <inheritdoc/>
    public string? SourceOf(SegmentFlight flight)
    {
        lock (_state.Gate)
            return (flight.FetcherState as ArticleFetch)?.OnWire?.Connection?.Provider.Options.DisplayName;
    }

    /// <inheritdoc/>
    public string? TraceOf(SegmentFlight flight)
    {
        lock (_state.Gate)
            return flight.FetcherState is ArticleFetch fetch ? FetchTrace.Of(
                fetch, hasCome: flight.IsFound || (!flight.IsEnded && flight.Held > 0), _state.Time) : null;
    }

    /// <inheritdoc/>
    public bool TryDrop(SegmentFlight flight)
    {
        lock (_state.Gate)
        {
            if (flight.FetcherState is not ArticleFetch { Ended: false, OnWire: null, Queued: { } request } fetch)
                return false;
            _state.TierOf(request)!.Queue.Remove(request);
            _state.End(fetch);
            return true;
        }
    }

    /// <summary>Does nothing: a fetch ends with the attempt that delivered its bytes.</summary>
    public void Completed(SegmentFlight flight)
    {
    }

    /// <summary>Called by the timer while somebody waits, or a tier lacks connections.</summary>
    private void Tick()
    {
        var work = new Work();
        lock (_state.Gate)
        {
            _silent.Evaluate();
            _slow.Evaluate();
            _late.HedgeLate(ref work);

            // After the articles that somebody waits for.
            foreach (var tier in _state.Tiers)
            {
                _slow.Help(tier, ref work);
                if (tier.MissingConnections > 0)
                    _assigner.Assign(tier, ref work);
            }

            _late.StopIfIdle();
        }

        _attempts.Do(work);
    }

    // Connections, as registered by the pools.

    /// <inheritdoc/>
    public IPooledConnection Register(Provider provider, NntpConnection connection) =>
        new PooledConnection(this, _attempts, new DispatchConnection(provider, connection));

    /// <summary>Adds an open, logged-in connection.</summary>
    public void Add(DispatchConnection connection)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (_state.TierOf(connection.Provider) is { } tier)
            {
                tier.Connections.Add(connection);
                _assigner.Assign(tier, ref work);
            }
            else
            {
                _assigner.QuitIfIdle(connection, ref work);
            }
        }

        _attempts.Do(work);
    }

    /// <summary>Removes a closed connection; its requests have already ended.</summary>
    public void Remove(DispatchConnection connection)
    {
        lock (_state.Gate)
            _state.TierOf(connection.Provider)?.Connections.Remove(connection);
    }

    /// <summary>Sends a keep-alive or a QUIT over a connection if it is idle.</summary>
    public void Ping(DispatchConnection connection, NntpCommand command)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (command == NntpCommand.Quit)
                _assigner.QuitIfIdle(connection, ref work);
            else if (connection.InFlight == 0 && !connection.IsDraining)
                _assigner.Assign(connection, new ArticleRequest(command, fetch: null), ref work);
        }

        _attempts.Do(work);
    }

    /// <summary>Gives a connection no more requests; QUIT follows those it carries.</summary>
    public void Drain(DispatchConnection connection)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            connection.IsDraining = true;
            connection.DrainingSince = _state.Time.GetTimestamp();
            _assigner.QuitIfIdle(connection, ref work);
        }

        _attempts.Do(work);
    }

    /// <summary>Closes a connection at once and reroutes its requests.</summary>
    public void Cut(DispatchConnection connection, string reason)
    {
        lock (_state.Gate)
            connection.IsDraining = true;
        connection.Wire.GiveUp(reason);
    }

    /// <inheritdoc/>
    public int WaitingFor(Provider provider)
    {
        lock (_state.Gate)
            return _state.TierOf(provider)?.Queue.Count ?? 0;
    }
}

/// <summary>Connects a connection and its pool with the dispatcher. Thread-safe.</summary>
/// <param name="dispatcher">Gives the connection work.</param>
/// <param name="attempts">Receives the outcome of its requests.</param>
/// <param name="dispatchConnection">The dispatcher's state of the connection.</param>
internal sealed class PooledConnection(Dispatcher dispatcher, AttemptRunner attempts, DispatchConnection dispatchConnection)
    : IPooledConnection
{
    public DispatchConnection Connection => dispatchConnection;

    /// <inheritdoc/>
    public NntpConnection Wire => dispatchConnection.Wire;

    /// <inheritdoc/>
    public bool IsDraining => dispatchConnection.IsDraining;

    /// <inheritdoc/>
    public long? DrainingSince => dispatchConnection.DrainingSince is var at && at != 0 ? at : null;

    /// <inheritdoc/>
    public void Begin() => dispatcher.Add(dispatchConnection);

    /// <inheritdoc/>
    public void End() => dispatcher.Remove(dispatchConnection);

    /// <inheritdoc/>
    public void Ping(NntpCommand command) => dispatcher.Ping(dispatchConnection, command);

    /// <inheritdoc/>
    public void Drain() => dispatcher.Drain(dispatchConnection);

    /// <inheritdoc/>
    public void Cut(string reason) => dispatcher.Cut(dispatchConnection, reason);

    /// <inheritdoc/>
    public void Ended(NntpConnection connection, NntpRequest request, AttemptEnd end) =>
        attempts.Ended(dispatchConnection, (ArticleRequest)request, end);
}
