using Microsoft.Extensions.Logging;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// A provider's connections. One lane per connection that the account allows: a lane waits until it is wanted, connects, runs the
/// connection to its end, and begins again. The warm floor is always wanted; more when requests find no room. While the provider
/// has not proven that it works, or after a connection was lost or refused, one lane tries for all. Thread-safe.
/// </summary>
internal sealed partial class ConnectionPool : IAsyncDisposable
{
    /// <summary>Between a fault of this program and the lane's next attempt.</summary>
    public static readonly TimeSpan FaultPause = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private readonly List<NntpConnection> _open = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Provider _provider;
    private readonly Dispatcher _dispatcher;
    private readonly ReceiveBuffers _buffers;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ConnectionCap _cap;
    private readonly ProviderBreaker _breaker;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task[] _lanes = [];
    private ITimer? _watch;
    private int _active;
    private int _target;
    private bool _proven;

    /// <summary>A connection was lost or refused, and none has been opened or answered since.</summary>
    private bool _doubted;
    private NntpConnectResult? _failure;
    private long _lastGoodAt;
    private DateTimeOffset? _nextAttempt;
    private ProviderStanding _reported;
    private bool _retired;
    private bool _disposed;

    public ConnectionPool(Provider provider, Dispatcher dispatcher, ReceiveBuffers buffers, TimeProvider time, ILogger logger)
    {
        _provider = provider;
        _dispatcher = dispatcher;
        _buffers = buffers;
        _time = time;
        _logger = logger;
        _cap = new ConnectionCap(provider.Options.MaxConnections, time);
        _breaker = new ProviderBreaker(time, IsFault);
        _target = provider.Options.WarmFloor;
        _since = time.GetUtcNow();
    }

    /// <summary>See <see cref="Provider.Standing"/>.</summary>
    public ProviderStanding Standing
    {
        get
        {
            lock (_gate)
                return StandingLocked();
        }
    }

    /// <summary>See <see cref="Provider.HeldByGhosts"/>.</summary>
    public int HeldByGhosts
    {
        get
        {
            lock (_gate)
                return _cap.HeldByGhosts(_open.Count);
        }
    }

    private ProviderOptions Options => _provider.Options;

    public void Start()
    {
        _lanes = [.. Enumerable.Range(0, Options.MaxConnections).Select(_ => RunLaneAsync())];
        _watch = _time.CreateTimer(static state => ((ConnectionPool)state!).Watch(), this, WatchEvery, WatchEvery);
    }

    /// <summary>So many requests found no connection with room.</summary>
    public void Demand(int requests)
    {
        lock (_gate)
        {
            if (_retired || _target >= Options.MaxConnections || _target > _open.Count)
                return;
            _target = Math.Min(Options.MaxConnections, _target + Math.Max(1, requests));
            SignalLocked();
        }
    }

    public ProviderStatus Snapshot(double roundTrip, long articles, long bytes)
    {
        NntpConnection[] open;
        ProviderStatus status;
        lock (_gate)
        {
            open = [.. _open];
            var state = _open.Count > 0 || (_proven && _failure is null) ? ProviderState.Ready : _failure is null ? ProviderState.Connecting : ProviderState.Failing;
            var failing = state == ProviderState.Failing;
            status = new ProviderStatus(
                Options.DisplayName,
                $"{Options.Host}:{Options.Port}",
                state,
                failing ? _failure!.Failure : NntpConnectFailure.None,
                failing ? _failure!.Reason : null,
                _open.Count,
                _cap.Known,
                failing ? _nextAttempt : null,
                roundTrip,
                articles,
                bytes)
            {
                Phase = _phase,
                Since = _since,
                Trouble = _failure?.Reason ?? (_phase == ProviderPhase.Connecting ? _lost : null),
                GrantedConnections = _cap.Learned,
                Rate = _rate.Value,
            };
        }

        // Outside: each has a lock of its own.
        return status with { BusyConnections = open.Count(static connection => connection.IsBusy) };
    }

    /// <inheritdoc cref="Provider.Retire"/>
    public void Retire()
    {
        lock (_gate)
        {
            _retired = true;
            SignalLocked();
        }
    }

    /// <inheritdoc cref="Provider.EndAsync"/>
    public async Task EndAsync()
    {
        // A connection that falls silent is closed by the watch; whoever disposes the client meanwhile ends this wait too.
        while (!_stop.IsCancellationRequested)
        {
            Task changed;
            lock (_gate)
            {
                if (_open.Count == 0)
                    break;
                changed = _changed.Task;
            }

            await changed;
        }

        await DisposeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
        }

        await _stop.CancelAsync();
        if (_watch is not null)
            await _watch.DisposeAsync();
        NntpConnection[] open;
        lock (_gate)
        {
            open = [.. _open];
            SignalLocked();
        }

        foreach (var connection in open)
            connection.Close("the provider is being shut down");
        await Task.WhenAll(_lanes);
        _stop.Dispose();
    }

    private async Task RunLaneAsync()
    {
        await Task.Yield();
        try
        {
            while (!_stop.IsCancellationRequested)
            {
                await WaitForTurnAsync();
                await TakeTurnAsync();
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
        }
    }

    /// <summary>Opens a connection and runs it to its end, or waits as long as the breaker says. The lane is active meanwhile.</summary>
    private async Task TakeTurnAsync()
    {
        try
        {
            var began = _time.GetTimestamp();
            var (result, wait) = await _breaker.TryAsync(OpenAsync, _stop.Token);
            var early = result is null && await BackOffAsync(wait);
            bool isForReaders;
            lock (_gate)
                isForReaders = _wanted;
            if (early)
            {
                began = _time.GetTimestamp();
                result = await _breaker.TryEarlyAsync(OpenAsync, _stop.Token);
            }

            if (result is null)
                return;
            lock (_gate)
                _probedInVain = early && !isForReaders && result.Failure != NntpConnectFailure.None;
            if (result.Failure == NntpConnectFailure.None)
                await RunAsync(result, _time.GetElapsedTime(began));
            else
                Failed(result);
        }
        catch (Exception e) when (e is not OperationCanceledException || !_stop.IsCancellationRequested)
        {
            // A fault of this program ends what it happened to, never the lane, which nobody would begin again.
            LogFault(_logger, e, Options.DisplayName);
            lock (_gate)
                _wanted = false;
            await Task.Delay(FaultPause, _time, _stop.Token);
        }
        finally
        {
            lock (_gate)
            {
                _active--;
                SignalLocked();
            }
        }
    }

    private Task<NntpConnectResult> OpenAsync(CancellationToken cancellationToken) => NntpHandshake.OpenAsync(Options, OthersOpen, _time, cancellationToken);

    /// <summary>Waits until one more connection is wanted and allowed; counts the caller as active.</summary>
    private async Task WaitForTurnAsync()
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                if (!_retired && _active < Math.Min(_target, _cap.Limit) && MayConnectLocked())
                {
                    _active++;
                    NotePhaseLocked();
                    return;
                }

                changed = _changed.Task;
            }

            await changed.WaitAsync(_stop.Token);
        }
    }

    /// <summary>A refusal for the cap is none, as long as there are connections or the server still counts some: the cap has a clock of its own.</summary>
    private bool IsFault(NntpConnectResult result)
    {
        lock (_gate)
            return result.Failure != NntpConnectFailure.None && !IsCapLocked(result);
    }

    private bool IsCapLocked(NntpConnectResult result) => result.Failure == NntpConnectFailure.TooManyConnections && (_open.Count > 0 || _cap.HasGhosts);

    private bool OthersOpen()
    {
        lock (_gate)
            return _open.Count > 0;
    }

    private async Task RunAsync(NntpConnectResult opened, TimeSpan took)
    {
        NntpConnection connection;
        bool first;
        lock (_gate)
        {
            connection = new NntpConnection(_provider, opened, _dispatcher, _buffers, _time) { Trial = _trial };
            first = !_proven;
            _proven = true;
            _doubted = false;
            _failure = null;
            _lost = null;
            _nextAttempt = null;
            _wanted = false;
            _reported = ProviderStanding.Working;
            _open.Add(connection);
            _cap.Allowed(_open.Count);
            SignalLocked();
        }

        _dispatcher.Timeline?.Opened(connection, took);

        if (first)
            LogConnected(_logger, Options.DisplayName, Options.Host, Options.Port);
        var run = connection.RunAsync();
        try
        {
            _provider.Metrics.Connected(_provider, took);
            _dispatcher.Add(connection);
            if (_stop.IsCancellationRequested)
                connection.Close("the provider is being shut down");
            await run;
        }
        finally
        {
            connection.Close("an internal error");
            await run;
            _dispatcher.Remove(connection);
            lock (_gate)
            {
                _open.Remove(connection);
                _dispatcher.Timeline?.Closed(connection, _open.Count);
                if (!IsShortLived(connection))
                    _lastGoodAt = _time.GetTimestamp();

                if (!connection.IsLeaving)
                {
                    _lost = $"The last connection was lost: {connection.CloseReason}.";
                    // Seldom alone: where one is lost, all may be.
                    _doubted = true;
                    _cap.Lost();
                }

                SignalLocked();
            }
        }

        if (connection.Fault is { } fault)
            LogFault(_logger, fault, Options.DisplayName);
        LogEnded(_logger, Options.DisplayName, connection.CloseReason);
        if (IsShortLived(connection))
            await ServedNothingAsync(connection);
    }

    private void Failed(NntpConnectResult result)
    {
        bool news = false, capped = false, ghosts = false;
        int limit, open;
        lock (_gate)
        {
            _unreached = true;
            if (IsCapLocked(result))
            {
                _doubted = false;
                var before = _cap.Known;
                _cap.Refused(_open.Count);
                capped = _cap.Known < before;
                ghosts = _cap.HasGhosts;
            }

            if (_open.Count == 0 || result.Failure != NntpConnectFailure.TooManyConnections)
            {
                news = _failure?.Reason != result.Reason;
                FailedLocked(result);
            }

            limit = _cap.Known;
            open = _open.Count;
            SignalLocked();
        }

        _dispatcher.Timeline?.Failed(_provider, result, open, capped ? limit : null);
        if (capped)
            LogCap(_logger, Options.DisplayName, limit, Options.MaxConnections, result.Reason);
        if (ghosts)
            LogGhosts(_logger, Options.DisplayName, open);
        if (news)
            LogFailing(_logger, Options.DisplayName, result.Reason);
        ReportIfWorse();
    }

    private void FailedLocked(NntpConnectResult result)
    {
        _failure = result;
        _wanted = false;
        _failedAt = _time.GetTimestamp();
        _doubted = true;
        if (_open.Count == 0)
            _proven = false;
        NotePhaseLocked();

        // Requests may come again from here on: the next time that they may not is news.
        if (StandingLocked() is var standing && standing < _reported)
            _reported = standing;
    }

    /// <returns>True when the provider greeted, or was wanted at once, before the time was over.</returns>
    private async Task<bool> BackOffAsync(TimeSpan wait)
    {
        var until = _time.GetUtcNow() + wait;

        // Under way before anybody is told of its end.
        using var end = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        var pause = Task.Delay(wait, _time, end.Token);
        var ends = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool news;
        lock (_gate)
        {
            _pauseEnds = ends;
            if (_wanted)
                ends.SetResult();
            news = _nextAttempt is null || until > _nextAttempt + TimeSpan.FromSeconds(1);
            _nextAttempt = until;
        }

        if (news)
            LogBackOff(_logger, Options.DisplayName, wait.TotalSeconds);
        var first = await Task.WhenAny(pause, ends.Task);
        lock (_gate)
            _pauseEnds = null;
        if (first == pause)
            await pause;
        else
            await end.CancelAsync();
        return first != pause;
    }

    private void SignalLocked()
    {
        NotePhaseLocked();
        var changed = _changed;
        _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        changed.SetResult();
    }
}
