using System.Net;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Sessions;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>A torrent is dropped and read over WebDAV, from a swarm on loopback.</summary>
public sealed class TorrentTests
{
    private const string Path = "/dav/content/movies/film/film.mkv";

    [Fact]
    public async Task A_dropped_torrent_opens_and_seeks_survives_a_restart_and_can_be_deleted()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(20_000_000));
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await DropAsync(gateway, "film.torrent", swarm.File);
            Assert.Empty(await gateway.Client.ListAsync("/dav/torrents/movies/"));
            await swarm.AssertRangeAsync(gateway.Client, Path, 19_000_000, 19_100_000);
            await swarm.AssertRangesAsync(gateway.Client, Path, readers: 4, count: 6);
            await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => swarm.AssertFileAsync(gateway.Client, Path)));
        }

        // The data is cached on disk, so it is not downloaded again.
        var sent = swarm.Sent;
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await swarm.AssertRangesAsync(gateway.Client, Path, readers: 4, count: 6);
            await swarm.AssertFileAsync(gateway.Client, Path);
            Assert.Equal(sent, swarm.Sent);

            Assert.NotEmpty(Pieces(folder));
            var (status, text) = await gateway.Client.AskAsync("DELETE", "/dav/content/movies/film");
            Assert.True(status == HttpStatusCode.NoContent, text);
            await Deadline.UntilAsync(
                () => Sessions(gateway).List().Count == 0 && Pieces(folder).Length == 0, "the torrent left the engine and the disk");
            Assert.Empty(Sessions(gateway).Engine.Torrents);
        }
    }

    /// <summary>A .torrent from anywhere must not make the server connect to its own network.</summary>
    [Fact]
    public async Task A_tracker_in_a_private_network_is_refused_unless_allowed_and_the_log_names_the_setting()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using (var gateway = await Gateway.StartAsync(
            news, folder, settings => settings with { Torrents = settings.Torrents with { PrivateHosts = [] } }))
        {
            await DropAsync(gateway, "film.torrent", swarm.File);
            await Deadline.UntilAsync(
                () => folder.Log()
                .Contains(
                "A tracker or web seed is not contacted: 127.0.0.1 is in a private network: allow it with " +
                "NzbDav__Torrents__PrivateHosts=127.0.0.1", StringComparison.Ordinal), "the log names the setting");
            Assert.Empty(swarm.Swarm.Tracker.Announces);
        }

        await using var allowed = await Gateway.StartAsync(news, folder);
        await swarm.AssertFileAsync(allowed.Client, Path);
        Assert.NotEmpty(swarm.Swarm.Tracker.Announces);
    }

    [Fact]
    public async Task Data_not_cached_on_disk_is_fetched_again_after_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(3_000_000));
        for (var start = 0; start < 2; start++)
        {
            await using var gateway = await Gateway.StartAsync(
                news, folder, settings => settings with { Torrents = settings.Torrents with { CacheMiB = 0 } });
            if (start == 0)
                await DropAsync(gateway, "film.torrent", swarm.File);
            await swarm.AssertFileAsync(gateway.Client, Path);
            Assert.True(swarm.Sent >= (start + 1) * 3_000_000);
            Assert.Empty(Pieces(folder));
        }
    }

    [Fact]
    public async Task Deleting_a_job_with_its_content_stops_readers_and_removes_cached_data()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(8_000_000));
        await using var gateway = await Gateway.StartAsync(news);
        var job = await DropAsync(gateway, "film.torrent", swarm.File);
        await swarm.AssertFileAsync(gateway.Client, Path);
        await gateway.Jobs.DeleteAsync(job.Id, withContent: true, Deadline.Token);
        await Deadline.UntilAsync(() => Sessions(gateway).List().Count == 0, "the torrent is gone");
        Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", Path)).Status);

        // The torrent can be added again.
        await DropAsync(gateway, "film.torrent", swarm.File);
        await swarm.AssertFileAsync(gateway.Client, Path);
    }

    [Fact]
    public async Task Deleting_one_of_two_jobs_with_the_same_torrent_keeps_the_other()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(2_000_000));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, "film.torrent", swarm.File);
        await DropAsync(gateway, "again.torrent", swarm.File, "tv");
        await swarm.AssertFileAsync(gateway.Client, Path);
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/content/movies/film")).Status);
        await swarm.AssertFileAsync(gateway.Client, "/dav/content/tv/again/film.mkv");
        Assert.Single(Sessions(gateway).List());
    }

    [Fact]
    public async Task A_multi_file_torrent_shows_its_folders_without_padding_files()
    {
        await using var news = new NewsServers();
        var content = SwarmContent.Make(
            5, 64 << 10, [new SwarmFile("disc 1/a.flac", 700_001), new SwarmFile(".pad/1", 20_895, IsPadding: true),
                new SwarmFile("disc 1/CON", 5), new SwarmFile("b?.txt", 300_000), new SwarmFile("empty.txt", 0)]);
        await using var swarm = new TorrentSwarm(new MockTorrent("Album", content));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, "Album.torrent", swarm.File, "music");
        Assert.Equal(["b_.txt", "disc 1", "empty.txt"], await gateway.Client.ListAsync("/dav/content/music/Album/"));
        Assert.Equal(["_CON", "a.flac"], await gateway.Client.ListAsync("/dav/content/music/Album/disc%201/"));
        await swarm.AssertFileAsync(gateway.Client, "/dav/content/music/Album/disc%201/a.flac", "disc 1/a.flac");
        await swarm.AssertFileAsync(gateway.Client, "/dav/content/music/Album/disc%201/_CON", "disc 1/CON");
        await swarm.AssertFileAsync(gateway.Client, "/dav/content/music/Album/b_.txt", "b?.txt");
        Assert.Equal((HttpStatusCode.OK, ""), await gateway.Client.AskAsync("GET", "/dav/content/music/Album/empty.txt"));
    }

    [Fact]
    public async Task A_dropped_magnet_link_fetches_its_metadata_once()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(3_000_000));
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await DropAsync(gateway, "film.magnet", Encoding.UTF8.GetBytes(swarm.Magnet + "\n"));
            await swarm.AssertFileAsync(gateway.Client, Path);
        }

        await using (var gateway = await Gateway.StartAsync(news, folder))
            await swarm.AssertRangeAsync(gateway.Client, Path, 1_000_000, 2_000_000);
    }

    [Fact]
    public async Task Peers_named_by_a_magnet_link_are_remembered_after_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using (var gateway = await Gateway.StartAsync(news, folder))
            await DropAsync(gateway, "film.magnet", Encoding.UTF8.GetBytes(swarm.Swarm.Magnet));
        await using (var gateway = await Gateway.StartAsync(news, folder))
            await swarm.AssertFileAsync(gateway.Client, Path);
    }

    [Fact]
    public async Task A_magnet_link_with_silent_peers_fails_with_the_reason_and_delays_no_other_job()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), options: new SeederOptions { Extensions = false });
        await using var gateway = await Gateway.StartAsync(
            news, change: settings =>
                settings with { ImportRules = settings.ImportRules with { Workers = 1, MetadataTimeout = TimeSpan.FromSeconds(2) } });
        await gateway.Client.PutAsync("/dav/torrents/movies/film.magnet", Encoding.UTF8.GetBytes(swarm.Magnet));
        await gateway.ImportAsync("post", news.Post("post.mkv", 800_000));
        var job = await gateway.WaitAsync("film");
        Assert.Equal((JobState.Failed, "no-metadata"), (job!.State, job.FailureCode));
        Assert.Contains("within 2 seconds", job.FailureMessage, StringComparison.Ordinal);
        Assert.Contains("1 trackers", job.FailureMessage, StringComparison.Ordinal);
        Assert.Equal(["film.magnet", "film.magnet.failed.txt"], await gateway.Client.ListAsync("/dav/torrents/movies/"));
        await Deadline.UntilAsync(() => Sessions(gateway).List().Count == 0, "the torrent is gone");
    }

    [Fact]
    public async Task A_waiting_magnet_link_can_be_deleted()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), options: new SeederOptions { Extensions = false });
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.Client.PutAsync("/dav/torrents/movies/film.magnet", Encoding.UTF8.GetBytes(swarm.Magnet));
        await Deadline.UntilAsync(() => Sessions(gateway).List().Count == 1, "its peers are asked");
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/torrents/movies/film.magnet")).Status);
        await Deadline.UntilAsync(() => Sessions(gateway).List().Count == 0, "the torrent is gone");
        Assert.Null(await gateway.FindJobAsync("film"));
    }

    [Theory]
    [InlineData("bad.torrent", "This is no torrent.", "This is not a .torrent file")]
    [InlineData("bad.torrent", "d8:announce3:abce", "has no info dictionary")]
    [InlineData("bad.torrent", "magnet:?xt=urn:btih:0123456789012345678901234567890123456789", "save it with the ending .magnet")]
    [InlineData("bad.magnet", "http://example.com/", "does not begin with \"magnet:?\"")]
    [InlineData("bad.magnet", "magnet:?dn=x", "no BitTorrent hash")]
    public async Task An_invalid_torrent_is_refused_and_the_history_says_why(string name, string text, string reason)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        for (var i = 0; i < 2; i++)
        {
            var (status, said) = await gateway.Client.AskAsync("PUT", $"/dav/torrents/movies/{name}", Encoding.UTF8.GetBytes(text));
            Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
            Assert.Contains(reason, said, StringComparison.Ordinal);
        }

        var job = await gateway.FindJobAsync("bad");
        Assert.Equal((JobState.Failed, "malformed-torrent"), (job!.State, job.FailureCode));
        Assert.Contains(reason, job.FailureMessage, StringComparison.Ordinal);
        Assert.Equal(1, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        Assert.Equal([name, name + ".failed.txt"], await gateway.Client.ListAsync("/dav/torrents/movies/"));
        Assert.Contains(
            reason, (await gateway.Client.AskAsync("GET", $"/dav/torrents/movies/{name}.failed.txt")).Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", $"/dav/torrents/movies/{name}")).Status);
        Assert.Empty(await gateway.Client.ListAsync("/dav/torrents/movies/"));
    }

    [Fact]
    public async Task Each_drop_folder_takes_its_own_kind_of_file()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        Assert.Equal(HttpStatusCode.UnprocessableEntity,
            (await gateway.Client.AskAsync("PUT", "/dav/torrents/movies/x.nzb", "<nzb/>"u8.ToArray())).Status);
        Assert.Equal(HttpStatusCode.UnprocessableEntity,
            (await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/x.torrent", "de"u8.ToArray())).Status);
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
    }

    [Fact]
    public async Task A_torrent_without_peers_is_listed_and_its_readers_get_the_reason()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings =>
                settings with { Torrents = settings.Torrents with { ReaderTimeout = TimeSpan.FromMilliseconds(500) } });
        await DropAsync(gateway, "film.torrent", TorrentSwarm.Film(1_000_000).TorrentFile());
        Assert.Equal(1_000_000, (await gateway.Client.StatAsync(Path)).Size);
        var (status, said) = await gateway.Client.AskAsync("GET", Path);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.Contains("No peer of the torrent can be reached", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task With_torrents_switched_off_new_ones_are_refused_and_existing_ones_say_so()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using (var gateway = await Gateway.StartAsync(news, folder))
            await DropAsync(gateway, "film.torrent", swarm.File);
        await using (var gateway = await Gateway.StartAsync(
            news, folder, settings => settings with { Torrents = new TorrentSettings { Enabled = false } }))
        {
            var (status, said) = await gateway.Client.AskAsync("GET", Path);
            Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
            Assert.Contains("NzbDav__Torrents__Enabled", said, StringComparison.Ordinal);
            (status, said) = await gateway.Client.AskAsync("PUT", "/dav/torrents/movies/other.torrent", swarm.File);
            Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
            Assert.Contains("NzbDav__Torrents__Enabled", said, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task The_metrics_page_includes_torrents()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await Gateway.StartAsync(news);
        await DropAsync(gateway, "film.torrent", swarm.File);
        await swarm.AssertFileAsync(gateway.Client, Path);
        var page = await gateway.MetricsAsync();
        Assert.Matches(@"(?m)^nzbdav_torrents_payload\w* 1000000$", page);
        Assert.Matches(@"(?m)^nzbdav_torrents_open\w* 1$", page);
        Assert.Contains("nzbdav_torrents_reader_first_byte", page, StringComparison.Ordinal);
    }

    private static async Task<CatalogJob> DropAsync(Gateway gateway, string name, byte[] bytes, string category = "movies")
    {
        await gateway.Client.PutAsync(DavClient.Path("torrents", category, name), bytes);
        var job = await gateway.WaitAsync(System.IO.Path.GetFileNameWithoutExtension(name));
        Assert.True(job?.State == JobState.Completed, job?.FailureMessage);
        return job!;
    }

    private static TorrentSessions Sessions(Gateway gateway) => gateway.Services.GetRequiredService<TorrentSessions>();

    /// <summary>Cached files of torrent data, without the files of peer addresses.</summary>
    private static string[] Pieces(Folder folder)
    {
        var cache = System.IO.Path.Combine(folder.Path, "cache", "torrents");
        return Directory.Exists(cache)
            ? [.. Directory.GetFiles(cache).Where(file => !file.EndsWith(".peers", StringComparison.Ordinal))] : [];
    }
}
