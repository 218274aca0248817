using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Metadata;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>Web seeds that clients add, edit and remove over the qBittorrent interface.</summary>
public sealed class QbitWebSeedTests
{
    private const string ClientKey = "fedcba9876543210";
    private const string Path = "/dav/content/movies/film/film.mkv";

    [Fact]
    public async Task Added_edited_and_removed_web_seeds_are_used_at_once_and_survive_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        await using var seed = new MockWebSeed(swarm.Torrent);
        var hash = swarm.Torrent.HashText;
        await using (var gateway = await StartAsync(news, folder, "127.0.0.1"))
        {
            using var client = new QbitArr(gateway.Root, "flood", ClientKey, "movies");
            await client.AddFileAsync("film.torrent", swarm.Torrent.TorrentFile());
            await gateway.WaitAsync("film");
            Assert.Empty(await UrlsAsync(client, hash));

            // As clients send them: each address is escaped, because the separator can occur in it.
            var keyed = $"{seed.Url}?key=a|b";
            await client.PostAsync("torrents/addWebSeeds", ("hash", hash),
                ("urls", $"{Uri.EscapeDataString(seed.Url)}|{Uri.EscapeDataString(keyed)}|{seed.Url}"));
            Assert.Equal([seed.Url, seed.Url], await UrlsAsync(client, hash));
            await client.CompletedAsync(hash);
            await swarm.AssertFileAsync(gateway.Client, Path);
            Assert.All(seed.Requests, static request => Assert.True(request.End > request.Start, "only ranges are asked for"));

            await client.PostAsync(
                "torrents/removeWebSeeds", ("hash", hash), ("urls", $"{Uri.EscapeDataString(keyed)}|http://127.0.0.1:1/none/"));
            await client.PostAsync("torrents/addWebSeeds", ("hash", hash), ("urls", "http://127.0.0.1:9/d/?key=secret"));
            Assert.Equal([seed.Url, "http://127.0.0.1:9/d/"], await UrlsAsync(client, hash));

            // The address as shown names it too.
            await client.PostAsync("torrents/editWebSeed", ("hash", hash), ("origUrl", "http://127.0.0.1:9/d/"),
                ("newUrl", Uri.EscapeDataString("https://127.0.0.1:9/e/")));
            Assert.Equal([seed.Url, "https://127.0.0.1:9/e/"], await UrlsAsync(client, hash));
            await AssertPageAsync(gateway, hash, [seed.Url, "https://127.0.0.1:9/e/"]);
        }

        await using var again = await StartAsync(news, folder, "127.0.0.1");
        using var later = new QbitArr(again.Root, "flood", ClientKey, "movies");
        Assert.Equal([seed.Url, "https://127.0.0.1:9/e/"], await UrlsAsync(later, hash));
        await later.PostAsync("torrents/removeWebSeeds", ("hash", hash), ("urls", "https://127.0.0.1:9/e/"));
        await swarm.AssertRangeAsync(again.Client, Path, 0, 1_000_000);
        await AssertPageAsync(again, hash, [seed.Url]);
        using var http = Http();
        var exported = Metainfo.Read(await http.GetByteArrayAsync($"{again.Root}/api/v2/torrents/export?hash={hash}")).Value!;
        Assert.Equal((hash, seed.Url), (exported.Info.Hash.ToString(), Assert.Single(exported.WebSeeds).OriginalString));
    }

    [Fact]
    public async Task Answers_are_those_of_qBittorrent()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(100_000));
        await using var gateway = await StartAsync(news, folder, "127.0.0.1");
        using var client = new QbitArr(gateway.Root, "flood", ClientKey, "movies");
        await client.AddFileAsync("film.torrent", swarm.File);
        var (hash, none) = (swarm.Torrent.HashText, new string('a', 40));
        const string Known = "http://a.example/d/";
        (string Call, (string, string)[] Form, HttpStatusCode Status)[] calls =
        [
            ("addWebSeeds", [("hash", hash), ("urls", Known)], HttpStatusCode.OK),
            ("addWebSeeds", [("hash", hash), ("urls", Known)], HttpStatusCode.OK),
            ("addWebSeeds", [("hash", hash), ("urls", "")], HttpStatusCode.OK),
            ("addWebSeeds", [("hash", none), ("urls", Known)], HttpStatusCode.NotFound),
            ("addWebSeeds", [("hash", hash)], HttpStatusCode.BadRequest),
            ("addWebSeeds", [("hash", hash), ("urls", "http://b.example/|rubbish")], HttpStatusCode.BadRequest),
            ("addWebSeeds", [("hash", hash), ("urls", "ftp://b.example/")], HttpStatusCode.BadRequest),
            ("addWebSeeds", [("hash", hash), ("urls", "file%3A%2F%2F%2Fetc%2Fpasswd")], HttpStatusCode.BadRequest),
            ("addWebSeeds", [("hash", hash), ("urls",
                string.Join('|', Enumerable.Range(0, 200).Select(static one => $"http://{one}.example/")))], HttpStatusCode.Conflict),
            ("editWebSeed", [("hash", hash), ("origUrl", Known), ("newUrl", Known)], HttpStatusCode.OK),
            ("editWebSeed", [("hash", hash), ("origUrl", "http://b.example/"), ("newUrl", "http://c.example/")], HttpStatusCode.Conflict),
            ("editWebSeed", [("hash", hash), ("origUrl", "x"), ("newUrl", "http://c.example/")], HttpStatusCode.BadRequest),
            ("editWebSeed", [("hash", hash), ("origUrl", Known), ("newUrl", "x")], HttpStatusCode.BadRequest),
            ("editWebSeed", [("hash", none), ("origUrl", Known), ("newUrl", Known)], HttpStatusCode.NotFound),
            ("removeWebSeeds", [("hash", hash), ("urls", "http://b.example/")], HttpStatusCode.OK),
            ("removeWebSeeds", [("hash", hash), ("urls", "x")], HttpStatusCode.BadRequest),
            ("removeWebSeeds", [("hash", none), ("urls", Known)], HttpStatusCode.NotFound),
        ];
        using var http = Http();
        foreach (var (call, form, status) in calls)
        {
            using var body = new FormUrlEncodedContent(form.Select(static field => KeyValuePair.Create(field.Item1, field.Item2)));
            using var response = await http.PostAsync($"{gateway.Root}/api/v2/torrents/{call}", body);
            Assert.Equal((call, form[^1].Item2, status), (call, form[^1].Item2, response.StatusCode));
        }

        Assert.Equal([Known], await UrlsAsync(client, hash));
        Assert.Equal("2.11.4", await http.GetStringAsync(gateway.Root + "/api/v2/app/webapiVersion"));
    }

    [Fact]
    public async Task One_in_a_private_network_is_not_asked_and_the_page_says_why()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000), seeders: 0);
        await using var seed = new MockWebSeed(swarm.Torrent);
        await using var gateway = await StartAsync(news, folder, "127.0.0.2");
        using var client = new QbitArr(gateway.Root, "flood", ClientKey, "movies");
        await client.AddFileAsync("film.torrent", swarm.Torrent.TorrentFile());
        await gateway.WaitAsync("film");
        await client.PostAsync("torrents/addWebSeeds", ("hash", swarm.Torrent.HashText), ("urls", seed.Url));
        using var page = OperatorClient.Of(gateway);
        await Deadline.UntilAsync(
            async () => (await page.AskAsync("GET", "/api/v1/torrents/" + swarm.Torrent.HashText)).Body.GetProperty("webSeeds") is { } seeds
                && seeds.GetArrayLength() == 1
                && seeds[0].GetProperty("reason")
                    .GetString()?.Contains("127.0.0.1 is in a private network", StringComparison.Ordinal) == true,
            "the page says that it is in a private network");
        Assert.Empty(seed.Requests);
    }

    private static async Task AssertPageAsync(Gateway gateway, string hash, string[] seeds)
    {
        using var page = OperatorClient.Of(gateway);
        await Deadline.UntilAsync(
            async () => (await page.AskAsync("GET", "/api/v1/torrents/" + hash)).Body.GetProperty("webSeeds").EnumerateArray()
                .Select(static seed => seed.GetProperty("url").GetString()!).SequenceEqual(seeds, StringComparer.Ordinal),
            "the page lists the same");
    }

    private static async Task<string[]> UrlsAsync(QbitArr client, string hash) =>
        [.. (await client.JsonAsync("torrents/webseeds?hash=" + hash)).EnumerateArray()
            .Select(static seed => seed.GetProperty("url").GetString()!)];

    private static HttpClient Http()
    {
        var http = new HttpClient();
        http.DefaultRequestHeaders.Add("Authorization", "Bearer " + ClientKey);
        return http;
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder, string privateHost) =>
        Gateway.StartAsync(news, folder, settings => settings with
        {
            Api = new ApiSettings { ClientKey = ClientKey },
            Torrents = settings.Torrents with { PrivateHosts = [privateHost] },
        });
}
