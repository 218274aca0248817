namespace NzbDav.Fakes;

/// <summary>A timer of <see cref="ManualTimeProvider"/>, whose lock guards all fields that change.</summary>
internal sealed class ManualTimer : ITimer
{
    private readonly ManualTimeProvider _clock;
    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    public ManualTimer(ManualTimeProvider clock, TimerCallback callback, object? state)
    {
        _clock = clock;
        _callback = callback;
        _state = state;
    }

    public static IComparer<ManualTimer> DueOrder { get; } =
        Comparer<ManualTimer>.Create(static (a, b) => (a.Due, a.Sequence).CompareTo((b.Due, b.Sequence)));

    /// <summary>Ticks since the clock's start.</summary>
    public long Due { get; set; }

    /// <summary>Ticks; 0 for a timer that fires once.</summary>
    public long Period { get; set; }

    public long Sequence { get; set; }

    public bool Disposed { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period) => _clock.Change(this, dueTime, period);

    public void Fire()
    {
        // Like the real one: the callback sees the async-locals of the code that made the timer.
        if (_context is null)
            _callback(_state);
        else
            ExecutionContext.Run(_context, static timer => ((ManualTimer)timer!)._callback(((ManualTimer)timer)._state), this);
    }

    public void Dispose() => _clock.Remove(this);

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}
