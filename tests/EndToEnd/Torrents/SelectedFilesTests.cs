using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Magnet links that select files (<c>so</c>, BEP 53).</summary>
public sealed class SelectedFilesTests
{
    private const string ClientKey = "fedcba9876543210";
    private const int PieceLength = 16 << 10;
    private const int Length = 12 * PieceLength;

    [Fact]
    public async Task A_link_that_waits_over_a_restart_fetches_only_its_files_and_all_can_be_read()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Set());
        var hash = swarm.Torrent.HashText;
        swarm.Swarm.Tracker.Reply = static _ => ("503 Service Unavailable", "", []);
        await using (var gateway = await StartAsync(news, folder))
        {
            using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv");
            await sonarr.AddLinkAsync(swarm.Magnet + "&so=3,0");
            var waiting = (await sonarr.JsonAsync("torrents/info?hashes=" + hash))[0];
            Assert.Equal("metaDL", waiting.GetProperty("state").GetString());

            // Whoever gets the link that is handed out may want other files.
            Assert.DoesNotContain("so=", waiting.GetProperty("magnet_uri").GetString(), StringComparison.Ordinal);
        }

        swarm.Swarm.Tracker.Reply = null;
        await using (var gateway = await StartAsync(news, folder))
        {
            using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv");
            await sonarr.CompletedAsync(hash);
            await Deadline.UntilAsync(
                async () => (await sonarr.JsonAsync("torrents/info?hashes=" + hash))[0].GetProperty("amount_left")
                    .GetInt64() == 0, "what is selected is there");
            Assert.Equal([("Set/a.mkv", 1, 1d), ("Set/b.mkv", 0, 0d), ("Set/c.mkv", 1, 1d)], await FilesAsync(sonarr, hash));
            Assert.DoesNotContain("so=", (await sonarr.JsonAsync("torrents/info?hashes=" + hash))[0].GetProperty("magnet_uri").GetString(),
                StringComparison.Ordinal);
            foreach (var name in (string[])["a.mkv", "b.mkv", "c.mkv"])
                await swarm.AssertFileAsync(gateway.Client, $"/dav/content/tv/Set/{name}", name);

            // What the user has chosen stays when the link comes again with another list.
            await sonarr.PostAsync("torrents/filePrio", ("hash", hash), ("id", "0"), ("priority", "6"));
            await sonarr.AddLinkAsync(swarm.Magnet + "&so=2");
            Assert.Equal([6, 0, 1], (await FilesAsync(sonarr, hash)).Select(static file => file.Priority));
        }
    }

    [Theory]
    [InlineData("5-2", "has a list of files (so) that cannot be read")]
    [InlineData("4,99999999999", "selects files (so) that the torrent does not have")]
    public async Task A_list_of_no_use_selects_everything_and_the_log_says_so(string list, string line)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Set());
        await using var gateway = await StartAsync(news, folder);
        using var client = OperatorClient.Of(gateway);
        var body = JsonSerializer.Serialize(new { links = new[] { $"{swarm.Magnet}&so={list}" }, category = "tv" });
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("POST", "/api/v1/jobs/links", body)).Status);
        await gateway.WaitAsync("Set");
        using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv");
        await sonarr.CompletedAsync(swarm.Torrent.HashText);
        Assert.All(await FilesAsync(sonarr, swarm.Torrent.HashText), static file => Assert.Equal(1, file.Priority));
        await Deadline.UntilAsync(() => folder.Log().Contains(line, StringComparison.Ordinal), "the log says so");
    }

    /// <summary>The numbers in the metainfo: a.mkv 0, a link 1, b.mkv 2, c.mkv 3.</summary>
    private static MockTorrent Set() => new(
        "Set", SwarmContent.Make(
            7, PieceLength, [new("a.mkv", Length), new("link.mkv", 0, IsLink: true), new("b.mkv", Length), new("c.mkv", Length)]));

    private static async Task<(string Name, int Priority, double Progress)[]> FilesAsync(QbitArr client, string hash) =>
    [
        .. (await client.JsonAsync("torrents/files?hash=" + hash)).EnumerateArray().Select(static file =>
            (file.GetProperty("name").GetString()!, file.GetProperty("priority").GetInt32(), file.GetProperty("progress").GetDouble())),
    ];

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder) =>
        Gateway.StartAsync(news, folder, static settings => settings with
        {
            Api = new ApiSettings { ClientKey = ClientKey },
            Torrents = settings.Torrents with { Seeding = settings.Torrents.Seeding with { KeepCategories = ["tv"] } },
        });
}
