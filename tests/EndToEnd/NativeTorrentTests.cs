using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockSwarm;

namespace NzbDav.EndToEnd.Tests;

/// <summary>Torrents over the native API.</summary>
public sealed class NativeTorrentTests
{
    private const string FilmPath = "/dav/content/movies/film/film.mkv";

    [Fact]
    public async Task A_torrent_is_listed_with_its_swarm_and_after_a_restart_as_closed()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(4_000_000, isPrivate: true));
        string hash;
        await using (var gateway = await Gateway.StartAsync(news, folder))
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
                    return torrent.GetProperty("pieces") is { ValueKind: JsonValueKind.Number } pieces && pieces.GetInt32() == torrent.GetProperty("have").GetInt32() && torrent.GetProperty("peers").GetInt32() == 2;
                },
                "all of it is here");
            hash = torrent.GetProperty("infoHash").GetString()!;
            Assert.Equal(("active", "film.mkv", true, 4_000_000L), (torrent.GetProperty("state").GetString(), torrent.GetProperty("name").GetString(), torrent.GetProperty("private").GetBoolean(), torrent.GetProperty("size").GetInt64()));
            Assert.True(torrent.GetProperty("downloaded").GetInt64() >= 4_000_000);
            var job = await gateway.FindJobAsync("film");
            Assert.Equal(($"{job!.ItemId}", $"{job.Id}"), (torrent.GetProperty("itemId").GetString(), torrent.GetProperty("jobId").GetString()));

            var (status, details) = await client.AskAsync("GET", $"/api/v1/torrents/{hash}");
            Assert.Equal(HttpStatusCode.OK, status);
            Assert.Equal("working", Assert.Single(details.GetProperty("trackers").EnumerateArray()).GetProperty("state").GetString());
            Assert.Equal(2, details.GetProperty("peersList").GetArrayLength());
            Assert.Equal("held", Assert.Single(details.GetProperty("runs").EnumerateArray()).GetProperty("state").GetString());
            var file = Assert.Single(details.GetProperty("files").EnumerateArray());
            Assert.Equal(("film.mkv", 4_000_000L, 4_000_000L, true), (file.GetProperty("path").GetString(), file.GetProperty("size").GetInt64(), file.GetProperty("have").GetInt64(), file.GetProperty("itemId").GetString()!.Length > 5));
            Assert.DoesNotContain("info_hash", details.ToString(), StringComparison.Ordinal);

            Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"upRate":50000,"downRate":9000000}""")).Status);
            Assert.Equal(9_000_000, (await client.AskAsync("GET", $"/api/v1/torrents/{hash}")).Body.GetProperty("limits").GetProperty("downRate").GetInt64());
            Assert.Equal(HttpStatusCode.UnprocessableEntity, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"downRate":10000}""")).Status);
            Assert.Equal(50_000, (await client.AskAsync("GET", $"/api/v1/torrents/{hash}")).Body.GetProperty("limits").GetProperty("upRate").GetInt64());
            Assert.Equal(HttpStatusCode.UnprocessableEntity, (await client.AskAsync("PUT", $"/api/v1/torrents/{hash}/limits", """{"upRate":10}""")).Status);
            Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("GET", $"/api/v1/torrents/{new string('0', 40)}")).Status);

            // Until then it would be in its swarm after a restart too.
            var torrents = gateway.Services.GetRequiredService<TorrentStore>();
            await Deadline.UntilAsync(async () => (await torrents.FindAsync(hash, Deadline.Token))?.Ready is not null, "it counts as complete");
        }

        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            using var client = OperatorClient.Of(gateway);
            var torrent = Assert.Single(await ListAsync(client));
            Assert.Equal((hash, "closed", "film"), (torrent.GetProperty("infoHash").GetString(), torrent.GetProperty("state").GetString(), torrent.GetProperty("name").GetString()));
            var (_, details) = await client.AskAsync("GET", $"/api/v1/torrents/{hash}");
            Assert.Equal("film.mkv", Assert.Single(details.GetProperty("files").EnumerateArray()).GetProperty("path").GetString());

            // What is deleted is not listed any more, at once.
            var item = torrent.GetProperty("itemId").GetString();
            Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("POST", "/api/v1/files/actions", $$"""{"ids":["{{item}}"],"action":"delete"}""")).Status);
            Assert.Empty(await ListAsync(client));
        }
    }

    [Fact]
    public async Task A_magnet_link_without_peers_says_why_it_stands()
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
                return all.Length == 1 && torrent.GetProperty("reason").GetString()?.Contains("refused: unregistered torrent. No peers are known.", StringComparison.Ordinal) == true;
            },
            "the reason is told");
        Assert.Equal("metadata", torrent.GetProperty("state").GetString());
        Assert.Equal($"{(await gateway.FindJobAsync("film"))!.Id}", torrent.GetProperty("jobId").GetString());
    }

    private static async Task<JsonElement[]> ListAsync(OperatorClient client)
    {
        var (status, body) = await client.AskAsync("GET", "/api/v1/torrents");
        Assert.Equal(HttpStatusCode.OK, status);
        return [.. body.GetProperty("torrents").EnumerateArray()];
    }
}
