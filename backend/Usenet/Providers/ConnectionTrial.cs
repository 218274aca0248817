using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Handles connections that log in but serve nothing: opening another at once would not help, and every article given to it would be late.
/// Thread-safe.
/// </summary>
internal sealed class ConnectionTrial(PoolState state, PoolAvailability standing, ProviderBreaker breaker, PoolLog log)
{
    /// <summary>
    /// A connection that lived this long without serving anything was merely unused: servers close idle ones after minutes.
    /// </summary>
    public static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    /// <summary>Guarded by the pool's lock.</summary>
    private int _number;

    /// <summary>
    /// True when a connection served nothing, and none opened since has served or lived for <see cref="ShortLife"/>. Written under the
    /// pool's lock, read without it: <see cref="Served"/> is called for every article.
    /// </summary>
    private volatile bool _isOn;

    /// <summary>
    /// True when it is certain that the provider serves nothing. Connections that were open together with the one that showed it do not
    /// count again when they end, but the last of them still reports the failure. Guarded by the pool's lock.
    /// </summary>
    private bool _isCertain;

    /// <summary>
    /// Counts the times that a connection served nothing; those that were open together count once. Under the pool's lock.
    /// </summary>
    public int Number
    {
        get
        {
            state.AssertLocked();
            return _number;
        }
    }

    /// <summary>
    /// Notes that a connection has served something, or is old enough to be trusted. Takes the pool's lock only during a trial.
    /// </summary>
    public void Served(NntpConnection connection)
    {
        if (!_isOn)
            return;
        lock (state.Gate)
        {
            if (!_isOn || connection.Trial != _number)
                return;
            _isOn = false;
            state.Signal();
        }

        breaker.Served();
    }

    /// <summary>
    /// True when one more lane may connect. One lane at a time connects while the provider is in doubt; where connections serve nothing,
    /// the next one waits until the last has served. Under the pool's lock.
    /// </summary>
    public bool MayConnect()
    {
        state.AssertLocked();
        if (_isOn)
            return state.Active == state.Open.Count && !state.Open.Exists(employed => employed.Wire.Trial == _number);
        return (state.IsProven && !state.IsDoubted) || state.Active == state.Open.Count;
    }

    /// <summary>True when a connection was ended by the server soon after its login and served nothing. Needs no lock.</summary>
    public bool IsShortLived(IPooledConnection employed) =>
        employed is { IsDraining: false, Wire: { HasServed: false, Fault: null } connection } && !state.Stopping.IsCancellationRequested
            && state.Time.GetElapsedTime(connection.OpenedAt) < ShortLife;

    /// <summary>Notes that a connection ended for which <see cref="IsShortLived"/> holds. Called outside the pool's lock.</summary>
    public async Task ServedNothingAsync(NntpConnection connection)
    {
        var result = ResultOf(connection);
        bool news = false, counts;
        lock (state.Gate)
        {
            state.IsUnreached = false;
            counts = connection.Trial == _number;

            // A single loss may be chance: requests wait for the next connection. A refusal is not, nor is a second loss in a row.
            if (counts)
                _isCertain = connection.WasRefused || _isOn;
            var certain = connection.WasRefused || (_isCertain && (counts || _isOn));
            if (counts)
            {
                _number++;
                _isOn = true;
                state.IsDoubted = true;
            }

            if (certain && state.Open.Count == 0)
            {
                news = state.Failure?.Reason != result.Reason;
                standing.Failed(result);
            }
        }

        if (news)
            log.Failing(result);
        if (counts)
            await breaker.ServedNothingAsync(state.Stopping);
        standing.ReportIfWorse();
    }

    private NntpConnectResult ResultOf(NntpConnection connection)
    {
        var server = $"{state.Options.Host}:{state.Options.Port}";
        return connection.WasRefused
            ? NntpConnectResult.Failed(
                NntpConnectFailure.ServiceRefused,
                $"{server} accepts the login and refuses to serve articles ({connection.CloseReason}): check that the account is " +
                $"paid for and has data left.")
            : NntpConnectResult.Failed(NntpConnectFailure.Refused,
                $"{server} accepts the login and ends the connection before it serves anything ({connection.CloseReason}).");
    }
}
