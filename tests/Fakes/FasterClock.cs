namespace NzbDav.Fakes;

/// <summary>
/// Time that passes several times as fast as the system's: for a whole server whose pauses a test would otherwise wait for, and which
/// nobody could advance at the right moments. Thread-safe.
/// </summary>
/// <param name="factor">How many times as fast.</param>
public sealed class FasterClock(int factor) : TimeProvider
{
    private readonly DateTimeOffset _start = System.GetUtcNow();
    private readonly long _origin = System.GetTimestamp();

    /// <inheritdoc/>
    public override long TimestampFrequency => System.TimestampFrequency;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => System.LocalTimeZone;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start + System.GetElapsedTime(_origin) * factor;

    /// <inheritdoc/>
    public override long GetTimestamp() => (System.GetTimestamp() - _origin) * factor;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new FasterTimer(System.CreateTimer(callback, state, Real(dueTime), Real(period)), this);

    /// <summary>Rounded up: a timer must not fire before its time.</summary>
    private TimeSpan Real(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan || time <= TimeSpan.Zero
            ? time : TimeSpan.FromMilliseconds(Math.Ceiling(time.TotalMilliseconds / factor));

    private sealed class FasterTimer(ITimer timer, FasterClock clock) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(clock.Real(dueTime), clock.Real(period));

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}
