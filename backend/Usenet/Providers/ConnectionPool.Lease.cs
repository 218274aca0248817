namespace NzbDav.Usenet.Providers;

/// <content>Keeps a pool within its account's lease, when other processes use the account too: closes connections when the grant shrinks,
/// and reports how they are used. Does nothing without a lease.</content>
internal sealed partial class ConnectionPool
{
    /// <summary>How long a connection counts as in use after its last request, because readers request in bursts.</summary>
    public static readonly TimeSpan InUseFor = TimeSpan.FromSeconds(3);

    /// <summary>How long a connection that nobody else needs is kept after its last request.</summary>
    public static readonly TimeSpan RecentFor = TimeSpan.FromMinutes(1);

    /// <summary>Longest time for a draining connection to finish its requests: one article at 150 KB/s.</summary>
    public static readonly TimeSpan DrainLimit = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A draining connection that receives nothing for this long is closed: its answers may never come. A server on another continent
    /// answers within half of it.
    /// </summary>
    public static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// How long a server may still count a connection that was closed without QUIT. The close reaches it after half a round trip.
    /// </summary>
    public static readonly TimeSpan CountedFor = TimeSpan.FromMilliseconds(500);

    /// <summary>The account's lease; null: the account belongs to this process alone.</summary>
    private readonly ConnectionLease? _lease;

    /// <summary>Fires when a draining connection may have been silent for too long.</summary>
    private readonly ITimer _silence;

    /// <summary>Taken before all other locks, so that two threads do not both close connections for the same excess.</summary>
    private readonly Lock _closing = new();

    /// <summary>Cancelled when the lease expires, because connections being dialled count too.</summary>
    private CancellationTokenSource _shareEnd = new();

    /// <summary>
    /// Applies a changed grant: dials, or closes idle connections at once and drains others. Call outside the lease's lock.
    /// </summary>
    /// <param name="gained">Connections that other processes may have had until now; the server may still count them.</param>
    public void LeaseChanged(int gained)
    {
        lock (_gate)
        {
            for (var i = 0; i < Math.Min(gained, Options.MaxConnections); i++)
                _cap.ConnectionLost();
            DialIfWanted();
        }

        EnforceLease();
    }

    /// <summary>
    /// Closes all connections and cancels all dials at once, because the lease has expired. Call outside the lease's lock.
    /// </summary>
    public void CutAll()
    {
        // Not disposed: a dial may be about to read its token.
        Interlocked.Exchange(ref _shareEnd, new CancellationTokenSource()).Cancel();
        foreach (var connection in OpenNow())
            connection.Cut("this gateway may no longer use it");
    }

    /// <summary>How the pool uses its connections now. Takes the locks of dispatcher and pool, one after the other.</summary>
    /// <returns>Connections that the settings allow, 0 once the pool opens no more; connections that requests use or wait for, including
    /// those used within the last seconds; connections used within the last minute.</returns>
    public (int Most, int Wanted, int Recent) LeaseUse()
    {
        var (wanted, recent) = (_account.Waiting, 0);
        foreach (var connection in OpenNow())
        {
            var wire = connection.Wire;
            var isBusy = wire.IsBusy;
            var idle = wire.HasServed || wire.LastWork > wire.OpenedAt ? _time.GetElapsedTime(wire.LastWork) : TimeSpan.MaxValue;
            wanted += isBusy || idle < InUseFor ? 1 : 0;
            recent += isBusy || idle < RecentFor ? 1 : 0;
        }

        lock (_gate)
            return (_isRetired ? 0 : Options.MaxConnections, wanted, recent);
    }

    /// <summary>
    /// Closes connections beyond the grant. Called when the grant changed, when a connection was opened, and once a second.
    /// </summary>
    private void EnforceLease()
    {
        if (_lease is null)
            return;
        if (_lease.HasExpired)
        {
            CutAll();
            return;
        }

        lock (_closing)
        {
            var open = OpenNow();
            var excess = _lease.Excess;
            foreach (var draining in open.Where(static connection => connection.IsDraining))
            {
                excess--;
                CutIfLate(draining);
            }

            foreach (var connection in open.Where(static connection => !connection.IsDraining)
                .OrderBy(static connection => connection.Wire.IsBusy).Take(Math.Max(0, excess)))
                connection.Drain();
            if (open.Any(static connection => connection.IsDraining))
                _silence.Change(SilenceLimit / 2, Timeout.InfiniteTimeSpan);
        }
    }

    private void CutIfLate(IPooledConnection draining)
    {
        if (draining.DrainingSince is not { } at)
            return;
        if (_time.GetElapsedTime(at) > DrainLimit)
            draining.Cut($"{DrainLimit.TotalSeconds:0} s were not enough for what it carried, and another gateway waits for it");
        else if (_time.GetElapsedTime(Math.Max(at, draining.Wire.LastActivity)) >= SilenceLimit)
            draining.Cut("nothing came, and another gateway waits for it");
    }

    private IPooledConnection[] OpenNow()
    {
        lock (_gate)
            return [.. _open];
    }
}
