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
    public void The_estimate_is_small_before_anything_arrives() => Assert.Equal(4L << 20, _line.Burst);

    [Fact]
    public void A_few_busy_connections_count_for_half_of_all()
    {
        // 7.168 MB/s on one of 20.
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 3, connections: 20);
        Assert.Equal((long)(0.2 * 10 * 7_168_000), _line.Burst);
    }

    [Fact]
    public void A_measurement_of_most_connections_outweighs_a_guess()
    {
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        _line.Received(Article, TimeSpan.FromSeconds(2), busy: 20, connections: 20);
        Assert.Equal((long)(0.2 * 20 * Article / 2), _line.Burst);
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        Assert.Equal((long)(0.2 * 20 * Article / 2), _line.Burst);
    }

    [Fact]
    public void Measurements_are_forgotten_after_ten_minutes()
    {
        _line.Received(Article, TimeSpan.FromSeconds(2), busy: 20, connections: 20);
        _time.Advance(TimeSpan.FromMinutes(10.1));
        _line.Received(Article, TimeSpan.FromMilliseconds(100), busy: 1, connections: 20);
        Assert.Equal((long)(0.2 * 10 * 7_168_000), _line.Burst);
    }

    [Fact]
    public void One_outlier_changes_the_estimate_only_slightly()
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
    public void The_pipelines_together_hold_one_round_trip_of_the_line(
        int roundTripMs, int connections, double transferSeconds, int expected)
    {
        _line.Received(Article, TimeSpan.FromSeconds(transferSeconds), busy: connections, connections);
        Assert.Equal(expected, _line.DepthFor(TimeSpan.FromMilliseconds(roundTripMs), Article, connections));
    }

    [Fact]
    public void The_estimate_is_limited_and_ignores_small_articles()
    {
        _line.Received(10_000, TimeSpan.FromSeconds(1), busy: 20, connections: 20);
        Assert.Equal(4L << 20, _line.Burst);
        _line.Received(Article, TimeSpan.Zero, busy: 20, connections: 20);
        Assert.Equal(128L << 20, _line.Burst);
    }

    [Fact]
    public void A_guess_is_limited_more_than_a_measurement()
    {
        _line.Received(Article, TimeSpan.Zero, busy: 1, connections: 20);
        Assert.Equal(64L << 20, _line.Burst);
        _line.Received(Article, TimeSpan.Zero, busy: 20, connections: 20);
        Assert.Equal(128L << 20, _line.Burst);
    }
}
