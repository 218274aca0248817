using System.Net;
using System.Text.Json;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

public sealed class StatsTests
{
    [Fact]
    public async Task Every_event_is_counted_once()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 8));
        provider.Faults.Add(Fault.Corrupt, FaultTarget.Indexes(file, 7));
        await using var probe = await Probe.OpenAsync(provider);
        foreach (var index in new[] { 0, 1, 1, 7 })
        {
            await probe.AskAsync($"BODY <{file.Segments[index].MessageId}>");
            await probe.BlockAsync();
        }

        await probe.AskAsync($"BODY <{file.Segments[8].MessageId}>");
        await probe.AskAsync($"STAT <{file.Segments[0].MessageId}>");
        await probe.AskAsync("NONSENSE");
        await probe.AskAsync("DATE");
        var stats = provider.Stats;
        Assert.Equal(4, stats.ArticlesServed);
        Assert.Equal(20_000, stats.PayloadBytes);
        Assert.InRange(stats.WireBytes, 20_000, 23_000);
        Assert.Equal(4, stats.ArticlesAsked);
        Assert.Equal(1, stats.ArticlesAskedAgain);
        Assert.Equal([file.Segments[1].MessageId], stats.AskedAgain);
        Assert.Equal(5, stats.Commands["BODY"]);
        Assert.Equal(1, stats.Commands["STAT"]);
        Assert.Equal(1, stats.Commands["UNKNOWN"]);
        Assert.Equal(1, stats.Faults["Missing"]);
        Assert.Equal(1, stats.Faults["Corrupt"]);
        Assert.Equal(1, stats.ConnectionsOpened);
        Assert.Equal(1, stats.ConnectionsOpen);

        provider.ResetStats();
        stats = provider.Stats;
        Assert.Equal(0, stats.ArticlesServed);
        Assert.Empty(stats.Commands);
        Assert.Equal(1, stats.ConnectionsOpen);
    }

    [Fact]
    public async Task The_statistics_port_reports_and_resets()
    {
        var file = Post.Seeded(out var store);
        var options = new MockServerOptions { StatsPort = 0, Providers = [new() { Name = "a" }, new() { Name = "b" }] };
        await using var server = await MockUsenetServer.StartAsync(store, options);
        var nzb = server.PublishNzb("my file.nzb", [file]);
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{server.StatsPort}/") };
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync("health")).StatusCode);
        Assert.Equal(nzb, await http.GetByteArrayAsync("nzb/my%20file.nzb"));
        Assert.Equal(HttpStatusCode.NotFound, (await http.GetAsync("nzb/other.nzb")).StatusCode);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, (await http.GetAsync("reset")).StatusCode);

        await using var probe = await Probe.OpenAsync(server.Providers[1]);
        await probe.AskAsync("DATE");
        Assert.Equal(1, await DatesAsync());
        Assert.Equal(HttpStatusCode.OK, (await http.PostAsync("reset", null)).StatusCode);
        Assert.Equal(0, await DatesAsync());

        async Task<int> DatesAsync()
        {
            using var document = JsonDocument.Parse(await http.GetByteArrayAsync("stats"));
            var providers = document.RootElement.GetProperty("providers");
            Assert.Equal(2, providers.GetArrayLength());
            Assert.Equal("b", providers[1].GetProperty("name").GetString());
            return providers[1].GetProperty("commands").TryGetProperty("DATE", out var dates) ? dates.GetInt32() : 0;
        }
    }

    [Fact]
    public async Task A_server_that_cannot_start_leaves_nothing_behind()
    {
        Post.Seeded(out var store);
        await using var first = MockProvider.Start(store);
        var options = new MockServerOptions { Providers = [new(), new() { Port = first.Port }] };
        await Assert.ThrowsAsync<System.Net.Sockets.SocketException>(() => MockUsenetServer.StartAsync(store, options));
    }
}
