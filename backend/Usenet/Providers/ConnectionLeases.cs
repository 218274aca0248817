using System.Collections.Concurrent;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// The part of each account's connections that this process may have, when several processes share accounts. All leases start at 0
/// connections and expire together if they are not renewed in time: then all connections are closed. The owner renews them, one renewal at
/// a time. Thread-safe.
/// </summary>
public sealed class ConnectionLeases : IDisposable
{
    /// <summary>Longest delay until the expiry of the lease is noticed by the wall clock.</summary>
    private static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(1);

    /// <summary>Interval at which <see cref="EndAsync"/> checks whether all connections have ended.</summary>
    private static readonly TimeSpan CloseCheckInterval = TimeSpan.FromMilliseconds(50);

    private readonly ConcurrentDictionary<string, ConnectionLease> _accounts = new(StringComparer.Ordinal);
    private readonly TimeProvider _time;
    private readonly LeaseTerm _lease;
    private readonly ITimer _timer;
    private (long Monotonic, DateTimeOffset OfDay) _renewalStart;

    /// <param name="time">Clock of the lease.</param>
    public ConnectionLeases(TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _lease = new LeaseTerm(time);
        _timer = time.CreateTimer(
            static book => ((ConnectionLeases)book!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// Raised when a renewal is needed now: requests wait for connections, or there are connections to give back. Handlers must only
    /// schedule work.
    /// </summary>
    public event Action? RenewalWanted;

    /// <summary>Number of connections that are open or being opened.</summary>
    public int Held => _accounts.Values.Sum(static share => share.Held);

    /// <summary>True once the lease has expired, and before the first renewal.</summary>
    public bool HasExpired => _lease.HasExpired;

    /// <summary>Starts a renewal. Until it ends, this process has no more connections than the result says.</summary>
    /// <returns>What it needs from each account in use.</returns>
    public IReadOnlyList<LeaseDemand> Begin()
    {
        _renewalStart = _lease.Now;
        return [.. _accounts.Values.Where(static share => !share.IsUnused).Select(static share => share.Begin())];
    }

    /// <summary>Applies a successful renewal. Do not report a failed one: the previous grants last until their lease expires.</summary>
    /// <param name="grants">The grant for each account that <see cref="Begin"/> returned.</param>
    /// <param name="lasts">How long the grants last from <see cref="Begin"/> on.</param>
    public void Renewed(IReadOnlyList<LeaseGrant> grants, TimeSpan lasts)
    {
        ArgumentNullException.ThrowIfNull(grants);
        _lease.Begin(_renewalStart, lasts);
        foreach (var one in grants)
            Of(one.Account).Renewed(one.Granted, one.Target);
        Arm();
    }

    /// <summary>Gives up all leases: connections drain, and are closed when the time is up.</summary>
    /// <param name="drainTime">Time to drain.</param>
    /// <param name="limit">Time after that for the server to notice the closed connections.</param>
    /// <returns>False if some may still be open.</returns>
    public async Task<bool> EndAsync(TimeSpan drainTime, TimeSpan limit)
    {
        foreach (var share in _accounts.Values)
            share.ReleaseAll();
        if (await HaveEndedAsync(drainTime))
            return true;
        _lease.Begin(_lease.Now, TimeSpan.Zero);
        Expire();
        return await HaveEndedAsync(limit);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    /// <summary>The lease of an account.</summary>
    /// <param name="account">Identifies the account, whatever its name and settings.</param>
    internal ConnectionLease Of(string account) =>
        _accounts.GetOrAdd(
            account, static (account, book) => new ConnectionLease(account, book._lease, () => book.RenewalWanted?.Invoke()), this);

    private void Arm()
    {
        var left = _lease.Left;
        _timer.Change(left < TickInterval ? left : TickInterval, Timeout.InfiniteTimeSpan);
    }

    private void Tick()
    {
        if (_lease.HasExpired)
            Expire();
        else
            Arm();
    }

    private void Expire()
    {
        foreach (var share in _accounts.Values)
            share.Expire();
    }

    private async Task<bool> HaveEndedAsync(TimeSpan within)
    {
        for (var began = _time.GetTimestamp(); Held > 0; await Task.Delay(CloseCheckInterval, _time))
        {
            if (_time.GetElapsedTime(began) >= within)
                return false;
        }

        return true;
    }
}

/// <summary>What this process needs from an account, for a renewal of its lease.</summary>
/// <param name="Account">Identifies the account, whatever its name and settings.</param>
/// <param name="Most">Connections that the account allows for all processes together.</param>
/// <param name="Kept">This process's limit until the renewal ends.</param>
/// <param name="Wanted">Connections that requests use or wait for; may exceed <paramref name="Most"/>.</param>
/// <param name="Recent">Connections used within the last minute. They stay open while nobody else needs them.</param>
public readonly record struct LeaseDemand(string Account, int Most, int Kept, int Wanted, int Recent);

/// <summary>What a renewal granted this process from an account.</summary>
/// <param name="Account">As requested.</param>
/// <param name="Granted">Most connections that it may have open or be opening.</param>
/// <param name="Target">Connections that it should have. Below <paramref name="Granted"/>: others wait for the rest. Above: others are
/// still closing the connections that it will get.</param>
public readonly record struct LeaseGrant(string Account, int Granted, int Target);

/// <summary>
/// How long the leases of this process last. Uses the longer elapsed time of two clocks: the monotonic clock stops while a machine sleeps,
/// and the wall clock can be set back. Thread-safe.
/// </summary>
/// <param name="time">Provides both clocks.</param>
internal sealed class LeaseTerm(TimeProvider time)
{
    private readonly Lock _gate = new();
    private long _startTimestamp;
    private DateTimeOffset _startedAt;
    private TimeSpan _lasts;

    /// <summary>Time left; zero if the lease has expired or never started.</summary>
    public TimeSpan Left
    {
        get
        {
            lock (_gate)
            {
                if (_lasts == TimeSpan.Zero)
                    return TimeSpan.Zero;
                var (monotonic, ofDay) = (time.GetElapsedTime(_startTimestamp), time.GetUtcNow() - _startedAt);
                var left = _lasts - (monotonic > ofDay ? monotonic : ofDay);
                return left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }
        }
    }

    /// <summary>True while no connection may be open.</summary>
    public bool HasExpired => Left == TimeSpan.Zero;

    /// <summary>Both clocks now, for <see cref="Begin"/>.</summary>
    public (long Monotonic, DateTimeOffset OfDay) Now => (time.GetTimestamp(), time.GetUtcNow());

    /// <summary>Starts the lease again.</summary>
    /// <param name="at">A time before the renewal was sent.</param>
    /// <param name="lasts">How long it lasts from then on; zero ends it.</param>
    public void Begin((long Monotonic, DateTimeOffset OfDay) at, TimeSpan lasts)
    {
        lock (_gate)
            (_startTimestamp, _startedAt, _lasts) = (at.Monotonic, at.OfDay, lasts);
    }
}
