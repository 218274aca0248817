using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Torrents;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Settings;
using NzbDav.Seeding;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Torrents in the native API.</summary>
public sealed class NativeTorrentTests
{
    private const string FilmPath = "/dav/content/movies/film/film.mkv";

    /// <summary>Private torrents are only streamed too.</summary>
    private static readonly Func<NzbDavSettings, NzbDavSettings> Streaming =
        static settings => settings with
        {
            Torrents = settings.Torrents with { Seeding = settings.Torrents.Seeding with { KeepPrivate = false } },
        };

    [Fact]
    public async Task A_torrent_is_listed_with_its_swarm_and_as_closed_after_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(4_000_000, isPrivate: true));
        string hash;
        await using (var gateway = await Gateway.StartAsync(news, folder, Streaming))
        {
            using var client = OperatorClient.Of(gateway);
            await gateway.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
            await gateway.WaitAsync("film");
            await swarm.AssertFileAsync(gateway.Client, FilmPath);
            JsonElement torrent = default;
            await Deadline.UntilAsync(
                async () =>
                {
                    torrent = Assert.Single((await ListAsync(client)));
                    return torrent.GetProperty("pieces") is { ValueKind: JsonValueKind.Number } pieces
                        && pieces.GetInt32() == torrent.GetProperty("have").GetInt32() && torrent.GetProperty("peers").GetInt32() == 2
                        && torrent.GetProperty("downloaded").GetInt64() >= 4_000_000;
                },
                "all of it has arrived and is counted");
            hash = torrent.GetProperty("infoHash").GetString()!;
            Assert.Equal(("active", "film.mkv", true, 4_000_000L), (torrent.GetProperty("state").GetString(), torrent.GetProperty("name")
                .GetString(), torrent.GetProperty("private").GetBoolean(), torrent.GetProperty("size").GetInt64()));
            var job = await gateway.FindJobAsync("film");
            Assert.Equal(
                ($"{job!.ItemId}", $"{job.Id}"), (torrent.GetProperty("itemId").GetString(), torrent.GetProperty("jobId").GetString()));

            var (status, details) = await client.AskAsync("GET", $"/api/v1/torrents/{hash}");
            Assert.Equal(HttpStatusCode.OK, status);
            Assert.Equal("working", Assert.Single(details.GetProperty("trackers").EnumerateArray()).GetProperty("state").GetString());
            Assert.Equal(2, details.GetProperty("peersList").GetArrayLength());
            Assert.Equal("held", Assert.Single(details.GetProperty("runs").EnumerateArray()).GetProperty("state").GetString());
            var file = Assert.Single(details.GetProperty("files").EnumerateArray());
            Assert.Equal(("film.mkv", 4_000_000L, 4_000_000L, true), (file.GetProperty("path").GetString(), file.GetProperty("size")
                .GetInt64(), file.GetProperty("have").GetInt64(), file.GetProperty("itemId").GetString()!.Length > 5));
            Assert.DoesNotContain("info_hash", details.ToString(), StringComparison.Ordinal);

            Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"upRate":50000,"downRate":9000000}""")).Status);
            Assert.Equal(9_000_000,
                (await client.AskAsync("GET", $"/api/v1/torrents/{hash}")).Body.GetProperty("limits").GetProperty("downRate").GetInt64());
            Assert.Equal(HttpStatusCode.UnprocessableEntity, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"downRate":10000}""")).Status);
            Assert.Equal(50_000,
                (await client.AskAsync("GET", $"/api/v1/torrents/{hash}")).Body.GetProperty("limits").GetProperty("upRate").GetInt64());
            Assert.Equal(HttpStatusCode.UnprocessableEntity, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"upRate":10}""")).Status);
            Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("GET", $"/api/v1/torrents/{new string('0', 40)}")).Status);

            // Before that, the torrent would join its swarm after a restart.
            var torrents = gateway.Services.GetRequiredService<TorrentStore>();
            await Deadline.UntilAsync(
                async () => (await torrents.FindAsync(hash, Deadline.Token))?.Ready is not null, "it counts as complete");
        }

        await using (var gateway = await Gateway.StartAsync(news, folder, Streaming))
        {
            using var client = OperatorClient.Of(gateway);
            var torrent = Assert.Single(await ListAsync(client));
            Assert.Equal((hash, "closed", "film"), (torrent.GetProperty("infoHash").GetString(), torrent.GetProperty("state").GetString(),
                torrent.GetProperty("name").GetString()));
            var (_, details) = await client.AskAsync("GET", $"/api/v1/torrents/{hash}");
            Assert.Equal("film.mkv", Assert.Single(details.GetProperty("files").EnumerateArray()).GetProperty("path").GetString());

            // A deleted torrent disappears from the list at once.
            var item = torrent.GetProperty("itemId").GetString();
            Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("POST", "/api/v1/files/actions", $$"""{"ids":["{{item}}"],"action":"delete"}""")).Status);
            Assert.Empty(await ListAsync(client));
        }
    }

    [Fact]
    public async Task A_magnet_link_without_peers_says_why_it_is_stalled()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        swarm.Swarm.Tracker.Failure = "unregistered torrent";
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        await gateway.Client.PutAsync("/dav/torrents/movies/film.magnet", System.Text.Encoding.UTF8.GetBytes(swarm.Magnet));
        JsonElement torrent = default;
        await Deadline.UntilAsync(
            async () =>
            {
                var all = await ListAsync(client);
                torrent = all.Length == 1 ? all[0] : default;
                return all.Length == 1 && torrent.GetProperty("reason")
                    .GetString()?.Contains("refused: unregistered torrent. No peers are known.", StringComparison.Ordinal) == true;
            },
            "the reason is reported");
        Assert.Equal("metadata", torrent.GetProperty("state").GetString());
        Assert.Equal($"{(await gateway.FindJobAsync("film"))!.Id}", torrent.GetProperty("jobId").GetString());
    }

    [Fact]
    public async Task A_kept_torrent_reports_its_phase_totals_policy_sources_and_peers()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(2_000_000));
        await using var gateway = await Gateway.StartAsync(news, change: Keeping, time: new FasterClock(5));
        using var client = OperatorClient.Of(gateway);
        var hash = await AddAsync(gateway, client, swarm);
        JsonElement torrent = default;
        await Deadline.UntilAsync(
            async () =>
            {
                torrent = Assert.Single(await ListAsync(client));
                return torrent.GetProperty("phase").GetString() == "seedIdle" && torrent.GetProperty("downloaded").GetInt64() == 2_000_000
                    && torrent.GetProperty("knownSeeds").ValueKind == JsonValueKind.Number;
            },
            "it is kept and seeded");
        Assert.Equal(
            ("movies", true, false, 1.0, 0.0),
            (torrent.GetProperty("category").GetString(), torrent.GetProperty("kept").GetBoolean(), torrent.GetProperty("forced")
            .GetBoolean(), torrent.GetProperty("progress").GetDouble(), torrent.GetProperty("ratio").GetDouble()));
        Assert.Equal(JsonValueKind.Null, torrent.GetProperty("position").ValueKind);

        var (_, details) = await client.AskAsync("GET", $"/api/v1/torrents/{hash}");
        var share = details.GetProperty("share");
        Assert.Equal(
            (true, 2.0, 60.0, true, "remove", 0.0),
            (share.GetProperty("keep").GetBoolean(), share.GetProperty("ratio").GetDouble(), share.GetProperty("seedMinutes").GetDouble(),
            share.GetProperty("needsBoth").GetBoolean(), share.GetProperty("atLimit").GetString(), share.GetProperty("progress")
            .GetDouble()));
        Assert.All(share.GetProperty("own").EnumerateObject(), static own => Assert.Equal(JsonValueKind.Null, own.Value.ValueKind));
        Assert.Equal(JsonValueKind.String, details.GetProperty("times").GetProperty("completed").ValueKind);
        Assert.StartsWith(gateway.ConfigFolder, details.GetProperty("folder").GetString(), StringComparison.Ordinal);
        var tracker = Assert.Single(details.GetProperty("trackers").EnumerateArray());
        Assert.Equal(("tracker", 0, "http", 1), (tracker.GetProperty("source").GetString(), tracker.GetProperty("tier").GetInt32(),
            tracker.GetProperty("protocol").GetString(), tracker.GetProperty("leechers").GetInt32()));
        Assert.Equal([("dht", "off"), ("exchange", "working"), ("local", "off")], details.GetProperty("sources").EnumerateArray()
            .Select(static row => (row.GetProperty("source").GetString()!, row.GetProperty("state").GetString()!)));
        var peers = details.GetProperty("peersList").EnumerateArray().ToArray();
        Assert.Equal(2, peers.Length);
        Assert.Equal(2_000_000, peers.Sum(static peer => peer.GetProperty("downloaded").GetInt64()));
        Assert.All(peers, static peer =>
            Assert.Contains("tracker", peer.GetProperty("sources").EnumerateArray().Select(static source => source.GetString())));
        Assert.All(
            peers, static peer => Assert.Contains(peer.GetProperty("encryption").GetString(), new[] { "none", "handshake", "full" }));

        var (status, network) = await client.AskAsync("GET", "/api/v1/torrents/network");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal((true, "off", "prefer", 2_000_000L), (network.GetProperty("port").GetInt32() > 0, network.GetProperty("mapping")
            .GetString(), network.GetProperty("encryption").GetString(), network.GetProperty("downloaded").GetInt64()));
    }

    [Fact]
    public async Task Operators_stop_start_and_force_torrents_and_set_files_and_share_limits()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(2_000_000));
        await using var gateway = await Gateway.StartAsync(news, change: Keeping, time: new FasterClock(5));
        using var client = OperatorClient.Of(gateway);
        var hash = await AddAsync(gateway, client, swarm);
        await UntilPhaseAsync(client, "seedIdle");
        await ActAsync(client, hash, "stop");
        await Deadline.UntilAsync(async () => Assert.Single(await ListAsync(client)) is var torrent && torrent.GetProperty("phase")
            .GetString() == "seedStopped" && torrent.GetProperty("state").GetString() == "closed", "it left its swarm");
        await ActAsync(client, hash, "force");
        await Deadline.UntilAsync(async () => Assert.Single(await ListAsync(client)) is var torrent
            && torrent.GetProperty("state").GetString() == "active" && torrent.GetProperty("forced").GetBoolean(), "it runs by force");
        await ActAsync(client, hash, "unforce");
        Assert.False(Assert.Single(await ListAsync(client)).GetProperty("forced").GetBoolean());
        foreach (var action in new[] { "recheck", "announce", "top", "up", "down", "bottom", "start" })
            await ActAsync(client, hash, action);

        var path = $"/api/v1/torrents/{hash}";
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("PUT", $"{path}/policy", """{"keep":true,"ratio":-1,"seedMinutes":30,"atLimit":"stop"}""")).Status);
        var share = (await client.AskAsync("GET", path)).Body.GetProperty("share");
        Assert.Equal((JsonValueKind.Null, 30.0, "stop", -1.0), (share.GetProperty("ratio").ValueKind, share.GetProperty("seedMinutes")
            .GetDouble(), share.GetProperty("atLimit").GetString(), share.GetProperty("own").GetProperty("ratio").GetDouble()));
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("PUT", $"{path}/files", """{"files":[0],"priority":"high"}""")).Status);
        var file = Assert.Single((await client.AskAsync("GET", path)).Body.GetProperty("files").EnumerateArray());
        Assert.Equal((0, "high"), (file.GetProperty("index").GetInt32(), file.GetProperty("priority").GetString()));

        foreach (var (method, wrong, body) in new[]
        {
            ("PUT", $"{path}/files", """{"files":[7],"priority":"high"}"""), ("PUT", $"{path}/files", """{"files":[],"priority":"high"}"""), ("PUT", $"{path}/policy", """{"ratio":-2}"""),
            ("PUT", $"{path}/policy", """{"seedMinutes":6000000}"""), ("POST", "/api/v1/torrents/actions", $$"""{"hashes":["{{hash}}"]}"""), ("POST", "/api/v1/torrents/actions", """{"hashes":[],"action":"stop"}"""),
        })
            Assert.Equal(HttpStatusCode.UnprocessableEntity, (await client.AskAsync(method, wrong, body)).Status);
        var unknown = new string('0', 40);
        Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("PUT", $"/api/v1/torrents/{unknown}/policy", "{}")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("PUT", $"/api/v1/torrents/{unknown}/files", """{"files":[0],"priority":"skip"}""")).Status);
        var answer = (await client.AskAsync("POST", "/api/v1/torrents/actions", $$"""{"hashes":["{{unknown}}"],"action":"stop"}""")).Body;
        Assert.Equal((0, unknown), (answer.GetProperty("done").GetInt32(),
            Assert.Single(answer.GetProperty("refused").EnumerateArray()).GetProperty("id").GetString()));
    }

    /// <summary>Films are kept and seeded until a ratio of two and an hour are reached, then removed.</summary>
    private static NzbDavSettings Keeping(NzbDavSettings settings) => settings with
    {
        Torrents = settings.Torrents with
        {
            Seeding = settings.Torrents.Seeding with
            {
                KeepCategories = ["movies"],
                Limits = new SharePolicy { Ratio = 2, SeedTime = TimeSpan.FromHours(1), NeedsBoth = true, AtLimit = LimitAction.Remove },
            },
        },
    };

    private static async Task<string> AddAsync(Gateway gateway, OperatorClient client, TorrentSwarm swarm)
    {
        await gateway.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
        await gateway.WaitAsync("film");
        return Assert.Single(await ListAsync(client)).GetProperty("infoHash").GetString()!;
    }

    private static Task UntilPhaseAsync(OperatorClient client, string phase) =>
        Deadline.UntilAsync(async () => Assert.Single(await ListAsync(client)).GetProperty("phase").GetString() == phase, $"it is {phase}");

    private static async Task ActAsync(OperatorClient client, string hash, string action)
    {
        var (status, answer) = await client.AskAsync("POST", "/api/v1/torrents/actions", $$"""{"hashes":["{{hash}}"],"action":"{{action}}"}""");
        Assert.Equal((HttpStatusCode.OK, 1), (status, answer.GetProperty("done").GetInt32()));
    }

    private static async Task<JsonElement[]> ListAsync(OperatorClient client)
    {
        var (status, body) = await client.AskAsync("GET", "/api/v1/torrents");
        Assert.Equal(HttpStatusCode.OK, status);
        return [.. body.GetProperty("torrents").EnumerateArray()];
    }
}
