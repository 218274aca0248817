using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Once a second: what is dead, idle or spare, and whether the provider can still be used.</summary>
internal sealed partial class ConnectionPool
{
    /// <summary>Idle that long, a DATE is sent: routers forget connections after a few minutes, many servers after three.</summary>
    private static readonly TimeSpan KeepAliveAfter = TimeSpan.FromSeconds(60);

    /// <summary>A connection with something on the wire and no byte for so long is dead; what waits for it was hedged long before.</summary>
    private static readonly TimeSpan StallLimit = TimeSpan.FromSeconds(10);

    /// <summary>Connections above the warm floor go after so long without work.</summary>
    private static readonly TimeSpan SpareLimit = TimeSpan.FromMinutes(2);

    /// <summary>
    /// A provider that worked a moment ago is waited for so long if no other works: a restart or a lost route need not end a stream. Nor need a refused login, which may come from a server that cannot ask
    /// its list of accounts, or still counts the connections that were lost.
    /// </summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(8);

    private static readonly TimeSpan WatchEvery = TimeSpan.FromSeconds(1);

    private readonly RecentRate _rate = new();
    private ProviderPhase _phase = ProviderPhase.Idle;
    private DateTimeOffset _since;

    /// <summary>Why a connection was lost last; null while none was.</summary>
    private string? _lost;

    /// <summary>Once a second: dead connections are closed, idle ones kept alive, spare ones let go, a lost provider is reported.</summary>
    private void Watch()
    {
        _rate.Look(_time.GetElapsedTime(0), _provider.Bytes);
        NntpConnection[] open;
        int spare;
        lock (_gate)
        {
            open = [.. _open];
            spare = _open.Count - Math.Min(Options.WarmFloor, _cap.Limit);
            if (_cap.Limit > _active && _target > _active)
                SignalLocked();
        }

        foreach (var connection in open)
        {
            if (_time.GetElapsedTime(connection.OpenedAt) >= ShortLife)
                Served(connection);
            var silent = _time.GetElapsedTime(connection.LastActivity);
            if (connection.IsBusy)
            {
                if (silent > StallLimit && _time.GetElapsedTime(connection.LastSent) > StallLimit)
                    connection.Close($"nothing came for {StallLimit.TotalSeconds:0} s", timedOut: true);
            }
            else if (spare > 0 && _time.GetElapsedTime(connection.LastWork) > SpareLimit)
            {
                // The target may lie above what is open, where the account allows no more: from there one less would only be opened again.
                spare--;
                lock (_gate)
                    _target = Math.Max(Options.WarmFloor, Math.Min(_target, open.Length) - 1);
                _dispatcher.Ping(connection, NntpCommand.Quit);
            }
            else if (silent > KeepAliveAfter)
            {
                _dispatcher.Ping(connection, NntpCommand.Date);
            }
        }

        _provider.Look();
        ReportIfWorse();
        ProbeIfDue();
    }

    /// <summary>Tells the dispatcher each time that the provider's standing became worse: what was queued before that would wait for nothing.</summary>
    private void ReportIfWorse()
    {
        lock (_gate)
        {
            var before = _reported;
            _reported = StandingLocked();
            if (_reported <= before)
                return;
        }

        _dispatcher.ProviderChanged(_provider);
    }

    /// <summary>Something changed: what people see of it, and since when.</summary>
    private void NotePhaseLocked()
    {
        var phase = _open.Count > 0 ? ProviderPhase.Connected
            : _failure is not null ? ProviderPhase.Down
            : _active > 0 ? ProviderPhase.Connecting
            : ProviderPhase.Idle;
        if (phase == _phase)
            return;
        _phase = phase;
        _since = _time.GetUtcNow();
        _provider.PhaseChanged?.Invoke();
    }

    private ProviderStanding StandingLocked()
    {
        if (_open.Count > 0 || _failure is null)
            return ProviderStanding.Working;
        if (IsWaitedForLocked())
            return ProviderStanding.Lost;
        var passing = _failure.Failure is NntpConnectFailure.Refused or NntpConnectFailure.TimedOut or NntpConnectFailure.BadGreeting or NntpConnectFailure.TooManyConnections or NntpConnectFailure.Proxy
            or NntpConnectFailure.LoginRefused;
        return passing && _lastGoodAt != 0 && _time.GetElapsedTime(_lastGoodAt) < Grace ? ProviderStanding.Lost : ProviderStanding.Down;
    }
}
