using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockSwarm.Contents;
using static NzbDav.EndToEnd.Tests.Qbit.QbitServer;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>The whole life of a download as Sonarr, Radarr and autobrr handle it, over the qBittorrent interface and the tree.</summary>
public sealed class QbitTests
{
    [Fact]
    public async Task QBT_09_Sonarr_tests_grabs_imports_through_links_and_cleans_up()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(3_000_000, "Show.S01E01.1080p-GROUP.mkv"));
        var hash = swarm.Torrent.HashText;
        string link;
        await using (var gateway = await StartAsync(news, folder))
        {
            using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv-sonarr");
            await sonarr.AssertSupportedAsync();
            var savePath = await sonarr.TestAsync();
            Assert.Equal(MountPath + "/completed-symlinks", savePath);

            // Its health check looks for the folder before any download exists.
            Assert.Empty(await gateway.Client.ListAsync(Dav(savePath + "/tv-sonarr") + "/"));

            await sonarr.AddFileAsync("Show.S01E01.1080p-GROUP.torrent", swarm.File);
            Assert.True(await sonarr.IsLoadedAsync(hash), "properties are there at once");
            await sonarr.PostAsync("torrents/topPrio", ("hashes", hash));
            await sonarr.PostAsync("torrents/setForceStart", ("hashes", hash), ("value", "false"));
            await sonarr.PostAsync("torrents/addTags", ("hashes", hash), ("tags", "series,hd"));
            var item = await sonarr.CompletedAsync(hash);
            Assert.Equal(("Show.S01E01.1080p-GROUP.mkv", "tv-sonarr", 1.0), (item.Title, item.Category, item.Progress));
            Assert.Equal(savePath + "/tv-sonarr/Show.S01E01.1080p-GROUP", item.OutputPath);
            Assert.Equal(["Show.S01E01.1080p-GROUP/Show.S01E01.1080p-GROUP.mkv"], await sonarr.FilesAsync(hash));
            Assert.Equal("series, hd", (await sonarr.JsonAsync("torrents/info"))[0].GetProperty("tags").GetString());

            // Listed in the mount at the moment it is reported complete.
            Assert.Equal(["Show.S01E01.1080p-GROUP.mkv.rclonelink"], await gateway.Client.ListAsync(Dav(item.OutputPath)));
            var (_, target) = await gateway.Client.AskAsync("GET", Dav(item.OutputPath) + "/Show.S01E01.1080p-GROUP.mkv.rclonelink");
            link = Dav(target);
            await swarm.AssertFileAsync(gateway.Client, link);

            // A repeated grab creates no second torrent.
            await sonarr.AddFileAsync("again.torrent", swarm.File);
            Assert.Single(await sonarr.ItemsAsync());
        }

        await using (var gateway = await StartAsync(news, folder))
        {
            using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv-sonarr");
            var item = Assert.Single(await sonarr.ItemsAsync());
            Assert.Equal(("Completed", "stoppedUP", 0.0), (item.Status, item.State, item.RatioLimit));

            // Once the link is in its library it deletes the torrent with its data. The link's target stays.
            await gateway.Services.GetRequiredService<LinkStore>()
                .MarkLinkReadAsync(await FileAsync(gateway, "tv-sonarr", "Show.S01E01.1080p-GROUP", "Show.S01E01.1080p-GROUP.mkv"),
                Deadline.Token);
            await sonarr.PostAsync("torrents/delete", ("hashes", hash), ("deleteFiles", "true"));
            Assert.Empty(await sonarr.ItemsAsync());
            Assert.False(await sonarr.IsLoadedAsync(hash));
            await swarm.AssertFileAsync(gateway.Client, link);
        }
    }

    [Fact]
    public async Task QBT_09_Radarr_grabs_a_folder_by_a_magnet_link_and_removes_it_without_its_files()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(new MockTorrent("A Film (2020)",
            SwarmContent.Make(5, 64 << 10, [new SwarmFile("A Film.mkv", 2_000_000), new SwarmFile("Subs/en.srt", 30_000)])));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var radarr = new QbitArr(gateway.Root, "", Key, "radarr");
        await radarr.TestAsync();
        await radarr.AddLinkAsync(swarm.Magnet, ("ratioLimit", "1.5"), ("seedingTimeLimit", "2880"));
        Assert.True(await radarr.IsLoadedAsync(hash), "properties are there at once");
        var item = await radarr.CompletedAsync(hash);
        Assert.Equal((1.5, MountPath + "/completed-symlinks/radarr/A Film (2020)"), (item.RatioLimit, item.OutputPath));
        Assert.Equal(["A Film (2020)/A Film.mkv", "A Film (2020)/Subs/en.srt"], await radarr.FilesAsync(hash));
        Assert.Equal(
            ["A Film.mkv.rclonelink", "Subs"], (await gateway.Client.ListAsync(Dav(item.OutputPath))).Order(StringComparer.Ordinal));
        var (_, target) = await gateway.Client.AskAsync(
            "GET", DavClient.Path("completed-symlinks", "radarr", "A Film (2020)", "A Film.mkv.rclonelink"));

        // As in qBittorrent, the category set after the import has to exist.
        await radarr.PostAsync("torrents/createCategory", ("category", "imported"));
        await radarr.PostAsync("torrents/setCategory", ("hashes", hash), ("category", "imported"));
        Assert.Empty(await radarr.ItemsAsync());
        await swarm.AssertFileAsync(gateway.Client, Dav(target), "A Film.mkv");
        await radarr.PostAsync("torrents/delete", ("hashes", hash));
        Assert.Equal(0, (await radarr.JsonAsync("torrents/info")).GetArrayLength());
        await swarm.AssertFileAsync(gateway.Client, Dav(target), "A Film.mkv");

        // A torrent removed from the list can be grabbed again.
        await radarr.AddLinkAsync(swarm.Magnet);
        await radarr.CompletedAsync(hash);
    }

    [Fact]
    public async Task QBT_03_A_magnet_link_without_peers_has_properties_at_once_and_is_removed_with_its_job()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv");
        await sonarr.AddLinkAsync(swarm.Magnet);
        Assert.True(await sonarr.IsLoadedAsync(hash), "properties are there at once");
        var item = Assert.Single(await sonarr.ItemsAsync());
        Assert.Equal(("Queued", "metaDL", ""), (item.Status, item.State, item.OutputPath));
        Assert.Empty(await sonarr.FilesAsync(hash));
        Assert.Equal(0, (await sonarr.JsonAsync("torrents/pieceStates?hash=" + hash)).GetArrayLength());
        await sonarr.PostAsync("torrents/delete", ("hashes", hash.ToUpperInvariant()), ("deleteFiles", "true"));
        Assert.Empty(await sonarr.ItemsAsync());
        Assert.False(await sonarr.IsLoadedAsync(hash));
        await Deadline.UntilAsync(async () => !await AnyJobAsync(gateway), "its job is gone");
    }

    [Fact]
    public async Task QBT_09_autobrr_pushes_a_file_and_follows_it()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(2_000_000, isPrivate: true));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var autobrr = new QbitArr(gateway.Root, "autobrr", ClientKey, "movies");

        // Its uploads have random names, and its options precede the file.
        await autobrr.AddFileAsync(
            "QWERTYuiopasdfgh", swarm.File, ("paused", "false"), ("tags", "autobrr"), ("limitRatio", "x"), ("firstLastPiecePrio", "false"));
        await autobrr.CompletedAsync(hash);
        var torrent = (await autobrr.JsonAsync("torrents/info?filter=completed&hashes=" + hash + "&includeTrackers=true"))[0];
        Assert.Equal(MountPath + "/completed-symlinks/movies/film", torrent.GetProperty("content_path").GetString());
        Assert.True(torrent.GetProperty("private").GetBoolean());
        foreach (var name in new[] { "added_on", "amount_left", "completed", "completion_on", "dl_limit", "dlspeed", "downloaded", "eta",
            "num_seeds", "priority", "size", "time_active", "total_size", "up_limit", "uploaded", "upspeed" })
            torrent.GetProperty(name).GetInt64();

        // The torrent has joined its swarm: trackers and peers are reported.
        JsonElement trackers = default;
        await Deadline.UntilAsync(
            async () =>
            {
                await autobrr.PostAsync("torrents/reannounce", ("hashes", hash));
                trackers = await autobrr.JsonAsync("torrents/trackers?hash=" + hash);
                return trackers.EnumerateArray()
                    .Any(tracker => tracker.GetProperty("tier").GetInt32() >= 0 && tracker.GetProperty("status").GetInt32() == 2);
            },
            "the tracker answers");
        Assert.Equal(["** [DHT] **", "** [PeX] **", "** [LSD] **"],
            trackers.EnumerateArray().Take(3).Select(tracker => tracker.GetProperty("url").GetString()));
        JsonElement peers = default;
        await Deadline.UntilAsync(
            async () =>
            {
                peers = await autobrr.JsonAsync($"sync/torrentPeers?hash={hash}&rid=0");
                return peers.GetProperty("peers").EnumerateObject().Count() == 2;
            },
            "its peers are connected");
        Assert.True(peers.GetProperty("full_update").GetBoolean());
        Assert.All(
            peers.GetProperty("peers").EnumerateObject(), peer => Assert.Equal("127.0.0.1", peer.Value.GetProperty("ip").GetString()));
        Assert.Equal(32, (await autobrr.JsonAsync("torrents/pieceHashes?hash=" + hash)).GetArrayLength() + 1);
        var main = await autobrr.JsonAsync("sync/maindata?rid=0");
        Assert.Equal("film.mkv", main.GetProperty("torrents").GetProperty(hash).GetProperty("name").GetString());
        Assert.Equal("autobrr", main.GetProperty("tags")[0].GetString());

        // A torrent pushed a second time into another category is refused, and the client is told so.
        using var other = new QbitArr(gateway.Root, "autobrr", ClientKey, "tv");
        await Assert.ThrowsAnyAsync<Xunit.Sdk.XunitException>(() => other.AddFileAsync("again", swarm.File));
    }

    private static async Task<long> FileAsync(Gateway gateway, params string[] path) =>
        (await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", .. path], Deadline.Token))!.Id;

    private static async Task<bool> AnyJobAsync(Gateway gateway)
    {
        await foreach (var _ in gateway.Jobs.List.EachAsync(new JobFilter(), Deadline.Token))
            return true;
        return false;
    }
}
