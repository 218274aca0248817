namespace NzbDav.Content.Tests;

public sealed class ReadAheadWindowTests
{
    private static readonly TimeSpan Early = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(ReadIntent.Playback, 3)]
    [InlineData(ReadIntent.Download, 3)]
    [InlineData(ReadIntent.Probe, 1)]
    [InlineData(ReadIntent.Import, 2)]
    [InlineData(ReadIntent.Health, 2)]
    public void It_opens_narrow(ReadIntent intent, int segments)
    {
        var window = new ReadAheadWindow(intent);
        Assert.Equal((segments, 0L), (window.Segments, window.Stock));
    }

    [Theory]
    [InlineData(2, 0, true, 6)]
    [InlineData(2, 1, true, 6)]
    [InlineData(2, 2, true, 3)]
    [InlineData(3, 1, true, 6)]
    [InlineData(3, 2, true, 3)]
    [InlineData(2, 0, false, 3)]
    [InlineData(0, 0, true, 6)]
    public void It_widens_while_starved_and_sent(int ahead, int ready, bool lastSent, int expected)
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
        {
            window.Taken(700_000, 2, 0, lastSent: true, Early);
            Assert.Equal(3, window.Segments);
        }

        window.Taken(700_000, ahead, ready, lastSent, Early);
        Assert.Equal(expected, window.Segments);
    }

    [Fact]
    public void A_probe_never_widens()
    {
        var window = new ReadAheadWindow(ReadIntent.Probe);
        for (var i = 0; i < 10; i++)
            window.Taken(1 << 20, 0, 0, lastSent: true, TimeSpan.FromMinutes(1));
        Assert.Equal((1, 0L), (window.Segments, window.Stock));
    }

    [Fact]
    public void The_first_burst_says_nothing_of_the_rate()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        window.Taken(50_000_000, 4, 4, lastSent: true, TimeSpan.FromSeconds(1.99));
        Assert.Equal(0, window.Stock);
        window.Taken(0, 4, 4, lastSent: true, TimeSpan.FromSeconds(2));
        Assert.Equal(32 << 20, window.Stock);
    }

    [Fact]
    public void The_stock_is_four_seconds_of_the_readers_own_rate()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var second = 1; second <= 10; second++)
            window.Taken(1_000_000, 4, 4, lastSent: true, TimeSpan.FromSeconds(second));
        Assert.Equal(4_000_000, window.Stock);
        Assert.Equal(3, window.Segments);
    }
}
