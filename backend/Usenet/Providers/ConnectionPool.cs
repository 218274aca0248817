using System.Diagnostics;
using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;
using NzbDav.Content.Rates;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// A provider's connections. The warm floor is always wanted, and more when requests find no room. Only <see cref="DialIfWanted"/> decides
/// to dial: every change that may matter calls it. A connection has a task from its dial to its end; one that is merely allowed costs
/// nothing. Thread-safe.
/// </summary>
internal sealed partial class ConnectionPool : IAsyncDisposable
{
    private static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Idle time after which a DATE is sent: routers drop idle connections after a few minutes, many servers after three.
    /// </summary>
    private static readonly TimeSpan KeepAliveAfter = TimeSpan.FromSeconds(60);

    /// <summary>
    /// A connection with a request on the wire and no byte for this long is dead; its urgent requests were hedged long before.
    /// </summary>
    private static readonly TimeSpan StallLimit = TimeSpan.FromSeconds(10);

    /// <summary>Connections above the warm floor are closed after this long without work.</summary>
    private static readonly TimeSpan SpareLimit = TimeSpan.FromMinutes(2);

    private const string ShutDown = "the provider is being shut down";

    private readonly Provider _account;
    private readonly ReceiveBuffers _buffers;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ProviderTimeline? _timeline;
    private readonly Dialler _dialler;
    private readonly RecentRate _rate = new();

    private readonly CancellationTokenSource _stop = new();

    /// <summary>Cancelled when the pool is disposed.</summary>
    private readonly CancellationToken _stopping;

    /// <summary>Completes when a retired pool has no open connection.</summary>
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when a disposed pool has no connection left, not even one being dialled.</summary>
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Guards the fields below. Never held across a wait or a write to a socket.</summary>
    private readonly Lock _gate = new();

    /// <summary>Connections that are open and logged in.</summary>
    private readonly List<IPooledConnection> _open = [];
    private readonly ConnectionCap _cap;
    private readonly ProviderHealth _health;

    /// <summary>Connections being dialled, open, or just ended.</summary>
    private int _active;

    /// <summary>Number of connections wanted.</summary>
    private int _target;

    /// <summary>The pool that replaces this one; null: none.</summary>
    private ConnectionPool? _successor;

    /// <summary>Calls <see cref="Tick"/>; null until <see cref="Start"/>.</summary>
    private ITimer? _ticks;
    private bool _isRetired;
    private bool _isDisposed;

    public ConnectionPool(
        Provider account, ReceiveBuffers buffers, TimeProvider time, ILogger logger, ProviderTimeline? timeline,
        ConnectionLease? lease = null, Dialler? dialler = null)
    {
        (_account, _buffers, _time, _logger, _timeline, _lease) = (account, buffers, time, logger, timeline, lease);
        _dialler = dialler ?? Dialler.Shared;
        _stopping = _stop.Token;
        _cap = new ConnectionCap(Options.MaxConnections, time);
        _health = new ProviderHealth(_open, time);
        _target = Options.WarmFloor;
        _breakEnd = time.CreateTimer(
            static pool => ((ConnectionPool)pool!).OnBreakEnded(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _silence = time.CreateTimer(
            static pool => ((ConnectionPool)pool!).EnforceLease(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>See <see cref="Provider.Availability"/>.</summary>
    public ProviderAvailability Availability
    {
        get
        {
            lock (_gate)
                return _health.Availability;
        }
    }

    /// <summary>See <see cref="Provider.AllowedConnections"/>.</summary>
    public int AllowedConnections => _cap.ObservedLimit ?? Options.MaxConnections;

    /// <summary>See <see cref="Provider.HeldByGhosts"/>.</summary>
    public int HeldByGhosts
    {
        get
        {
            lock (_gate)
                return _cap.HeldByGhosts(_open.Count);
        }
    }

    /// <inheritdoc cref="Provider.Unopened"/>
    public int Unopened
    {
        get
        {
            lock (_gate)
                return _active - _open.Count;
        }
    }

    /// <inheritdoc cref="Provider.RefusedFor"/>
    public TimeSpan? RefusedFor
    {
        get
        {
            lock (_gate)
                return _health.RefusedFor;
        }
    }

    /// <inheritdoc cref="Provider.Inherited"/>
    public int Inherited
    {
        get
        {
            lock (_gate)
                return _health.Inherited;
        }
    }

    private ProviderOptions Options => _account.Options;

    /// <summary>Starts to dial. Called once.</summary>
    public void Start()
    {
        _lease?.Join(this);
        lock (_gate)
        {
            _ticks = _time.CreateTimer(static pool => ((ConnectionPool)pool!).Tick(), this, TickInterval, TickInterval);
            DialIfWanted();
        }
    }

    /// <summary>Reports that this many requests found no connection with room.</summary>
    public void Demand(int requests)
    {
        _lease?.RequestMore();
        lock (_gate)
        {
            var most = Options.MaxConnections;
            if (_isRetired || _target >= most || _target > _open.Count)
                return;
            _target = Math.Min(most, _target + Math.Max(1, requests));
            DialIfWanted();
        }
    }

    /// <summary>
    /// Records that a connection has served something, or is old enough to be trusted. Called for every article: takes the lock only during
    /// a trial.
    /// </summary>
    public void Served(NntpConnection connection)
    {
        if (!_health.IsOnTrial)
            return;
        lock (_gate)
        {
            _health.Served(connection);
            DialIfWanted();
        }
    }

    /// <summary>See <see cref="Provider.DialNow"/>.</summary>
    public bool DialNow()
    {
        lock (_gate)
        {
            if (_isRetired || _isDisposed || !_health.TryDemand())
                return false;
            _target = Math.Max(1, _target);
            DialIfWanted();
            return true;
        }
    }

    /// <summary>The current state, for display.</summary>
    /// <param name="roundTrip">Round trip in milliseconds.</param>
    /// <param name="articles">Articles that the provider delivered.</param>
    /// <param name="bytes">Their decoded bytes.</param>
    public ProviderStatus Snapshot(double roundTrip, long articles, long bytes)
    {
        IPooledConnection[] open;
        ProviderStatus status;
        var share = _lease?.Granted;
        lock (_gate)
        {
            open = [.. _open];
            var failure = _health.Failure;
            var state = open.Length > 0 || (_health.IsProven && failure is null)
                ? ProviderState.Ready : failure is null ? ProviderState.Connecting : ProviderState.Failing;
            var failing = state == ProviderState.Failing;
            status = new ProviderStatus(
                Options.DisplayName,
                $"{Options.Host}:{Options.Port}",
                state,
                failing ? failure!.Failure : NntpConnectFailure.None,
                failing ? failure!.Reason : null,
                open.Length,
                Math.Min(_cap.Known, share ?? int.MaxValue),
                failing ? _health.Breaker.NextAttempt : null,
                roundTrip,
                articles,
                bytes)
            {
                Phase = _health.Phase,
                Since = _health.Since,
                Trouble = failure?.Reason ?? (_health.Phase == ProviderPhase.Connecting ? _health.Loss : null),
                GrantedConnections = _cap.ObservedLimit,
                Share = share,
                Rate = _rate.Value,
            };
        }

        // Outside the lock: each has its own.
        return status with { BusyConnections = open.Count(static connection => connection.Wire.IsBusy) };
    }

    /// <inheritdoc cref="Provider.Retire"/>
    public void Retire()
    {
        lock (_gate)
        {
            _isRetired = true;
            if (_open.Count == 0)
                _drained.TrySetResult();
        }
    }

    /// <inheritdoc cref="Provider.EndAsync"/>
    public async Task EndAsync()
    {
        // The tick closes a connection that falls silent; disposing the client also ends this wait.
        await _drained.Task;
        await DisposeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
            if (_active == 0)
                _ended.TrySetResult();
        }

        await _stop.CancelAsync();
        foreach (var timer in (ITimer?[])[_ticks, _breakEnd, _silence])
        {
            if (timer is not null)
                await timer.DisposeAsync();
        }

        foreach (var connection in OpenNow())
            connection.Wire.Close(ShutDown);
        await _ended.Task;
        _lease?.Leave(this);
        _shareEnd.Dispose();
        _stop.Dispose();
    }

    // Handover: a retired pool finishes its requests, and the server counts its connections until then. The successor opens one for each
    // that ended, and a refusal meanwhile does not mean that the account fails.

    /// <summary>Hands the connections of a retired pool over to its successor, unless it has one. Never holds two locks at once.</summary>
    public void HandOverTo(ConnectionPool successor)
    {
        int connections;
        long lastGoodAt;
        lock (_gate)
        {
            if (_successor is not null)
                return;
            _successor = successor;
            connections = _active + _health.Inherited;
            lastGoodAt = _open.Count > 0 ? _time.GetTimestamp() : _health.LastGoodAt;
        }

        successor.Inherit(connections, lastGoodAt);
    }

    private void Inherit(int connections, long lastGoodAt)
    {
        lock (_gate)
        {
            _health.Inherited += connections;
            _health.LastGoodAt = Math.Max(_health.LastGoodAt, lastGoodAt);

            // The account may allow fewer than configured.
            for (var i = 0; i < Math.Min(connections, Options.MaxConnections); i++)
                _cap.ConnectionLost();
        }
    }

    /// <summary>Called when one of the inherited connections has ended. The server may count it a moment longer.</summary>
    private void InheritedEnded(long lastGoodAt)
    {
        ConnectionPool? successor;
        lock (_gate)
        {
            _health.Inherited--;
            _health.LastGoodAt = Math.Max(_health.LastGoodAt, lastGoodAt);
            _cap.ConnectionLost();
            DialIfWanted();
            successor = _successor;
        }

        // This pool was replaced too, and handed over what it had inherited.
        successor?.InheritedEnded(lastGoodAt);
    }

    // Once a second.

    /// <summary>
    /// Closes dead connections, keeps idle ones alive, closes spare ones, reports a lost provider, and probes an unreachable one.
    /// </summary>
    private void Tick()
    {
        _rate.Look(_time.GetElapsedTime(0), _account.Bytes);
        IPooledConnection[] open;
        int spare;
        lock (_gate)
        {
            open = [.. _open];
            spare = open.Length - Math.Min(Options.WarmFloor, _cap.Limit);
        }

        foreach (var connection in open)
            Check(connection, open.Length, ref spare);

        // A retry of the cap may be due. After the spare ones closed, so that none is dialled in their place.
        lock (_gate)
            DialIfWanted();
        EnforceLease();
        _account.Tick();
        ReportIfWorse();
        ProbeIfDue();
    }

    private void Check(IPooledConnection connection, int open, ref int spare)
    {
        var wire = connection.Wire;
        if (_time.GetElapsedTime(wire.OpenedAt) >= ProviderHealth.ShortLife)
            Served(wire);
        var silent = _time.GetElapsedTime(wire.LastActivity);
        if (wire.IsBusy)
        {
            if (silent > StallLimit && _time.GetElapsedTime(wire.LastSent) > StallLimit)
                wire.Close($"nothing came for {StallLimit.TotalSeconds:0} s", timedOut: true);
        }
        else if (spare > 0 && _time.GetElapsedTime(wire.LastWork) > SpareLimit)
        {
            // The target may exceed the open connections if the account allows no more: closing one then would only reopen it.
            spare--;
            lock (_gate)
                _target = Math.Max(Options.WarmFloor, Math.Min(_target, open) - 1);
            connection.Ping(NntpCommand.Quit);
        }
        else if (silent > KeepAliveAfter)
        {
            connection.Ping(NntpCommand.Date);
        }
    }

    /// <summary>Notifies the dispatcher if the provider's availability became worse. Call outside the lock.</summary>
    private void ReportIfWorse()
    {
        bool isWorse;
        lock (_gate)
            isWorse = _health.HasWorsened();
        if (isWorse)
            _account.StandingWorsened();
    }

    private void NotePhase()
    {
        AssertLocked();
        if (_health.HasChangedPhase(_active))
            _account.NotifyPhaseChanged();
    }

    /// <summary>In Debug builds, fails unless the caller holds <see cref="_gate"/>.</summary>
    [Conditional("DEBUG")]
    private void AssertLocked() => Debug.Assert(_gate.IsHeldByCurrentThread, "under the pool's lock only");
}
