using NzbDav.MockUsenet.Pacing;

namespace NzbDav.MockUsenet.Tests;

/// <summary>A line that providers share.</summary>
public sealed class MockLineTests
{
    [Fact]
    public void An_active_provider_gets_the_capacity_that_the_others_leave()
    {
        var line = new MockLine(1_000_000);
        var now = TimeSpan.TicksPerHour;
        var alone = line.Pass(10_000, now);
        var second = line.Pass(10_000, now);
        Assert.Equal(TimeSpan.FromMilliseconds(10).Ticks, second - alone);

        // A pause earns the twenty milliseconds of a late wake-up, and no more.
        var later = second + TimeSpan.TicksPerSecond;
        Assert.Equal(later - TimeSpan.FromMilliseconds(10).Ticks, line.Pass(10_000, later));
        Assert.Equal(later, line.Pass(10_000, later));
        Assert.Equal(later + TimeSpan.FromMilliseconds(10).Ticks, line.Pass(10_000, later));
    }
}
