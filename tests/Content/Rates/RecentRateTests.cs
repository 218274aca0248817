using NzbDav.Content.Rates;

namespace NzbDav.Content.Tests.Rates;

public sealed class RecentRateTests
{
    [Fact]
    public void The_rate_is_that_of_the_last_samples()
    {
        var rate = new RecentRate(window: 2);
        Assert.Equal(0, rate.Value);
        long[] totals = [0, 100, 200, 600, 600, 600];
        var values = totals.Select((total, second) =>
        {
            rate.Look(TimeSpan.FromSeconds(second), total);
            return rate.Value;
        });
        Assert.Equal([0, 100, 100, 250, 200, 0], values);
    }

    [Fact]
    public void It_can_be_read_between_two_samples()
    {
        var rate = new RecentRate(window: 2);
        rate.Look(TimeSpan.Zero, 0);
        Assert.Equal(50, rate.Until(TimeSpan.FromSeconds(2), 100));
        rate.Look(TimeSpan.FromSeconds(1), 100);
        rate.Look(TimeSpan.FromSeconds(2), 100);
        rate.Look(TimeSpan.FromSeconds(3), 100);
        Assert.Equal(100, rate.Until(TimeSpan.FromSeconds(4), 400));
        Assert.Equal(0, rate.Value);
    }
}
