using NzbDav.FullNzbTester.Dav;

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

    [Fact]
    public void A_series_is_summed_over_its_labels()
    {
        var page = MetricsPage.Parse("""
            articles_total{provider="a",outcome="found"} 10
            articles_total{provider="b",outcome="found"} 5
            articles_total{provider="b",outcome="missing"} 2
            articles_total_of_another_kind 100
            """);

        Assert.Equal(17, page.Total("articles_total"));
        Assert.Equal(15, page.Total("articles_total", "outcome=\"found\""));
        Assert.Null(page.Total("articles"));
    }

    [Theory]
    [InlineData("# TYPE nzbdav_readers_open gauge\nnzbdav_readers_open 0\nnzbdav_readers_open 2\nnzbdav_readers_open 1\n", 2)]
    [InlineData("nzbdav_segments_held 3\nnzbdav_reader_wait_seconds_bucket{le=\"1\"} 7\n", 3)]
    [InlineData("nzbdav_buffers_rented 9\nnzbdav_segments_cached 8\n", 1)]
    [InlineData("nzbdav_buffers_rented 8\nnzbdav_segments_cached 8\n", 0)]
    public void Memory_held_by_readers_is_read_from_the_page(string page, double held) =>
        Assert.Equal(held, MetricsPage.Parse(page).Held().Sum(gauge => gauge.Value));

    [Fact]
    public void Garbage_collections_are_read_from_the_page()
    {
        var page = MetricsPage.Parse(Before);

        Assert.Equal(1000, page.Allocated);
        Assert.Equal(2, page.Total("dotnet_gc_collections_total", "\"gen2\""));
    }

    [Fact]
    public void Figures_missing_from_the_page_are_null()
    {
        var page = MetricsPage.Parse("<html>");

        Assert.Null(page.Allocated);
        Assert.Null(page.Total("dotnet_gc_collections_total"));
        Assert.Empty(page.Held());
    }
}
