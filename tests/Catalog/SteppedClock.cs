namespace NzbDav.Catalog.Tests;

/// <summary>A clock that the test moves.</summary>
internal sealed class SteppedClock : TimeProvider
{
    private long _ticks = new DateTimeOffset(2026, 3, 1, 12, 0, 0, TimeSpan.Zero).UtcTicks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Read(ref _ticks), TimeSpan.Zero);

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public void Advance(TimeSpan by) => Interlocked.Add(ref _ticks, by.Ticks);
}
