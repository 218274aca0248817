using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Warming;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Telemetry;

/// <summary>Metrics for Prometheus and for an OTLP collector.</summary>
public sealed class MetricsTests
{
    [Fact]
    public async Task OPS_03_Metrics_pass_the_lint_cover_providers_streams_queue_and_process_and_name_no_files()
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one \"q\" \\ b" }, new MockProviderOptions { Name = "two" });
        await using var torrent = new TorrentSwarm(TorrentSwarm.Film(2_000_000, "secret torrent.mkv"));
        await using var gateway = await Gateway.StartAsync(news);
        await using var second = await Gateway.StartAsync(news);
        var film = news.Post("secret film.mkv", 3_000_000);
        var gone = news.Post("secret gone.mkv", 3_000_000);
        await gateway.ImportAsync("secret job", film);
        news.Fault(Fault.Missing, FaultTarget.File(gone));
        await gateway.Client.PutAsync("/dav/nzbs/movies/gone.nzb", NzbWriter.ToBytes([gone]));
        await gateway.WaitAsync("gone");
        await gateway.Client.PutAsync("/dav/torrents/movies/t.torrent", torrent.File);
        await gateway.WaitAsync("t");
        await gateway.Client.AssertFileAsync(DavClient.Path("content", "movies", "secret job", "secret film.mkv"), film);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        await http.GetAsync("/nothing/here/secret?apikey=secret");
        await Deadline.UntilAsync(
            async () => PrometheusLint.Read(await gateway.MetricsAsync()).Samples["nzbdav_webdav_streams{}"] == 0, "the stream ended");
        await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
        var text = await gateway.MetricsAsync();
        var first = PrometheusLint.Read(text);
        Assert.DoesNotContain("secret", text, StringComparison.OrdinalIgnoreCase);

        const string One = "provider=\"one \\\"q\\\" \\\\ b\"";
        Assert.True(first.Samples[$"nzbdav_usenet_article_bytes_total{{{One}}}"] >= 3_000_000);
        Assert.True(first.Samples[$"nzbdav_usenet_articles_total{{{One},outcome=\"found\"}}"] >= 5);
        Assert.True(first.Samples[$"nzbdav_usenet_articles_total{{{One},outcome=\"missing\"}}"] >= 1);
        Assert.Equal(8, first.Samples[$"nzbdav_usenet_connections_max{{{One}}}"]);
        Assert.InRange(first.Samples[$"nzbdav_usenet_connections{{{One}}}"], 1, 8);
        Assert.True(first.Samples["nzbdav_webdav_bytes_total{}"] >= 3_000_000);
        Assert.True(first.Samples["nzbdav_webdav_first_byte_seconds_count{}"] >= 1);
        Assert.Equal(2, first.Samples["nzbdav_history_jobs{state=\"completed\"}"]);
        Assert.Equal(1, first.Samples["nzbdav_history_jobs{state=\"failed\"}"]);
        Assert.Equal(0, first.Samples["nzbdav_queue_jobs{state=\"queued\"}"]);
        foreach (var name in (string[])["nzbdav_torrents_open", "nzbdav_torrents_payload_bytes_total",
            "http_server_request_duration_seconds", "kestrel_active_connections", "dotnet_process_cpu_time_seconds_total",
            "dotnet_process_memory_working_set_bytes", "dotnet_gc_collections_total"])
            Assert.Contains(name, first.Types.Keys);

        // These values also go down, whatever the runtime calls them.
        Assert.Equal("gauge", first.Types["dotnet_thread_pool_queue_length"]);
        Assert.Equal("gauge", first.Types["dotnet_thread_pool_thread_number"]);

        await gateway.Client.AssertFileAsync(DavClient.Path("content", "movies", "secret job", "secret film.mkv"), film);
        var after = PrometheusLint.Read(await gateway.MetricsAsync());
        after.AssertFollows(first);
        Assert.Equal(3_000_000, after.Samples["nzbdav_webdav_bytes_total{}"] - first.Samples["nzbdav_webdav_bytes_total{}"]);

        // Another server in the same process has its own counts.
        Assert.True(PrometheusLint.Read(await second.MetricsAsync()).Samples.GetValueOrDefault("nzbdav_webdav_bytes_total{}") < 3_000_000);
    }

    [Fact]
    public async Task OPS_03_Connections_waiting_for_an_article_count_as_busy_per_provider()
    {
        await using var news = new NewsServers();
        var film = news.Post("film.mkv", 3_000_000);
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("film", film);
        await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
        gateway.ForgetArticles();
        await Deadline.UntilAsync(async () => await BusyAsync() == 0, "no connection is busy");
        var asked = news.Stall(film, 2);
        var reading = gateway.Client.AssertRangeAsync(
            DavClient.Path("content", "movies", "film", "film.mkv"), film, film.Segments[2].Offset, 3_000_000);
        await asked;
        Assert.InRange(await BusyAsync(), 1, 8);
        news.Mend();
        await reading;
        await Deadline.UntilAsync(async () => await BusyAsync() == 0, "no connection is busy any more");

        // One number for each provider, whatever its connections are used for.
        async Task<double> BusyAsync()
        {
            var page = PrometheusLint.Read(await gateway.MetricsAsync());
            return Assert.Single(
                page.Samples, sample => sample.Key.StartsWith("nzbdav_usenet_connections_busy{", StringComparison.Ordinal)).Value;
        }
    }

    [Theory]
    [InlineData("# HELP a_total x\n# TYPE a_total counter\na_total 1\na_total 2\n")]
    [InlineData("# HELP nzbdav_a x\n# TYPE nzbdav_a counter\nnzbdav_a 1\n")]
    [InlineData("# HELP nzbdav_a x\n# TYPE nzbdav_a gauge\nnzbdav_a 1\nnzbdav_a 2\n")]
    [InlineData("# HELP nzbdav_a x\n# TYPE nzbdav_a gauge\nnzbdav_b 1\n")]
    [InlineData("# HELP nzbdav_a x\n# TYPE nzbdav_a gauge\nnzbdav_a{b=\"c\"d\"} 1\n")]
    [InlineData(
        "# HELP nzbdav_a x\n# TYPE nzbdav_a gauge\nnzbdav_a 1\n# HELP nzbdav_b x\n# TYPE nzbdav_b gauge\nnzbdav_b 1\n# HELP nzbdav_a x\n")]
    [InlineData(
        "# HELP nzbdav_a_seconds x\n# TYPE nzbdav_a_seconds histogram\nnzbdav_a_seconds_bucket{le=\"1\"} 1\nnzbdav_a_seconds_sum " +
        "1\nnzbdav_a_seconds_count 1\n")]
    [InlineData(
        "# HELP nzbdav_a_seconds x\n# TYPE nzbdav_a_seconds histogram\nnzbdav_a_seconds_bucket{le=\"1\"} " +
        "2\nnzbdav_a_seconds_bucket{le=\"+Inf\"} 1\nnzbdav_a_seconds_sum 1\nnzbdav_a_seconds_count 1\n")]
    [InlineData("# TYPE nzbdav_a gauge\nnzbdav_a 1\n")]
    [InlineData("nzbdav_a 1\n")]
    public void The_lint_finds_faults(string text) => Assert.ThrowsAny<Xunit.Sdk.XunitException>(() => PrometheusLint.Read(text));

    [Theory]
    [InlineData("http/protobuf")]
    [InlineData("grpc")]
    public async Task Metrics_and_traces_go_to_a_configured_OTLP_collector(string protocol)
    {
        await using var collector = await OtlpCollector.StartAsync(grpc: protocol == "grpc");
        await using var news = new NewsServers();
        using var folder = new Folder();
        var film = news.Post("private name.mkv", 1_000_000);
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Otlp__Endpoint"] = collector.Url;
        environment["NzbDav__Otlp__Protocol"] = protocol;
        environment["NzbDav__Otlp__Headers"] = "x-tenant=t3nant-secret";

        // An export has two seconds, which the first may take on a busy machine: it is tried again.
        environment["OTEL_METRIC_EXPORT_INTERVAL"] = environment["OTEL_BSP_SCHEDULE_DELAY"] = "500";
        await using (var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([film]));
            await client.UntilAsync("/dav/content/movies/film/private name.mkv".Replace(" ", "%20", StringComparison.Ordinal));
            await Deadline.UntilAsync(
                async () =>
                {
                    await client.AssertFileAsync("/dav/content/movies/film/private%20name.mkv", film);
                    return collector.Metrics.Contains("nzbdav.webdav.bytes") && collector.Spans.Contains("read");
                },
                "the collector has them");
            Assert.True(server.HasLoaded("OpenTelemetry"));
            server.Terminate();
            Assert.Equal(0, await server.ExitAsync(TimeSpan.FromSeconds(10)));
        }

        Assert.Contains("nzbdav.webdav.bytes", collector.Metrics);
        Assert.Contains("nzbdav.usenet.connections_max", collector.Metrics);
        Assert.Contains("http.server.request.duration", collector.Metrics);
        Assert.Contains("read", collector.Spans);
        Assert.Equal("t3nant-secret", collector.Tenant);
        Assert.False(collector.Holds("private name") || collector.Holds("private%20name"), "a file's name was sent");
    }

    [Fact]
    public async Task A_collector_set_at_run_time_gets_metrics_until_another_is_set()
    {
        await using var first = await OtlpCollector.StartAsync();
        await using var second = await OtlpCollector.StartAsync();
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, environment: new Dictionary<string, string?> { ["Api:Key"] = SettingsClient.Key, ["Torrents:Enabled"] = "false" });
        var settings = new SettingsClient(gateway);
        await settings.ChangeAsync(new Dictionary<string, object> { ["Otlp:Endpoint"] = first.Url, ["Otlp:Headers"] = "x-tenant=one" });
        await settings.ChangeAsync(new Dictionary<string, object> { ["Otlp:Endpoint"] = second.Url, ["Otlp:Headers"] = "x-tenant=two" });

        // The first collector still gets the remaining values when the change is noticed.
        await Deadline.UntilAsync(() => first.Metrics.Contains("http.server.request.duration"), "the first collector got its share");
        Assert.Equal("one", first.Tenant);
        await settings.ChangeAsync(new Dictionary<string, object?> { ["Otlp:Endpoint"] = null, ["Otlp:Headers"] = null });
        await Deadline.UntilAsync(() => second.Metrics.Contains("http.server.request.duration"), "the second collector got its share");
        Assert.Equal("two", second.Tenant);
    }

    [Fact]
    public async Task Without_an_OTLP_endpoint_OpenTelemetry_is_not_loaded()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        Assert.Equal(HttpStatusCode.Unauthorized, (await client.AskAsync("GET", "/metrics")).Status);
        Assert.True(server.HasLoaded("Serilog"));
        Assert.False(server.HasLoaded("OpenTelemetry"));
    }
}
