using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>The server's counters as rows with readable names.</summary>
public sealed class ServerCostsTests
{
    /// <summary>The metrics page after a GB in articles of 716,800 bytes.</summary>
    public const string Page = """
        nzbdav_usenet_queue_wait_seconds_sum{provider="mock"} 418.4
        nzbdav_usenet_queue_wait_seconds_count{provider="mock"} 1300
        nzbdav_usenet_queue_wait_seconds_sum{provider="other"} 0
        nzbdav_usenet_queue_wait_seconds_count{provider="other"} 95
        nzbdav_usenet_connect_seconds_sum{provider="mock"} 0.04
        nzbdav_usenet_connect_seconds_count{provider="mock"} 20
        nzbdav_usenet_first_byte_seconds_sum{provider="mock"} 72.7
        nzbdav_usenet_first_byte_seconds_count{provider="mock"} 1395
        nzbdav_usenet_receive_seconds_sum{provider="mock"} 4.3
        nzbdav_usenet_receive_seconds_count{provider="mock"} 1395
        nzbdav_usenet_decode_seconds_sum{provider="mock"} 0.43
        nzbdav_usenet_decode_seconds_count{provider="mock"} 1395
        nzbdav_reader_hand_over_seconds_sum 0.11
        nzbdav_reader_hand_over_seconds_count 11160
        nzbdav_webdav_socket_write_seconds_sum 0.99
        nzbdav_webdav_socket_write_seconds_count 11160
        nzbdav_reader_wait_seconds_sum 1.2
        nzbdav_reader_wait_seconds_count 11160
        nzbdav_usenet_articles_total{provider="mock",outcome="found"} 1400
        nzbdav_usenet_articles_total{provider="other",outcome="missing"} 10
        nzbdav_usenet_article_bytes_total{provider="mock"} 1003520000
        nzbdav_webdav_bytes_total 1000000000
        nzbdav_reader_bytes_total 1000000000
        nzbdav_segments_unread_total 3
        nzbdav_usenet_pipeline_depth_sum{provider="mock"} 2800
        nzbdav_usenet_pipeline_depth_count{provider="mock"} 1400
        nzbdav_budget_refusals_total 17
        dotnet_gc_collections_total{gc_heap_generation="gen0"} 4
        dotnet_gc_collections_total{gc_heap_generation="gen1"} 1
        dotnet_gc_collections_total{gc_heap_generation="gen2"} 0
        dotnet_gc_heap_total_allocated_bytes_total 50000000
        """;

    [Theory]
    [InlineData("queue wait", "1395×300ms = 418s")]
    [InlineData("connect", "20×2ms = 0.04s")]
    [InlineData("request → first byte", "1395×52.1ms = 72.7s")]
    [InlineData("receive", "1395×3.08ms = 4.3s")]
    [InlineData("decode", "1395×308µs = 0.43s")]
    [InlineData("hand-over", "11160×9.86µs = 0.11s")]
    [InlineData("socket write", "11160×88.7µs = 0.99s")]
    [InlineData("reader wait", "11160×108µs = 1.2s")]
    [InlineData("fetched / served: articles, bytes", "1.011 / 1.004")]
    [InlineData("articles fetched twice", "0")]
    [InlineData("articles hedged / left unread", "0 / 3")]
    [InlineData("pipeline depth, mean", "2")]
    [InlineData("budget refusals (waits)", "17")]
    [InlineData("buffered at most, MiB", "112")]
    [InlineData("allocated bytes per byte", "0.050")]
    [InlineData("collections, gen 0 / 1 / 2", "4 / 1 / 0")]
    [InlineData("CPU, s", "1.25")]
    public void Each_stage_is_a_row_with_a_readable_name(string label, string text) =>
        Assert.Equal(text, Row(Costs("dotnet_gc_heap_total_allocated_bytes_total 0\n", Page, 1), label).Text);

    [Fact]
    public void Counts_from_before_the_run_are_subtracted()
    {
        var half = Page.Replace("1395", "395", StringComparison.Ordinal)
            .Replace("sum{provider=\"mock\"} 0.43", "sum{provider=\"mock\"} 0.23", StringComparison.Ordinal);

        Assert.Equal("500×200µs = 0.1s", Row(Costs(half, Page, 2), "decode").Text);
    }

    [Fact]
    public void A_stage_without_events_in_the_run_is_zero() => Assert.Equal("0", Row(Costs(Page, Page, 1), "connect").Text);

    /// <summary>A histogram without any measurement is not on the page.</summary>
    [Theory]
    [InlineData("reader wait", "nzbdav_reader_wait")]
    [InlineData("hand-over", "nzbdav_reader_hand_over")]
    [InlineData("connect", "nzbdav_usenet_connect")]
    [InlineData("socket write", "nzbdav_webdav_socket_write")]
    public void A_histogram_missing_from_the_page_is_zero(string label, string metric)
    {
        var page = string.Join('\n', Page.Split('\n').Where(line => !line.StartsWith(metric, StringComparison.Ordinal)));
        var row = Row(Costs("", page, 1), label);

        Assert.Equal("0", row.Text);
        Assert.Equal(0, row.Figures[0].Value);
    }

    [Fact]
    public void Figures_have_stable_names() => Assert.Equal(
        [
            "server_queue_wait_count_per_gb", "server_queue_wait_mean_ms", "server_queue_wait_s_per_gb",
            "server_connect_count_per_gb", "server_connect_mean_ms", "server_connect_s_per_gb",
            "server_first_byte_count_per_gb", "server_first_byte_mean_ms", "server_first_byte_s_per_gb",
            "server_receive_count_per_gb", "server_receive_mean_ms", "server_receive_s_per_gb",
            "server_decode_count_per_gb", "server_decode_mean_ms", "server_decode_s_per_gb",
            "server_hand_over_count_per_gb", "server_hand_over_mean_ms", "server_hand_over_s_per_gb",
            "server_socket_write_count_per_gb", "server_socket_write_mean_ms", "server_socket_write_s_per_gb",
            "server_reader_wait_count_per_gb", "server_reader_wait_mean_ms", "server_reader_wait_s_per_gb",
            "server_articles_over_served_ratio", "server_bytes_over_served_ratio", "server_fetched_twice_per_gb",
            "server_hedged_per_gb", "server_left_unread_per_gb", "server_pipeline_depth_mean", "server_budget_refusals_per_gb",
            "server_buffered_peak_mib", "server_allocated_bytes_per_byte",
            "server_gen0_collections_per_gb", "server_gen1_collections_per_gb", "server_gen2_collections_per_gb", "server_gen2_collections",
            "server_cpu_s_per_gb",
        ],
        Costs("", "", 1).SelectMany(row => row.Figures).Select(figure => figure.Name));

    [Theory]
    [InlineData("what is this")]
    [InlineData(null)]
    public void Figures_the_server_does_not_export_are_a_dash(string? page)
    {
        var rows = new ServerCosts(null, page is null ? null : MetricsPage.Parse(page), 1).Rows(null, null).ToArray();

        Assert.Equal(18, rows.Length);
        Assert.All(rows, row => Assert.Matches("^-( / -)*$", row.Text));
    }

    [Fact]
    public async Task The_peak_of_a_gauge_is_sampled_during_the_work()
    {
        var fixture = new LevelFixture("WebDAV", length: 1);
        var work = new TaskCompletionSource<int>();
        var peak = new GaugePeak(new ScriptedMeter("nzbdav_budget_reserved_bytes 7\n"), "nzbdav_budget_reserved_bytes", fixture.Time);
        var run = peak.DuringAsync(() => work.Task, CancellationToken.None);
        await fixture.Time.WhenArmedAsync(1);
        fixture.Time.Advance(TimeSpan.FromSeconds(1));
        peak.Look(MetricsPage.Parse("nzbdav_budget_reserved_bytes 5\n"));
        peak.Look(MetricsPage.Parse("something_else 9\n"));
        work.SetResult(3);

        Assert.Equal(3, await run);
        Assert.Equal(7, peak.Highest);
    }

    private static FigureRow Row(IEnumerable<FigureRow> rows, string label) => Assert.Single(rows, row => row.Label == label);

    private static IEnumerable<FigureRow> Costs(string before, string after, double gigabytes) =>
        new ServerCosts(MetricsPage.Parse(before), MetricsPage.Parse(after), gigabytes).Rows(TimeSpan.FromSeconds(1.25 * gigabytes), 111.9);
}
