using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Leases;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// A provider's connections. One lane per connection that the account allows: a lane waits until it is wanted, connects, runs the
/// connection to its end, and begins again. The warm floor is always wanted; more are wanted when requests find no room. While the provider
/// has not proven that it works, or after a connection was lost or refused, only one lane connects. <see cref="PoolState"/> draws the
/// provider's phases. Thread-safe.
/// </summary>
internal sealed class ConnectionPool : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PoolState _state;
    private readonly DemandedDial _demandedDial;
    private readonly PoolAvailability _availability;
    private readonly BackOff _backOff;
    private readonly ConnectionTrial _trial;
    private readonly GreetingProbe _probe;
    private readonly ConnectionWatch _watch;
    private readonly ConnectionWorker _worker;
    private readonly PoolLease _lease;
    private readonly PoolHandover _handover;
    private Task[] _workers = [];
    private ITimer? _timer;

    public ConnectionPool(
        Provider account, ReceiveBuffers buffers, TimeProvider time, ILogger logger, ProviderTimeline? timeline,
        ConnectionLease? lease = null, Dialler? dialler = null)
    {
        var log = new PoolLog(logger, account.Options);
        _state = new PoolState(account, time, dialler ?? Dialler.Shared, _stop.Token);
        var breaker = new ProviderBreaker(time, IsFault);
        _demandedDial = new DemandedDial(_state);
        _availability = new PoolAvailability(_state, _demandedDial);
        _backOff = new BackOff(_state, _demandedDial, log);
        _trial = new ConnectionTrial(_state, _availability, breaker, log);
        _probe = new GreetingProbe(_state, _backOff, log);
        _lease = new PoolLease(_state, lease);
        _watch = new ConnectionWatch(_state, _availability, _trial, _probe, _lease);
        var attempt = new ConnectionAttempt(_state, _availability, _demandedDial, breaker, _backOff, _probe, _lease, timeline, log);
        var run = new ConnectionRun(_state, _availability, _trial, _lease, buffers, timeline, log);
        _handover = new PoolHandover(_state);
        _worker = new ConnectionWorker(_state, _demandedDial, _trial, attempt, run, _lease, _handover, log);
    }

    /// <summary>See <see cref="Provider.Availability"/>.</summary>
    public ProviderAvailability Availability
    {
        get
        {
            lock (_state.Gate)
                return _availability.Now;
        }
    }

    /// <summary>See <see cref="Provider.AllowedConnections"/>.</summary>
    public int AllowedConnections => _state.Cap.ObservedLimit ?? _state.Options.MaxConnections;

    /// <summary>See <see cref="Provider.HeldByGhosts"/>.</summary>
    public int HeldByGhosts
    {
        get
        {
            lock (_state.Gate)
                return _state.Cap.HeldByGhosts(_state.Open.Count);
        }
    }

    /// <inheritdoc cref="Provider.RefusedFor"/>
    public TimeSpan? RefusedFor
    {
        get
        {
            lock (_state.Gate)
                return _state.RefusedSince is { } since ? _state.Time.GetElapsedTime(since) : null;
        }
    }

    /// <inheritdoc cref="Provider.Inherited"/>
    public int Inherited
    {
        get
        {
            lock (_state.Gate)
                return _state.Inherited;
        }
    }

    public void Start()
    {
        _lease.Join();
        _workers = [.. Enumerable.Range(0, _state.Options.MaxConnections).Select(_ => _worker.RunAsync())];
        _timer = _state.Time.CreateTimer(
            static watch => ((ConnectionWatch)watch!).Tick(), _watch, ConnectionWatch.Every, ConnectionWatch.Every);
    }

    /// <summary>Reports that this many requests found no connection with room.</summary>
    public void Demand(int requests)
    {
        _lease.RequestMore();
        lock (_state.Gate)
        {
            var most = _state.Options.MaxConnections;
            if (_state.IsRetired || _state.Target >= most || _state.Target > _state.Open.Count)
                return;
            _state.Target = Math.Min(most, _state.Target + Math.Max(1, requests));
            _state.Signal();
        }
    }

    /// <inheritdoc cref="ConnectionTrial.Served"/>
    public void Served(NntpConnection connection) => _trial.Served(connection);

    /// <summary>See <see cref="Provider.OnStatusViewed"/>.</summary>
    public void OnStatusViewed() => _probe.OnStatusViewed();

    /// <summary>See <see cref="Provider.DialNow"/>.</summary>
    public bool DialNow()
    {
        lock (_state.Gate)
        {
            if (!_demandedDial.TryBegin())
                return false;
            _availability.OnAwaited();
            _backOff.End();
            _state.Signal();
            return true;
        }
    }

    /// <summary>The current state, for display.</summary>
    /// <param name="roundTrip">In milliseconds.</param>
    /// <param name="articles">Articles that the provider delivered.</param>
    /// <param name="bytes">Their decoded bytes.</param>
    public ProviderStatus Snapshot(double roundTrip, long articles, long bytes)
    {
        IPooledConnection[] open;
        ProviderStatus status;
        var share = _lease.Granted;
        lock (_state.Gate)
        {
            open = [.. _state.Open];
            var failure = _state.Failure;
            var state = open.Length > 0 || (_state.IsProven && failure is null)
                ? ProviderState.Ready : failure is null ? ProviderState.Connecting : ProviderState.Failing;
            var failing = state == ProviderState.Failing;
            status = new ProviderStatus(
                _state.Options.DisplayName,
                $"{_state.Options.Host}:{_state.Options.Port}",
                state,
                failing ? failure!.Failure : NntpConnectFailure.None,
                failing ? failure!.Reason : null,
                open.Length,
                Math.Min(_state.Cap.Known, share ?? int.MaxValue),
                failing ? _state.NextAttempt : null,
                roundTrip,
                articles,
                bytes)
            {
                Phase = _state.Phase,
                Since = _state.Since,
                Trouble = failure?.Reason ?? (_state.Phase == ProviderPhase.Connecting ? _state.Loss : null),
                GrantedConnections = _state.Cap.ObservedLimit,
                Share = share,
                Rate = _watch.Rate,
            };
        }

        // Outside: each has a lock of its own.
        return status with { BusyConnections = open.Count(static employed => employed.Wire.IsBusy) };
    }

    /// <inheritdoc cref="Provider.Retire"/>
    public void Retire()
    {
        lock (_state.Gate)
        {
            _state.IsRetired = true;
            _state.Signal();
        }
    }

    /// <inheritdoc cref="Provider.HandOverTo"/>
    public void HandOverTo(ConnectionPool successor) => _handover.HandOverTo(successor._handover);

    /// <inheritdoc cref="Provider.EndAsync"/>
    public async Task EndAsync()
    {
        // The watch closes a connection that falls silent; disposing the client also ends this wait.
        while (!_stop.IsCancellationRequested)
        {
            Task changed;
            lock (_state.Gate)
            {
                if (_state.Open.Count == 0)
                    break;
                changed = _state.Changed;
            }

            await changed;
        }

        await DisposeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        lock (_state.Gate)
        {
            if (_state.IsDisposed)
                return;
            _state.IsDisposed = true;
        }

        await _stop.CancelAsync();
        if (_timer is not null)
            await _timer.DisposeAsync();
        IPooledConnection[] open;
        lock (_state.Gate)
        {
            open = [.. _state.Open];
            _state.Signal();
        }

        foreach (var employed in open)
            employed.Wire.Close("the provider is being shut down");
        await Task.WhenAll(_workers);
        _lease.Leave();
        _lease.Dispose();
        _stop.Dispose();
    }

    /// <summary>Distinguishes a failure from a refusal by the cap, for the breaker: the cap has its own retries.</summary>
    private bool IsFault(NntpConnectResult result)
    {
        lock (_state.Gate)
            return result.Failure != NntpConnectFailure.None && !_state.IsCapRefusal(result);
    }
}
