using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <content>Decides when to dial, and runs a connection from its dial to its end.</content>
internal sealed partial class ConnectionPool
{
    /// <summary>Time between an internal error and the next dial of the connection.</summary>
    public static readonly TimeSpan FaultPause = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Least time after which a dial counts as late. A working server accepts, greets and logs in within it, even from another continent:
    /// five round trips of 150 ms.
    /// </summary>
    private static readonly TimeSpan LateDial = TimeSpan.FromSeconds(1);

    private readonly ITimer _breakEnd;

    /// <summary>
    /// The one place that decides to dial: as many connections as are wanted and allowed, each on its own task. Call after each change that
    /// may matter: demand, a connection opened or ended, another cap or lease, the end of a trial or a break. Call under the lock.
    /// </summary>
    /// <param name="hasGreeted">True if the server has just greeted: there is no need to wait for the end of a break.</param>
    private void DialIfWanted(bool hasGreeted = false)
    {
        AssertLocked();
        while (_ticks is not null && !_isRetired && !_isDisposed
            && _active < Math.Min(_target, Math.Min(_cap.Limit, Options.MaxConnections - _health.Inherited)) && _health.MayDial(_active))
        {
            var isEarly = false;
            if (_health.Breaker.Left is { Ticks: > 0 } left)
            {
                isEarly = hasGreeted || _health.IsDemanded;
                if (!isEarly)
                {
                    _breakEnd.Change(TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
                    break;
                }
            }

            if (_lease?.TryAcquire() == false)
                break;
            if (isEarly)
                _breakEnd.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _active++;
            var dial = (Pool: this, isEarly, IsForReaders: _health.IsDemanded);

            // Not under this lock, and without the async-locals of the request that wanted the connection.
            ThreadPool.UnsafeQueueUserWorkItem(
                static dial => _ = dial.Pool.ConnectAsync(dial.isEarly, dial.IsForReaders), dial, preferLocal: false);
        }

        NotePhase();
    }

    private void OnBreakEnded()
    {
        lock (_gate)
            DialIfWanted();
    }

    /// <summary>Dials a connection and runs it to its end. Never throws.</summary>
    /// <param name="isEarly">True during a break.</param>
    /// <param name="isForReaders">True if readers wait for the result.</param>
    private async Task ConnectAsync(bool isEarly, bool isForReaders)
    {
        IPooledConnection? connection = null;
        try
        {
            var began = _time.GetTimestamp();
            if (await DialAsync() is not { } result)
            {
                // The lease expired.
                lock (_gate)
                    _health.DialAbandoned();
            }
            else if (result.Failure != NntpConnectFailure.None)
            {
                OnDialFailed(result, isEarly, isProbed: isEarly && !isForReaders);
            }
            else
            {
                var took = _time.GetElapsedTime(began);
                connection = Open(result, isEarly, out var isFirst);
                await ServeAsync(connection, took, isFirst);
            }
        }
        catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
        {
        }
        catch (Exception e)
        {
            // A bug in this program.
            LogFault(_logger, e, Options.DisplayName);
            lock (_gate)
                _health.DialAbandoned();
            await Task.Delay(FaultPause, _time, _stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        finally
        {
            EndActive(hadOpened: connection is not null);
        }
    }

    /// <summary>Connects and logs in.</summary>
    /// <returns>The result; null if this process may no longer use the account.</returns>
    private async Task<NntpConnectResult?> DialAsync()
    {
        var (isLate, hasEnded) = (false, false);
        var lateAfter = 2 * _account.RoundTrip is var twice && twice > LateDial ? twice : LateDial;

        // After that time, requests go to later tiers while no connection is open. The attempt continues, and its success ends the detour.
        await using var late = _time.CreateTimer(_ => OnLate(), state: null, lateAfter, Timeout.InfiniteTimeSpan);

        // Read the token first: if the lease expires after the next line, the token is cancelled.
        var shareEnd = Volatile.Read(ref _shareEnd).Token;
        if (_lease?.HasExpired == true)
            return null;
        using var both = CancellationTokenSource.CreateLinkedTokenSource(_stopping, shareEnd);
        try
        {
            return await NntpHandshake.OpenAsync(Options, _dialler, OthersOpen, _time, both.Token);
        }
        catch (OperationCanceledException) when (!_stopping.IsCancellationRequested)
        {
            return null;
        }
        finally
        {
            lock (_gate)
            {
                hasEnded = true;
                _health.DialEnded(isLate);
            }
        }

        void OnLate()
        {
            lock (_gate)
            {
                if (hasEnded)
                    return;
                isLate = true;
                _health.DialLate();
            }

            ReportIfWorse();
        }
    }

    private bool OthersOpen()
    {
        lock (_gate)
            return _open.Count > 0;
    }

    private void OnDialFailed(NntpConnectResult result, bool isEarly, bool isProbed)
    {
        bool isNews = false, isBreak = false, isCapped = false, hasGhosts = false;
        int limit, open;
        TimeSpan wait;
        lock (_gate)
        {
            open = _open.Count;
            _probeFailed = isProbed;
            var isFull = result.Failure == NntpConnectFailure.TooManyConnections;

            // Not a failure while connections are open or still counted: the cap has its own retries.
            if (isFull && (open > 0 || _cap.HasGhosts))
            {
                var before = _cap.Known;
                _cap.Refused(open);
                (isCapped, hasGhosts) = (_cap.Known < before, _cap.HasGhosts);
                _health.Capped(isEarly);
            }
            else
            {
                isBreak = _health.DialFailed(isEarly);
            }

            if (open == 0 || !isFull)
                isNews = _health.Failed(result);
            (limit, wait) = (_cap.Known, _health.Breaker.Left);
            NotePhase();
        }

        _timeline?.Failed(_account.Number, result, open, isCapped ? limit : null);
        if (isCapped)
            LogCap(_logger, Options.DisplayName, limit, Options.MaxConnections, result.Reason);
        if (hasGhosts)
            LogGhosts(_logger, Options.DisplayName, open);
        if (isNews)
            LogFailing(_logger, Options.DisplayName, result.Reason);
        if (isBreak)
            LogBackOff(_logger, Options.DisplayName, wait.TotalSeconds);
        ReportIfWorse();
    }

    private IPooledConnection Open(NntpConnectResult opened, bool isEarly, out bool isFirst)
    {
        lock (_gate)
        {
            var connection = _account.Register(new NntpConnection(_account, opened, _buffers, _time) { Trial = _health.Trial });
            isFirst = _health.Opened(isEarly);
            _probeFailed = false;
            _open.Add(connection);
            _cap.Allowed(_open.Count);
            DialIfWanted();
            return connection;
        }
    }

    /// <summary>Puts a connection into service and runs it to its end.</summary>
    /// <param name="connection">An open connection.</param>
    /// <param name="took">How long it took to open.</param>
    /// <param name="isFirst">True if it proves that the provider works.</param>
    private async Task ServeAsync(IPooledConnection connection, TimeSpan took, bool isFirst)
    {
        var wire = connection.Wire;
        var run = wire.RunAsync(connection);
        try
        {
            _timeline?.Opened(_account.Number, wire, took);
            if (isFirst)
                LogConnected(_logger, Options.DisplayName, Options.Host, Options.Port);
            _account.Connected(took);
            connection.Begin();
            if (_stopping.IsCancellationRequested)
                wire.Close(ShutDown);

            // The grant may have shrunk while the connection was being opened.
            EnforceLease();
            await run;
        }
        finally
        {
            wire.Close("an internal error");
            await run;
            try
            {
                connection.End();
            }
            finally
            {
                Close(connection);
            }

            ReportIfWorse();
        }

        if (wire.Fault is { } fault)
            LogFault(_logger, fault, Options.DisplayName);
        LogEnded(_logger, Options.DisplayName, wire.CloseReason);
        if (_health.IsShortLived(connection) && !_stopping.IsCancellationRequested)
            OnServedNothing(wire);

        // Another gateway may open a connection in its place, and the server may not have seen the end of this one.
        if (_lease is not null && !wire.WasEndedByServer)
            await Task.Delay(CountedFor, _time, _stopping);
    }

    private void Close(IPooledConnection connection)
    {
        lock (_gate)
        {
            _open.Remove(connection);
            _lease?.End();
            if (_health.Closed(connection))
                _cap.ConnectionLost();
            if (_isRetired && _open.Count == 0)
                _drained.TrySetResult();
            NotePhase();
            _timeline?.Closed(_account.Number, connection.Wire, connection.IsDraining, _open.Count);
        }
    }

    private void OnServedNothing(NntpConnection wire)
    {
        var server = $"{Options.Host}:{Options.Port}";
        var result = wire.WasRefused
            ? NntpConnectResult.Failed(
                NntpConnectFailure.ServiceRefused,
                $"{server} accepts the login and refuses to serve articles ({wire.CloseReason}): check that the account is " +
                $"paid for and has data left.")
            : NntpConnectResult.Failed(NntpConnectFailure.Refused,
                $"{server} accepts the login and ends the connection before it serves anything ({wire.CloseReason}).");
        bool isBreak, isNews;
        TimeSpan wait;
        lock (_gate)
        {
            (isBreak, isNews) = _health.ServedNothing(wire, result);
            wait = _health.Breaker.Left;
            NotePhase();
        }

        if (isNews)
            LogFailing(_logger, Options.DisplayName, result.Reason);
        if (isBreak)
            LogBackOff(_logger, Options.DisplayName, wait.TotalSeconds);
        ReportIfWorse();
    }

    /// <summary>Called after a dial failed or a connection ended: another may take its place.</summary>
    private void EndActive(bool hadOpened)
    {
        _lease?.Return(hadOpened);
        ConnectionPool? successor;
        long lastGoodAt;
        lock (_gate)
        {
            _active--;
            DialIfWanted();
            if (_isDisposed && _active == 0)
                _ended.TrySetResult();
            (successor, lastGoodAt) = (_successor, _health.LastGoodAt);
        }

        successor?.InheritedEnded(lastGoodAt);
    }
}
