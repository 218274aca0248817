namespace NzbDav.Bench.Samples;

/// <summary>A manual clock. Between two pieces in memory far less time passes than on a real line, and readers judge the line by that time.</summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>Advances the clock.</summary>
    public void Step(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
