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
    public void The_window_starts_narrow(ReadIntent intent, int segments)
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
    public void The_window_widens_while_starved_with_everything_sent(int ahead, int ready, bool lastSent, int expected)
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
        {
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early);
            Assert.Equal(3, window.Segments);
        }

        window.OnSegmentRead(700_000, ahead, ready, lastSent, Early);
        Assert.Equal(expected, window.Segments);
    }

    [Fact]
    public void The_window_does_not_widen_in_the_first_10_ms()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 20; i++)
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, TimeSpan.FromMilliseconds(9.9));
        Assert.Equal(3, window.Segments);
        window.OnSegmentRead(700_000, 2, 0, lastSent: true, TimeSpan.FromMilliseconds(10));
        Assert.Equal(6, window.Segments);
    }

    [Fact]
    public void A_range_that_is_certainly_read_starts_as_wide_as_the_line_allows()
    {
        Assert.Equal(12, new ReadAheadWindow(ReadIntent.Playback, certain: 12).Segments);
        Assert.Equal(3, new ReadAheadWindow(ReadIntent.Playback, certain: 1).Segments);
        Assert.Equal(1, new ReadAheadWindow(ReadIntent.Probe, certain: 12).Segments);
    }

    [Fact]
    public void A_reader_that_stays_after_its_first_segments_gets_the_whole_line_once()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
        {
            Assert.False(window.MayWidenAfterGrace);
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early);
        }

        Assert.True(window.MayWidenAfterGrace);
        window.WidenAfterGrace(20);
        Assert.Equal((20, false), (window.Segments, window.MayWidenAfterGrace));
    }

    [Theory]
    [InlineData(ReadIntent.Probe)]
    [InlineData(ReadIntent.Import)]
    [InlineData(ReadIntent.Health)]
    public void Only_playback_is_put_on_trial(ReadIntent intent)
    {
        var window = new ReadAheadWindow(intent);
        for (var i = 0; i < 5; i++)
            window.OnSegmentRead(700_000, 2, 2, lastSent: true, Early);
        Assert.False(window.MayWidenAfterGrace);
    }

    [Fact]
    public void A_probe_never_widens()
    {
        var window = new ReadAheadWindow(ReadIntent.Probe);
        for (var i = 0; i < 10; i++)
            window.OnSegmentRead(1 << 20, 0, 0, lastSent: true, TimeSpan.FromMinutes(1));
        Assert.Equal((1, 0L), (window.Segments, window.Stock));
    }

    [Fact]
    public void The_first_burst_does_not_count_towards_the_rate()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        window.OnSegmentRead(50_000_000, 4, 4, lastSent: true, TimeSpan.FromSeconds(1.99));
        Assert.Equal(0, window.Stock);
        window.OnSegmentRead(0, 4, 4, lastSent: true, TimeSpan.FromSeconds(2));
        Assert.Equal(32 << 20, window.Stock);
    }

    [Fact]
    public void A_reader_starved_after_its_first_segments_gets_the_whole_line_without_a_long_wait()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early, burst: 20);
        Assert.Equal(3, window.Segments);
        window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early, burst: 20);
        Assert.Equal((23, false), (window.Segments, window.MayWidenAfterGrace));
    }

    [Fact]
    public void The_window_doubles_each_round_until_the_reader_is_slower_than_the_line()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early);
        window.WidenAfterGrace(20);

        // The round comes all at once, faster than it is read: what replaces it is not here.
        for (var i = 0; i < 9; i++)
            window.OnSegmentRead(700_000, 19, 18 - i, lastSent: true, Early);
        Assert.Equal(29, window.Segments);

        // All that was asked for is here: the network waits for the reader.
        window.OnSegmentRead(700_000, 28, 28, lastSent: true, Early);
        window.OnSegmentRead(700_000, 28, 27, lastSent: true, Early);
        Assert.Equal(29, window.Segments);
    }

    [Fact]
    public void The_window_narrows_to_four_seconds_for_a_reader_that_slows_down()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early);
        window.WidenAfterGrace(100);
        for (var i = 0; i < 100; i++)
            Assert.False(window.OnSegmentRead(700_000, 99, 99, lastSent: true, TimeSpan.FromSeconds(1.5)));
        Assert.False(window.OnSegmentRead(700_000, 99, 99, lastSent: true, TimeSpan.FromSeconds(2)));
        Assert.Equal((100, 32 << 20), (window.Segments, window.Stock));

        // 1.4 MB in two seconds.
        Assert.False(window.OnSegmentRead(700_000, 99, 99, lastSent: true, TimeSpan.FromSeconds(3)));
        Assert.True(window.OnSegmentRead(700_000, 99, 99, lastSent: true, TimeSpan.FromSeconds(4)));
        Assert.Equal((4, 2_800_000), (window.Segments, window.Stock));
    }

    [Fact]
    public void The_window_restarts_narrow_after_a_pause_which_does_not_count_as_slowness()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 3; i++)
            window.OnSegmentRead(700_000, 2, 0, lastSent: true, Early);
        window.WidenAfterGrace(100);
        var minute = TimeSpan.FromMinutes(1);
        window.Resumed(minute);
        Assert.Equal((3, 0L, true), (window.Segments, window.Stock, window.MayWidenAfterGrace));
        window.OnSegmentRead(700_000, 2, 0, lastSent: true, minute + TimeSpan.FromSeconds(1));
        window.OnSegmentRead(700_000, 2, 2, lastSent: true, minute + TimeSpan.FromSeconds(2));
        Assert.Equal(2_800_000, window.Stock);
    }

    [Fact]
    public void A_slow_reader_after_a_pause_gets_at_most_eight_seconds_of_its_rate()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var i = 0; i < 10; i++)
            window.OnSegmentRead(100_000, 9, 0, lastSent: true, Early);

        // 4 MB in ten seconds, the pause included.
        for (var i = 0; i < 30; i++)
            window.OnSegmentRead(100_000, 9, 0, lastSent: true, TimeSpan.FromSeconds(1));
        window.Resumed(TimeSpan.FromSeconds(10));
        for (var i = 0; i < 3; i++)
            window.OnSegmentRead(100_000, 2, 0, lastSent: true, TimeSpan.FromSeconds(10.1));
        window.WidenAfterGrace(200);
        Assert.Equal(32, window.Segments);
        for (var i = 0; i < 20; i++)
            window.OnSegmentRead(100_000, 31, 0, lastSent: true, TimeSpan.FromSeconds(10.2));
        Assert.Equal(32, window.Segments);

        // One that reads on is as wide as its hunger after two seconds.
        window.OnSegmentRead(100_000, 31, 0, lastSent: true, TimeSpan.FromSeconds(12));
        window.WidenAfterGrace(200);
        Assert.Equal(200, window.Segments);
    }

    [Fact]
    public void The_read_ahead_limit_is_four_seconds_of_the_readers_own_rate()
    {
        var window = new ReadAheadWindow(ReadIntent.Playback);
        for (var second = 1; second <= 10; second++)
            window.OnSegmentRead(1_000_000, 4, 4, lastSent: true, TimeSpan.FromSeconds(second));
        Assert.Equal(4_000_000, window.Stock);
        Assert.Equal(3, window.Segments);
    }
}
