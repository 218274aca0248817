namespace NzbDav.Fakes;

/// <summary>
/// Time that moves only by <see cref="Advance"/>. Timers fire on the advancing thread, in due order (ties: the one armed first),
/// while the clock shows their due time; also those that a callback arms, if they fall due on the way. A timer armed with
/// a due time of zero fires at the next <see cref="Advance"/>, be it by zero. The time of day can be <see cref="Set"/> beside it.
/// Thread-safe.
/// </summary>
/// <remarks>
/// For tests that wait with the code under test. A clock that is only read and moved is a
/// <see cref="Microsoft.Extensions.Time.Testing.FakeTimeProvider"/>, which lacks: callbacks that see their due time (there all see the
/// goal), callbacks that have run when <see cref="Advance"/> returns although other threads advance too, reading without firing timers,
/// <see cref="WhenArmedAsync"/> and its kind, and a time of day apart from the timestamp.
/// </remarks>
public sealed class ManualTimeProvider : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly SortedSet<ManualTimer> _armed = new(ManualTimer.DueOrder);
    private readonly List<(int Count, TaskCompletionSource Reached)> _watchers = [];
    private readonly DateTimeOffset _start;
    private long _now;
    private long _set;
    private long _goal;
    private long _sequence;

    /// <param name="start">What the clock shows at first; default 2030-01-01 00:00 UTC.</param>
    public ManualTimeProvider(DateTimeOffset? start = null) =>
        _start = (start ?? new DateTimeOffset(2030, 1, 1, 0, 0, 0, TimeSpan.Zero)).ToUniversalTime();

    /// <summary>Timers that wait to fire.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate)
                return _armed.Count;
        }
    }

    /// <summary>How often a timer was armed so far, each period of a periodic one included: a test counts the waits.</summary>
    public long Armings
    {
        get
        {
            lock (_gate)
                return _sequence;
        }
    }

    /// <summary>How far away the next timer is; null if none is armed.</summary>
    public TimeSpan? NextDue
    {
        get
        {
            lock (_gate)
                return _armed.Min is { } next ? TimeSpan.FromTicks(next.Due - _now) : null;
        }
    }

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start.AddTicks(Interlocked.Read(ref _now) + Interlocked.Read(ref _set));

    /// <inheritdoc/>
    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>Moves the clock and fires what falls due. Callbacks run before this returns, outside all locks.</summary>
    /// <param name="by">At least zero. Concurrent and nested calls add up.</param>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        long goal;
        lock (_gate)
            goal = _goal += by.Ticks;

        while (true)
        {
            ManualTimer timer;
            lock (_gate)
            {
                if (_armed.Min is not { } next || next.Due > goal)
                {
                    _now = Math.Max(_now, goal);
                    return;
                }

                timer = next;
                _now = Math.Max(_now, timer.Due);
                _armed.Remove(timer);
                if (timer.Period > 0)
                    Arm(timer, timer.Due + timer.Period);
            }

            timer.Fire();
        }
    }

    /// <summary>Sets the time of day, as an administrator or NTP does. No time passes, and no timer fires.</summary>
    /// <param name="by">Forward, or back.</param>
    public void Set(TimeSpan by) => Interlocked.Add(ref _set, by.Ticks);

    /// <summary>
    /// Completes when at least <paramref name="count"/> timers are armed: how a test knows that the code under test waits.
    /// </summary>
    public Task WhenArmedAsync(int count, CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            if (_armed.Count >= count)
                return Task.CompletedTask;
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _watchers.Add((count, reached));
            return reached.Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Advances to each timer as soon as it is armed, until cancelled: nothing that waits by this clock takes any time.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            await WhenArmedAsync(1, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (cancellationToken.IsCancellationRequested)
                return;
            Advance(NextDue ?? TimeSpan.Zero);
        }
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    internal bool Change(ManualTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        ThrowIfOutOfRange(dueTime, nameof(dueTime));
        ThrowIfOutOfRange(period, nameof(period));
        lock (_gate)
        {
            if (timer.Disposed)
                return false;
            _armed.Remove(timer);
            timer.Period = period == Timeout.InfiniteTimeSpan ? 0 : period.Ticks;
            if (dueTime != Timeout.InfiniteTimeSpan)
                Arm(timer, _now + dueTime.Ticks);
            return true;
        }
    }

    internal void Remove(ManualTimer timer)
    {
        lock (_gate)
        {
            timer.Disposed = true;
            _armed.Remove(timer);
        }
    }

    private static void ThrowIfOutOfRange(TimeSpan value, string name)
    {
        // The bounds of System.Threading.Timer.
        if (value != Timeout.InfiniteTimeSpan && (value < TimeSpan.Zero || value.TotalMilliseconds > uint.MaxValue - 1))
            throw new ArgumentOutOfRangeException(name, value, "A timer takes 0 to 4294967294 ms, or Timeout.InfiniteTimeSpan.");
    }

    private void Arm(ManualTimer timer, long due)
    {
        timer.Due = due;
        timer.Sequence = ++_sequence;
        _armed.Add(timer);
        for (var i = _watchers.Count - 1; i >= 0; i--)
        {
            if (_armed.Count < _watchers[i].Count)
                continue;
            _watchers[i].Reached.SetResult();
            _watchers.RemoveAt(i);
        }
    }
}
