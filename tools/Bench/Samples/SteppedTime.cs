namespace NzbDav.Bench.Samples;

/// <summary>A manual clock. Between two pieces in memory far less time passes than on any line, and readers judge a line by that time.</summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>Moves it.</summary>
    public void Step(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
