namespace NzbDav.Bench.Samples;

/// <summary>A clock that moves by hand: what lies between two pieces in memory is far less than on any line, and readers judge by it.</summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>Moves it.</summary>
    public void Step(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
