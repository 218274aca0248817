using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Arrs;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Seeding;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>When a torrent counts as complete for the *arr that grabbed it, and when the *arr is told to give it up.</summary>
public sealed class StalledTorrentTests
{
    private const int PieceLength = 64 << 10;

    /// <summary>A piece in the middle of 8 MiB, between the head and the tail that count as edges.</summary>
    private const int Middle = 64;

    [Fact]
    public async Task A_torrent_is_complete_once_its_edges_are_verified_and_a_full_copy_was_seen()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(8 << 20, "Show.mkv"), seeders: 1);
        await using var gateway = await StartAsync(news, sonarr);
        using var arr = Arr(gateway);
        await arr.AddFileAsync("Show.torrent", swarm.File);
        var item = await arr.CompletedAsync(swarm.Torrent.HashText);
        Assert.Equal(1, item.Progress);

        // Only head and tail were downloaded: 2 MiB.
        Assert.InRange(swarm.Sent, 2 << 20, 3 << 20);
        Assert.DoesNotContain(sonarr.Lines("DELETE"), static line => line.StartsWith("DELETE queue", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_arr_hears_of_a_torrent_when_it_counts_as_complete_and_not_when_it_is_published()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        var partial = new SeederOptions { Has = static piece => piece != Middle };
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(8 << 20, "Show.mkv"), seeders: 1, partial);
        await using var gateway = await StartAsync(news, sonarr);
        using var arr = Arr(gateway);
        await arr.AddFileAsync("Show.torrent", swarm.File);
        await Deadline.UntilAsync(
            async () => (await arr.ItemsAsync()) is [{ State: "stalledDL" }] && swarm.Sent >= 2 << 20, "it is stalled");
        Assert.NotNull(await gateway.Client.FindAsync("/dav/content/tv/Show/Show.mkv"));
        Assert.Empty(sonarr.Commands);

        await using var whole = new MockSeeder(swarm.Torrent);
        await arr.PostAsync("torrents/addPeers", ("hashes", swarm.Torrent.HashText), ("peers", whole.Endpoint.ToString()));
        await Deadline.UntilAsync(() => Task.FromResult(sonarr.Commands.Count > 0), "Sonarr is notified");
        Assert.Equal("RefreshMonitoredDownloads", (string?)Assert.Single(sonarr.Commands)["name"]);
        Assert.Equal("Completed", Assert.Single(await arr.ItemsAsync()).Status);
    }

    [Fact]
    public async Task A_torrent_without_a_full_copy_fails_in_time_and_its_arr_blocklists_the_release_once()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var swarm = new TorrentSwarm(
            TorrentSwarm.Film(8 << 20, "Show.mkv"), seeders: 2, new SeederOptions { Has = static piece => piece != Middle });
        await using var gateway = await StartAsync(news, sonarr);
        var hash = swarm.Torrent.HashText;
        sonarr.Queue.Add(FakeArr.Parse($$"""{"id":7,"seriesId":5,"episodeId":9,"protocol":"torrent","downloadId":"{{hash.ToUpperInvariant()}}"}"""));
        sonarr.Queue.Add(FakeArr.Parse("""{"id":8,"seriesId":5,"episodeId":10,"protocol":"torrent","downloadId":"0123456789ABCDEF0123456789ABCDEF01234567"}"""));
        using var arr = Arr(gateway);
        await arr.AddFileAsync("Show.torrent", swarm.File);

        // The edges are there but no full copy. The torrent can be read nevertheless, and the *arr is left alone.
        await Deadline.UntilAsync(
            async () => (await arr.ItemsAsync()) is [{ State: "stalledDL", Status: "Warning" }] && swarm.Sent >= 2 << 20, "it is stalled");
        await swarm.AssertRangeAsync(gateway.Client, "/dav/content/tv/Show/Show.mkv", 0, 100_000);
        var stalled = gateway.Services.GetServices<IHostedService>().OfType<StalledTorrents>().Single();
        await stalled.RunAsync(Deadline.Token);
        Assert.DoesNotContain(sonarr.Lines("DELETE"), static line => line.StartsWith("DELETE queue", StringComparison.Ordinal));

        var seeding = gateway.Services.GetRequiredService<Live<SeedingOptions>>();
        seeding.Value = seeding.Value with { CopyTimeout = TimeSpan.FromTicks(1) };
        await Deadline.UntilAsync(async () => (await arr.ItemsAsync()) is [{ State: "error" }], "it is given up");
        var reason = (await gateway.Services.GetRequiredService<TorrentShelf>().FindAsync(hash, Deadline.Token))!.Reason;
        Assert.StartsWith(StalledTorrent.GivenUp, reason, StringComparison.Ordinal);
        await Deadline.UntilAsync(
            async () =>
            {
                await stalled.RunAsync(Deadline.Token);
                return Removals(sonarr).Length > 0;
            },
            "Sonarr is told to remove the download");
        await stalled.RunAsync(Deadline.Token);
        var removal = Assert.Single(Removals(sonarr));
        Assert.StartsWith("DELETE queue/7?", removal, StringComparison.Ordinal);
        Assert.Contains("blocklist=true", removal, StringComparison.Ordinal);
        Assert.Equal(8, (int)Assert.Single(sonarr.Queue)["id"]!);
    }

    private static string[] Removals(FakeArr arr) =>
        [.. arr.Lines("DELETE").Where(static line => line.StartsWith("DELETE queue", StringComparison.Ordinal))];

    private static QbitArr Arr(Gateway gateway) => new(gateway.Root, "sonarr", SettingsClient.Key, "tv");

    private static Task<Gateway> StartAsync(NewsServers news, FakeArr arr) =>
        Gateway.StartAsync(news, environment: new Dictionary<string, string?>(
            news.Environment.Select(static pair =>
                KeyValuePair.Create(pair.Key["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal), (string?)pair.Value)))
        {
            ["Api:Key"] = SettingsClient.Key,
            ["Api:ClientKey"] = "good-key",
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["Torrents:ListenAddress"] = "127.0.0.1",
            ["Torrents:PrivateHosts"] = "127.0.0.1",
            ["Torrents:Dht"] = "false",
            ["Torrents:LocalDiscovery"] = "false",
            ["Arrs:0:Application"] = "Sonarr",
            ["Arrs:0:Url"] = arr.Root,
            ["Arrs:0:ApiKey"] = FakeArr.Key,
            ["Arrs:0:Category"] = "tv",
        }, time: new FasterClock(5));
}
