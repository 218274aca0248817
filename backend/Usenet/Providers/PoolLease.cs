using NzbDav.Usenet.Providers.Leases;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Keeps a pool within its account's share, where other processes use the account too: closes connections when the share falls, and reports
/// how they are used. Without a share it does nothing. Thread-safe.
/// </summary>
internal sealed class PoolLease : ILeasedPool, IDisposable
{
    /// <summary>How long a connection counts as in use after its last request: readers ask in bursts.</summary>
    public static readonly TimeSpan InUseFor = TimeSpan.FromSeconds(3);

    /// <summary>How long a connection that nobody else needs is kept after its last request.</summary>
    public static readonly TimeSpan RecentFor = TimeSpan.FromMinutes(1);

    /// <summary>Longest time for a leaving connection to finish its requests. An article takes this long at 150 KB/s.</summary>
    public static readonly TimeSpan DrainLimit = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A leaving connection that receives nothing for this long is closed: the answers may never come. A server on another continent
    /// answers within half of it.
    /// </summary>
    public static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// How long a server may still count a connection that was closed without a QUIT. The news reaches it after half a round trip.
    /// </summary>
    public static readonly TimeSpan CountedFor = TimeSpan.FromMilliseconds(500);

    private const string Reason = "this gateway may no longer use it";

    private readonly PoolState _state;
    private readonly ConnectionLease? _lease;

    /// <summary>Fires when a leaving connection may have been silent for too long.</summary>
    private readonly ITimer? _silence;

    /// <summary>Taken before all other locks: two threads must not both close connections for the same excess.</summary>
    private readonly Lock _closing = new();

    /// <summary>Cancelled when the share ends: connections that are being opened count too.</summary>
    private CancellationTokenSource _dialling = new();

    /// <param name="state">State of the pool.</param>
    /// <param name="lease">The account's; null: the account belongs to this process alone.</param>
    public PoolLease(PoolState state, ConnectionLease? lease)
    {
        (_state, _lease) = (state, lease);
        if (lease is not null)
            _silence = state.Time.CreateTimer(
                static pool => ((PoolLease)pool!).Enforce(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <inheritdoc/>
    public int Most
    {
        get
        {
            lock (_state.Gate)
                return _state.IsRetired ? 0 : _state.Options.MaxConnections;
        }
    }

    /// <summary>Connections that this process may have; null: the account belongs to it alone.</summary>
    public int? Granted => _lease?.Granted;

    /// <summary>True where other processes may use the account too.</summary>
    public bool IsShared => _lease is not null;

    public void Join() => _lease?.Join(this);

    public void Leave() => _lease?.Leave(this);

    /// <summary>A place for a lane.</summary>
    public LeasedSlot NewSlot() => new(_lease);

    /// <summary>Requests found no connection with room: asks for a larger share, if it is used up. Takes no lock.</summary>
    public void RequestMore() => _lease?.RequestMore();

    /// <summary>Runs an attempt to connect, which ends with the share.</summary>
    /// <exception cref="OperationCanceledException">The token fired, or the share has ended.</exception>
    public async Task<T> DialAsync<T>(Func<CancellationToken, Task<T>> dial, CancellationToken cancellationToken)
    {
        if (_lease is null)
            return await dial(cancellationToken);

        // Read the token first: if the share ends after the next line, it is cancelled.
        var ends = Volatile.Read(ref _dialling).Token;
        if (_lease.HasExpired)
            throw new OperationCanceledException(Reason);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, ends);
        return await dial(both.Token);
    }

    /// <summary>
    /// Closes the connections beyond the share. Called when the share changed, when a connection was opened, and once a second.
    /// </summary>
    public void Enforce()
    {
        if (_lease is null)
            return;
        if (_lease.HasExpired)
        {
            Cut();
            return;
        }

        lock (_closing)
        {
            var open = Open();
            var excess = _lease.Excess;
            foreach (var leaving in open.Where(static employed => employed.IsDraining))
            {
                excess--;
                CutIfLate(leaving);
            }

            foreach (var employed in open.Where(static employed => !employed.IsDraining).OrderBy(static employed => employed.Wire.IsBusy)
                .Take(Math.Max(0, excess)))
                employed.Drain();
            if (open.Any(static employed => employed.IsDraining))
                _silence!.Change(SilenceLimit / 2, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public void Changed(int gained)
    {
        lock (_state.Gate)
        {
            for (var i = 0; i < Math.Min(gained, _state.Options.MaxConnections); i++)
                _state.Cap.ConnectionLost();
            _state.Signal();
        }

        Enforce();
    }

    /// <inheritdoc/>
    public void Cut()
    {
        // Not disposed: an attempt may be about to ask it for its token.
        Interlocked.Exchange(ref _dialling, new CancellationTokenSource()).Cancel();
        foreach (var employed in Open())
            employed.Cut(Reason);
    }

    /// <inheritdoc/>
    public PoolUse Use()
    {
        // Outside the pool's lock: it takes the dispatcher's.
        var waiting = _state.Account.Waiting;
        var (inUse, recent) = (0, 0);
        foreach (var employed in Open())
        {
            var isBusy = employed.Wire.IsBusy;
            var idle = employed.Wire.HasServed || employed.Wire.LastWork > employed.Wire.OpenedAt
                ? _state.Time.GetElapsedTime(employed.Wire.LastWork) : TimeSpan.MaxValue;
            inUse += isBusy || idle < InUseFor ? 1 : 0;
            recent += isBusy || idle < RecentFor ? 1 : 0;
        }

        return new PoolUse(inUse, recent, waiting);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _silence?.Dispose();
        _dialling.Dispose();
    }

    private void CutIfLate(IPooledConnection leaving)
    {
        if (leaving.DrainingSince is not { } at)
            return;
        var time = _state.Time;
        if (time.GetElapsedTime(at) > DrainLimit)
            leaving.Cut($"{DrainLimit.TotalSeconds:0} s were not enough for what it carried, and another gateway waits for it");
        else if (time.GetElapsedTime(Math.Max(at, leaving.Wire.LastActivity)) >= SilenceLimit)
            leaving.Cut("nothing came, and another gateway waits for it");
    }

    private IPooledConnection[] Open()
    {
        lock (_state.Gate)
            return [.. _state.Open];
    }
}
