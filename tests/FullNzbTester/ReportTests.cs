using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Tests;

public sealed class ReportTests
{
    private static readonly NetworkProfile Far = NetworkProfile.Find("far")!;

    [Fact]
    public async Task Figures_can_be_written_and_compared()
    {
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        try
        {
            var earlier = new RunFindings();
            earlier.Add(
                new FigureRow("WebDAV", "speed", [new Figure("webdav_sequential_mb_per_s", 400), new Figure("webdav_seek_p50_ms", null)]));
            await FigureFile.WriteAsync(path, [(Far, earlier)], CancellationToken.None);
            var read = await FigureFile.ReadAsync(path, CancellationToken.None);
            Assert.Equal(400, read["far.webdav_sequential_mb_per_s"]);
            Assert.False(read.ContainsKey("far.webdav_seek_p50_ms"));

            var now = new RunFindings();
            now.Add(new FigureRow("WebDAV", "speed", [new Figure("webdav_sequential_mb_per_s", 500), new Figure("webdav_new_ms", 1)]));
            var text = Written(console => ComparisonTable.Write(console, read, [(Far, now)]));
            Assert.Matches("far.webdav_sequential_mb_per_s .* 400 .* 500 .* 1.25 ", text);
            Assert.DoesNotContain("webdav_new_ms", text, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void The_table_names_failed_stages()
    {
        var findings = new RunFindings();
        findings.Add(new FigureRow(
            "WebDAV", "seek, ms", [new Figure("webdav_seek_p50_ms", 51.24), new Figure("webdav_seek_p95_ms", 1234.5)], "slow"));
        findings.Fail("seek (WebDAV)", "first read at byte 7 took 2,013 ms, limit 1,500 ms.");

        var text = Written(console => SummaryTable.Write(console, new TesterOptions { Missing = 0.01 }, [(Far, findings)]));

        Assert.Contains("51.2 / 1,235  slow", text, StringComparison.Ordinal);
        Assert.Contains("1.0 % gone", text, StringComparison.Ordinal);
        Assert.Contains("FAILED  far: seek (WebDAV): first read at byte 7 took 2,013 ms, limit 1,500 ms.", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Four_networks_fit_side_by_side()
    {
        var runs = NetworkProfile.Named.Select(network => (network, Findings())).ToArray();

        var text = Written(console => SummaryTable.Write(console, new TesterOptions(), runs));

        var lines = text.Split('\n');
        Assert.All(lines, line => Assert.True(line.Length <= 120, line));
        foreach (var row in runs[0].Item2.Rows)
        {
            // Its label and its four cells, not cut off.
            var line = Assert.Single(lines, line => line.Trim().StartsWith(row.Label, StringComparison.Ordinal));
            Assert.Equal(4, line.Split(row.Text).Length - 1);
        }

        static RunFindings Findings()
        {
            var findings = new RunFindings();
            foreach (var row in new ServerCosts(MetricsPage.Parse(""), MetricsPage.Parse(ServerCostsTests.Page), 1)
                .Rows(TimeSpan.FromSeconds(1.234), 111.9))
                findings.Add(row);
            findings.Add(new FigureRow("WebDAV", "its head / tail / 8 MiB middle",
                [new Figure("a_ms", 1123.4), new Figure("b_ms", 56.7), new Figure("c_ms", 168.9)]));
            return findings;
        }
    }

    [Fact]
    public void A_network_read_with_and_without_TLS_shows_the_cost_of_TLS()
    {
        var (plain, tls, alone) = (new RunFindings(), new RunFindings(), new RunFindings());
        plain.Add(
            new FigureRow("WebDAV", "speed", [new Figure("webdav_sequential_mb_per_s", 1000), new Figure("server_cpu_s_per_gb", 0.5)]));
        tls.Add(new FigureRow("WebDAV", "speed", [new Figure("webdav_sequential_mb_per_s", 800), new Figure("server_cpu_s_per_gb", 1)]));
        alone.Add(new FigureRow("WebDAV", "speed", [new Figure("webdav_sequential_mb_per_s", 900)]));

        TlsRatios.AddTo([(Far, plain), (Far.OverTls, tls), (NetworkProfile.Find("line")!.OverTls, alone)]);

        Assert.Equal(0.8, tls["tls_over_plain_sequential_ratio"]);
        Assert.Equal(2, tls["tls_over_plain_server_cpu_ratio"]);
        Assert.Null(tls["tls_over_plain_floor_ratio"]);
        Assert.Null(plain["tls_over_plain_sequential_ratio"]);
        Assert.Null(alone["tls_over_plain_sequential_ratio"]);
    }

    [Theory]
    [InlineData(0, "0µs")]
    [InlineData(0.0000031, "3.1µs")]
    [InlineData(0.000310, "310µs")]
    [InlineData(0.0009999, "1ms")]
    [InlineData(0.0521, "52.1ms")]
    [InlineData(0.43, "430ms")]
    [InlineData(12.34, "12.3s")]
    [InlineData(418.2, "418s")]
    public void Times_have_three_digits_and_a_unit(double seconds, string text) => Assert.Equal(text, Duration.Text(seconds));

    [Fact]
    public void Quantiles_are_those_of_the_sorted_values()
    {
        var times = new ReadTimes();
        foreach (var ms in Enumerable.Range(1, 100).Reverse())
            times.Add(TimeSpan.FromMilliseconds(ms * 10), ms);

        Assert.Equal([510, 960, 1000], new[] { times.Quantile(0.5), times.Quantile(0.95), times.Quantile(1) });
        Assert.Equal((1000, 100, 50), (times.Slowest, times.SlowestAt, times.Stalls));
    }

    private static string Written(Action<IAnsiConsole> write)
    {
        var writer = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        { Ansi = AnsiSupport.No, ColorSystem = ColorSystemSupport.NoColors, Out = new AnsiConsoleOutput(writer) });
        console.Profile.Width = SummaryTable.Width;
        write(console);
        return writer.ToString();
    }
}
