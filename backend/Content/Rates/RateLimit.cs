namespace NzbDav.Content.Rates;

/// <summary>
/// A limit in bytes per second that any number of callers share. A sender waits before a transfer (<see cref="WaitAsync"/>); a receiver
/// learns of the bytes when they have arrived, and waits afterwards (<see cref="Charge"/>). May be changed at any time: then nobody waits
/// for earlier transfers. Thread-safe; costs one read of a field while there is no limit.
/// </summary>
/// <param name="time">Clock.</param>
/// <param name="burst">Most that accrues while nothing is transferred, in seconds of the limit.</param>
public sealed class RateLimit(TimeProvider time, double burst = 0)
{
    /// <summary>Shorter waits are skipped; the debt remains, and the next caller waits for it.</summary>
    private static readonly TimeSpan LeastWait = TimeSpan.FromMilliseconds(1);

    private readonly Lock _gate = new();
    private readonly TokenBucket _bucket = new();
    private CancellationTokenSource? _changed;

    /// <summary>Bytes per second; 0: no limit. A change ends all waits: callers before a transfer start over.</summary>
    public long BytesPerSecond
    {
        get => (long)_bucket.Rate;
        set
        {
            var rate = Math.Max(0, value);
            CancellationTokenSource? changed;
            lock (_gate)
            {
                if (BytesPerSecond == rate)
                    return;
                _bucket.Set(rate, rate * burst);
                _bucket.Forgive();
                changed = _changed;
                _changed = null;
            }

            // Not disposed: callers still link to it, and it holds nothing that outlives them.
            changed?.Cancel();
        }
    }

    /// <summary>Completes when this many more bytes may be transferred: once the time for all earlier bytes has passed.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask WaitAsync(int bytes, CancellationToken cancellationToken)
    {
        return Spend(bytes, isPaidFirst: true) is { IsNone: false } hold
            ? new ValueTask(HoldAsync(bytes, hold, cancellationToken)) : ValueTask.CompletedTask;
    }

    /// <summary>Counts bytes that were transferred.</summary>
    /// <returns>How long to wait before the next transfer.</returns>
    public RateHold Charge(int bytes) => Spend(bytes, isPaidFirst: false);

    private async Task HoldAsync(int bytes, RateHold hold, CancellationToken cancellationToken)
    {
        while (!hold.IsNone)
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(hold.Changed, cancellationToken);
            try
            {
                await Task.Delay(hold.Wait, time, either.Token);
                return;
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                // Do not continue on the thread that changes the limit.
                await Task.Yield();
                hold = Spend(bytes, isPaidFirst: true);
            }
        }
    }

    /// <param name="bytes">Bytes of the transfer.</param>
    /// <param name="isPaidFirst">True: wait for the earlier bytes only; false: for these bytes too.</param>
    private RateHold Spend(int bytes, bool isPaidFirst)
    {
        if (_bucket.Rate == 0)
            return RateHold.None;
        lock (_gate)
        {
            // Read under the lock: the cost at a previous limit would still be owed after the change.
            if (_bucket.Rate == 0)
                return RateHold.None;
            _bucket.Accrue(time.GetElapsedTime(0).Ticks);
            if (!isPaidFirst)
                _bucket.Take(bytes);
            var wait = TimeSpan.FromSeconds(_bucket.WaitFor(0));
            if (isPaidFirst)
                _bucket.Take(bytes);
            return wait < LeastWait ? RateHold.None : new RateHold(wait, (_changed ??= new CancellationTokenSource()).Token);
        }
    }
}

/// <summary>The wait that a <see cref="RateLimit"/> demands.</summary>
/// <param name="Wait">How long.</param>
/// <param name="Changed">Fires when the limit changes: the wait is over. Callbacks run on the thread that changes it, so they must only end
/// the wait.</param>
public readonly record struct RateHold(TimeSpan Wait, CancellationToken Changed)
{
    /// <summary>No wait.</summary>
    public static RateHold None => default;

    /// <summary>True if there is nothing to wait for.</summary>
    public bool IsNone => Wait == TimeSpan.Zero;
}
