namespace NzbDav.Usenet.Providers;

/// <summary>A time of day that nobody can set: that of a clock at first, and from then on only what has passed. Polly ends a break at a time of day. Thread-safe.</summary>
/// <param name="time">The clock.</param>
internal sealed class SteadyTime(TimeProvider time) : TimeProvider
{
    private readonly DateTimeOffset _start = time.GetUtcNow();
    private readonly long _startedAt = time.GetTimestamp();

    /// <inheritdoc/>
    public override long TimestampFrequency => time.TimestampFrequency;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => time.LocalTimeZone;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start + time.GetElapsedTime(_startedAt);

    /// <inheritdoc/>
    public override long GetTimestamp() => time.GetTimestamp();

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => time.CreateTimer(callback, state, dueTime, period);
}
