using System.Text;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Seeders;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Torrents that nobody seeds but a web server (BEP 19).</summary>
public sealed class WebSeedTests
{
    private const string ClientKey = "fedcba9876543210";
    private const string Path = "/dav/content/movies/film/film.mkv";
    private const string LinkPath = "/dav/content/movies/film.mkv/film.mkv";

    [Fact]
    public async Task A_torrent_of_web_seeds_alone_is_imported_played_and_exported_with_them()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(5_000_000), seeders: 0);
        await using var seed = new MockWebSeed(swarm.Torrent);
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news, folder, privateHosts: ["127.0.0.1"]);
        using var radarr = new QbitArr(gateway.Root, "radarr", ClientKey, "movies");
        await radarr.AddFileAsync("film.torrent", WithSeed(swarm.Torrent.TorrentFile(), seed.Url));
        await radarr.CompletedAsync(hash);
        Assert.Equal(seed.Url,
            Assert.Single((await radarr.JsonAsync("torrents/webseeds?hash=" + hash)).EnumerateArray()).GetProperty("url").GetString());
        await swarm.AssertRangeAsync(gateway.Client, Path, 4_000_000, 4_100_000);
        await swarm.AssertFileAsync(gateway.Client, Path);
        Assert.True((await radarr.JsonAsync("torrents/info?hashes=" + hash))[0].GetProperty("downloaded").GetInt64() > 0);
        Assert.All(seed.Requests, static request => Assert.True(request.End > request.Start, "only ranges are asked for"));
    }

    [Fact]
    public async Task A_link_without_a_peer_plays_from_the_places_it_names()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        await using var seed = new MockWebSeed(swarm.Torrent);
        await using var files = new TorrentSwarm(TorrentSwarm.Film(1_000), seeders: 0);
        files.Swarm.Tracker.Reply = _ => ("200 OK", "", swarm.Torrent.TorrentFile());
        await using (var gateway = await StartAsync(news, folder, privateHosts: ["127.0.0.1"]))
        {
            using var radarr = new QbitArr(gateway.Root, "radarr", ClientKey, "movies");
            await radarr.AddLinkAsync(
                $"{swarm.Torrent.Magnet([], [])}&ws={Uri.EscapeDataString(seed.Url)}&xs={Uri.EscapeDataString(files.Swarm.Tracker.Url)}");
            await radarr.CompletedAsync(swarm.Torrent.HashText);
            await swarm.AssertRangeAsync(gateway.Client, LinkPath, 0, 100_000);
        }

        // What the link named is stored with the rest.
        await using (var gateway = await StartAsync(news, folder, privateHosts: ["127.0.0.1"]))
            await swarm.AssertFileAsync(gateway.Client, LinkPath);
    }

    [Fact]
    public async Task A_web_seed_in_a_private_network_is_refused_unless_allowed_also_behind_a_redirect()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        await using var seed = new MockWebSeed(swarm.Torrent);
        await using var site = new MockWebSeed(swarm.Torrent);
        site.Reply = _ => ("302 Found", $"Location: {seed.Url}film.mkv\r\n");
        await using var gateway = await StartAsync(news, folder, privateHosts: ["localhost"]);
        using var radarr = new QbitArr(gateway.Root, "radarr", ClientKey, "movies");
        await radarr.AddFileAsync(
            "film.torrent", WithSeed(swarm.Torrent.TorrentFile(), site.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal)));
        await Deadline.UntilAsync(
            () => folder.Log().Contains("A tracker or web seed is not contacted: 127.0.0.1 is in a private network",
                StringComparison.Ordinal), "the log names the setting");
        Assert.NotEmpty(site.Requests);
        Assert.Empty(seed.Requests);
    }

    private static byte[] WithSeed(byte[] torrent, string url) =>
        [.. torrent.AsSpan(..^1), .. Encoding.ASCII.GetBytes($"8:url-list{url.Length}:{url}e")];

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder, IReadOnlyList<string> privateHosts) =>
        Gateway.StartAsync(news, folder, settings => settings with
        {
            Api = new ApiSettings { Key = "0123456789abcdef", ClientKey = ClientKey },
            Torrents = settings.Torrents with { PrivateHosts = privateHosts },
        });
}
