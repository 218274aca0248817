using NzbDav.Fakes;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

public sealed class LineEstimateTests
{
    private const int Article = 716_800;

    private readonly ManualTimeProvider _time = new();
    private readonly LineEstimate _line;

    public LineEstimateTests() => _line = new LineEstimate(_time);

    [Fact]
    public void Little_is_promised_before_anything_came() => Assert.Equal(4L << 20, _line.Burst);

    [Fact]
    public void A_few_connections_speak_for_half_of_all()
    {
        // 7.168 MB/s on one of 20.
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 3, connections: 20);
        Assert.Equal((long)(0.2 * 10 * 7_168_000), _line.Burst);
    }

    [Fact]
    public void What_most_connections_did_together_counts_for_more_than_a_guess()
    {
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        _line.Received(Article, TimeSpan.FromSeconds(2), busy: 20, connections: 20);
        Assert.Equal((long)(0.2 * 20 * Article / 2), _line.Burst);
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        Assert.Equal((long)(0.2 * 20 * Article / 2), _line.Burst);
    }

    [Fact]
    public void What_was_seen_is_forgotten_after_ten_minutes()
    {
        _line.Received(Article, TimeSpan.FromSeconds(2), busy: 20, connections: 20);
        _time.Advance(TimeSpan.FromMinutes(10.1));
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        Assert.Equal((long)(0.2 * 10 * 7_168_000), _line.Burst);
    }

    [Fact]
    public void One_strange_article_does_not_turn_it()
    {
        _line.Received(Article, TimeSpan.FromSeconds(1), busy: 20, connections: 20);
        var before = _line.Burst;
        _line.Received(Article, TimeSpan.FromSeconds(0.5), busy: 20, connections: 20);
        Assert.InRange(_line.Burst, before + 1, before * 5 / 4);
    }

    [Theory]
    [InlineData(50, 20, 1.0, 1)]
    [InlineData(50, 20, 0.005, 11)]
    [InlineData(0, 20, 0.001, 1)]
    [InlineData(100, 1, 0.1, 2)]
    public void The_pipes_together_hold_a_round_trip_of_the_line(int roundTripMs, int connections, double transferSeconds, int expected)
    {
        _line.Received(Article, TimeSpan.FromSeconds(transferSeconds), busy: connections, connections);
        Assert.Equal(expected, _line.DepthFor(TimeSpan.FromMilliseconds(roundTripMs), Article, connections));
    }

    [Fact]
    public void It_is_bounded_and_small_articles_say_nothing()
    {
        _line.Received(10_000, TimeSpan.FromSeconds(1), busy: 20, connections: 20);
        Assert.Equal(4L << 20, _line.Burst);
        _line.Received(Article, TimeSpan.Zero, busy: 20, connections: 20);
        Assert.Equal(128L << 20, _line.Burst);
    }

    [Fact]
    public void A_guess_is_bounded_lower_than_what_was_seen()
    {
        _line.Received(Article, TimeSpan.Zero, busy: 1, connections: 20);
        Assert.Equal(64L << 20, _line.Burst);
        _line.Received(Article, TimeSpan.Zero, busy: 20, connections: 20);
        Assert.Equal(128L << 20, _line.Burst);
    }
}
