namespace NzbDav.FullNzbTester.Tests;

public sealed class MetricsPageTests
{
    private const string Before = """
        # HELP nzbdav_articles_fetched_total Articles.
        # TYPE nzbdav_articles_fetched_total counter
        nzbdav_articles_fetched_total{provider="a b"} 10
        nzbdav_wait_seconds_sum 1.5
        nzbdav_wait_seconds_bucket{le="+Inf"} 3
        # TYPE nzbdav_buffers_rented gauge
        nzbdav_buffers_rented 4
        dotnet_gc_collections_total{gc_heap_generation="gen2"} 2
        dotnet_gc_heap_total_allocated_bytes_total 1000 1700000000000
        what is this
        other_total 5
        """;

    private const string After = """
        nzbdav_articles_fetched_total{provider="a b"} 25
        nzbdav_wait_seconds_sum 2e0
        nzbdav_wait_seconds_bucket{le="+Inf"} 9
        # TYPE nzbdav_buffers_rented gauge
        nzbdav_buffers_rented 9
        dotnet_gc_collections_total{gc_heap_generation="gen2"} 5
        dotnet_gc_heap_total_allocated_bytes_total 4000
        """;

    [Fact]
    public void Counters_of_the_product_are_told_as_differences() => Assert.Equal(
        [("""nzbdav_articles_fetched_total{provider="a b"}""", 15), ("nzbdav_wait_seconds_sum", 0.5)],
        MetricsPage.Parse(After).Since(MetricsPage.Parse(Before)));

    [Theory]
    [InlineData("# TYPE nzbdav_readers_open gauge\nnzbdav_readers_open 0\nnzbdav_readers_open 2\nnzbdav_readers_open 1\n", 2)]
    [InlineData("nzbdav_segments_held 3\nnzbdav_reader_wait_seconds_bucket{le=\"1\"} 7\n", 3)]
    [InlineData("nzbdav_buffers_rented 9\nnzbdav_segments_cached 8\n", 1)]
    [InlineData("nzbdav_buffers_rented 8\nnzbdav_segments_cached 8\n", 0)]
    public void What_readers_hold_is_found(string page, double held) => Assert.Equal(held, MetricsPage.Parse(page).Held().Sum(gauge => gauge.Value));

    [Fact]
    public void The_collector_is_found()
    {
        var page = MetricsPage.Parse(Before);

        Assert.Equal(1000, page.Allocated);
        Assert.Equal(2, page.Gen2Collections);
    }

    [Fact]
    public void What_is_not_said_is_not_known()
    {
        var page = MetricsPage.Parse("<html>");

        Assert.Null(page.Allocated);
        Assert.Null(page.Gen2Collections);
        Assert.Empty(page.Held());
    }
}
