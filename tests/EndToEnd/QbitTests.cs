using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent;
using NzbDav.Catalog;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Contents;
using NzbDav.Seeding;

namespace NzbDav.EndToEnd.Tests;

/// <summary>Downloads as Sonarr, Radarr, autobrr and a Python script go through them, over the qBittorrent interface and the tree.</summary>
public sealed class QbitTests
{
    private const string Key = "0123456789abcdef";
    private const string ClientKey = "fedcba9876543210";
    private const string Mount = "/mnt/nzbdav";

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
            Assert.Equal(Mount + "/completed-symlinks", savePath);

            // Its health check looks for the folder before anything is in it.
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

            // Visible in the moment in which it is said to be.
            Assert.Equal(["Show.S01E01.1080p-GROUP.mkv.rclonelink"], await gateway.Client.ListAsync(Dav(item.OutputPath)));
            var (_, target) = await gateway.Client.AskAsync("GET", Dav(item.OutputPath) + "/Show.S01E01.1080p-GROUP.mkv.rclonelink");
            link = Dav(target);
            await swarm.AssertFileAsync(gateway.Client, link);

            // A grab that comes again makes no second torrent.
            await sonarr.AddFileAsync("again.torrent", swarm.File);
            Assert.Single(await sonarr.ItemsAsync());
        }

        await using (var gateway = await StartAsync(news, folder))
        {
            using var sonarr = new QbitArr(gateway.Root, "sonarr", ClientKey, "tv-sonarr");
            var item = Assert.Single(await sonarr.ItemsAsync());
            Assert.Equal(("Completed", "stoppedUP", 0.0), (item.Status, item.State, item.RatioLimit));

            // It has the link in its library and takes the torrent away with its data: what the link names stays.
            await gateway.Services.GetRequiredService<LinkStore>().GiveAsync(await FileAsync(gateway, "tv-sonarr", "Show.S01E01.1080p-GROUP", "Show.S01E01.1080p-GROUP.mkv"), Deadline.Token);
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
        await using var swarm = new TorrentSwarm(new MockTorrent("A Film (2020)", SwarmContent.Make(5, 64 << 10, [new SwarmFile("A Film.mkv", 2_000_000), new SwarmFile("Subs/en.srt", 30_000)])));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var radarr = new QbitArr(gateway.Root, "", Key, "radarr");
        await radarr.TestAsync();
        await radarr.AddLinkAsync(swarm.Magnet, ("ratioLimit", "1.5"), ("seedingTimeLimit", "2880"));
        Assert.True(await radarr.IsLoadedAsync(hash), "properties are there at once");
        var item = await radarr.CompletedAsync(hash);
        Assert.Equal((1.5, Mount + "/completed-symlinks/radarr/A Film (2020)"), (item.RatioLimit, item.OutputPath));
        Assert.Equal(["A Film (2020)/A Film.mkv", "A Film (2020)/Subs/en.srt"], await radarr.FilesAsync(hash));
        Assert.Equal(["A Film.mkv.rclonelink", "Subs"], (await gateway.Client.ListAsync(Dav(item.OutputPath))).Order(StringComparer.Ordinal));
        var (_, target) = await gateway.Client.AskAsync("GET", DavClient.Path("completed-symlinks", "radarr", "A Film (2020)", "A Film.mkv.rclonelink"));

        // The category after the import has to be there, as in the original.
        await radarr.PostAsync("torrents/createCategory", ("category", "imported"));
        await radarr.PostAsync("torrents/setCategory", ("hashes", hash), ("category", "imported"));
        Assert.Empty(await radarr.ItemsAsync());
        await swarm.AssertFileAsync(gateway.Client, Dav(target), "A Film.mkv");
        await radarr.PostAsync("torrents/delete", ("hashes", hash));
        Assert.Equal(0, (await radarr.JsonAsync("torrents/info")).GetArrayLength());
        await swarm.AssertFileAsync(gateway.Client, Dav(target), "A Film.mkv");

        // What was taken off the list can be grabbed again.
        await radarr.AddLinkAsync(swarm.Magnet);
        await radarr.CompletedAsync(hash);
    }

    [Fact]
    public async Task QBT_03_A_magnet_link_without_peers_has_properties_at_once_and_goes_with_its_job()
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

        // Its uploads are called by random letters, and its options come before the file.
        await autobrr.AddFileAsync("QWERTYuiopasdfgh", swarm.File, ("paused", "false"), ("tags", "autobrr"), ("limitRatio", "x"), ("firstLastPiecePrio", "false"));
        await autobrr.CompletedAsync(hash);
        var torrent = (await autobrr.JsonAsync("torrents/info?filter=completed&hashes=" + hash + "&includeTrackers=true"))[0];
        Assert.Equal(Mount + "/completed-symlinks/movies/film", torrent.GetProperty("content_path").GetString());
        Assert.True(torrent.GetProperty("private").GetBoolean());
        foreach (var name in new[] { "added_on", "amount_left", "completed", "completion_on", "dl_limit", "dlspeed", "downloaded", "eta", "num_seeds", "priority", "size", "time_active", "total_size", "up_limit", "uploaded", "upspeed" })
            torrent.GetProperty(name).GetInt64();

        // The swarm is joined: trackers and peers are told.
        JsonElement trackers = default;
        await Deadline.UntilAsync(
            async () =>
            {
                await autobrr.PostAsync("torrents/reannounce", ("hashes", hash));
                trackers = await autobrr.JsonAsync("torrents/trackers?hash=" + hash);
                return trackers.EnumerateArray().Any(tracker => tracker.GetProperty("tier").GetInt32() >= 0 && tracker.GetProperty("status").GetInt32() == 2);
            },
            "the tracker answers");
        Assert.Equal(["** [DHT] **", "** [PeX] **", "** [LSD] **"], trackers.EnumerateArray().Take(3).Select(tracker => tracker.GetProperty("url").GetString()));
        JsonElement peers = default;
        await Deadline.UntilAsync(
            async () =>
            {
                peers = await autobrr.JsonAsync($"sync/torrentPeers?hash={hash}&rid=0");
                return peers.GetProperty("peers").EnumerateObject().Count() == 2;
            },
            "its peers are connected");
        Assert.True(peers.GetProperty("full_update").GetBoolean());
        Assert.All(peers.GetProperty("peers").EnumerateObject(), peer => Assert.Equal("127.0.0.1", peer.Value.GetProperty("ip").GetString()));
        Assert.Equal(32, (await autobrr.JsonAsync("torrents/pieceHashes?hash=" + hash)).GetArrayLength() + 1);
        var main = await autobrr.JsonAsync("sync/maindata?rid=0");
        Assert.Equal("film.mkv", main.GetProperty("torrents").GetProperty(hash).GetProperty("name").GetString());
        Assert.Equal("autobrr", main.GetProperty("tags")[0].GetString());

        // One that is pushed twice, into another category, is refused; whoever pushes it hears so.
        using var other = new QbitArr(gateway.Root, "autobrr", ClientKey, "tv");
        await Assert.ThrowsAnyAsync<Xunit.Sdk.XunitException>(() => other.AddFileAsync("again", swarm.File));
    }

    /// <summary>In the order and the form in which <c>qbittorrent-api</c> sends them: everything is a POST but what looks, with the server's own address as origin.</summary>
    [Fact]
    public async Task A_script_adds_lists_pauses_and_deletes()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(2_000_000));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var handler = new SocketsHttpHandler { UseProxy = false, CookieContainer = new CookieContainer() };
        using var http = new HttpClient(handler) { BaseAddress = new Uri(gateway.Root + "/api/v2/") };
        http.DefaultRequestHeaders.Add("Origin", gateway.Root);
        http.DefaultRequestHeaders.Referrer = new Uri(gateway.Root);
        Assert.Equal("Ok.", await PostAsync("auth/login", ("username", "admin"), ("password", Key)));
        Assert.Equal("v5.1.2", await http.GetStringAsync("app/version"));
        using (var form = new MultipartFormDataContent())
        {
            form.Add(new StringContent("movies"), "category");
            form.Add(new StringContent("a,b"), "tags");
            form.Add(new StringContent("false"), "is_paused");
            form.Add(new ByteArrayContent(swarm.File) { Headers = { ContentType = new MediaTypeHeaderValue("application/x-bittorrent") } }, "torrents", "torrent__0");
            using var added = await http.PostAsync("torrents/add", form);
            Assert.Equal("Ok.", await added.Content.ReadAsStringAsync());
        }

        await Deadline.UntilAsync(async () => (await http.GetStringAsync("torrents/info?hashes=" + hash)).Contains("\"progress\":1,", StringComparison.Ordinal), "it is there");
        var files = JsonDocument.Parse(await http.GetStringAsync("torrents/files?hash=" + hash)).RootElement;
        Assert.Equal(("film/film.mkv", 2_000_000L, 1), (files[0].GetProperty("name").GetString(), files[0].GetProperty("size").GetInt64(), files[0].GetProperty("priority").GetInt32()));
        Assert.Equal("", await PostAsync("torrents/filePrio", ("hash", hash), ("id", "0"), ("priority", "7")));
        Assert.Equal(7, JsonDocument.Parse(await http.GetStringAsync("torrents/files?hash=" + hash)).RootElement[0].GetProperty("priority").GetInt32());
        Assert.Equal(HttpStatusCode.Conflict, (await http.PostAsync("torrents/filePrio", Form(("hash", hash), ("id", "9"), ("priority", "7")))).StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest, (await http.PostAsync("torrents/filePrio", Form(("hash", hash), ("id", "0"), ("priority", "3")))).StatusCode);
        Assert.Equal("", await PostAsync("torrents/setDownloadLimit", ("hashes", hash), ("limit", "1000000")));
        Assert.Equal($$"""{"{{hash}}":1000000}""", await PostAsync("torrents/downloadLimit", ("hashes", hash)));
        Assert.Equal("", await PostAsync("torrents/setShareLimits", ("hashes", hash), ("ratioLimit", "-1"), ("seedingTimeLimit", "-2"), ("inactiveSeedingTimeLimit", "30")));
        Assert.Equal("", await PostAsync("torrents/rename", ("hash", hash), ("name", "Another name")));
        Assert.Equal("", await PostAsync("torrents/stop", ("hashes", hash)));
        var torrent = JsonDocument.Parse(await http.GetStringAsync("torrents/info?filter=stopped")).RootElement[0];
        Assert.Equal(("Another name", "stoppedUP", -1.0, -2L, 30L), (torrent.GetProperty("name").GetString(), torrent.GetProperty("state").GetString(), torrent.GetProperty("ratio_limit").GetDouble(), torrent.GetProperty("seeding_time_limit").GetInt64(), torrent.GetProperty("inactive_seeding_time_limit").GetInt64()));
        Assert.Equal("", await PostAsync("torrents/resume", ("hashes", "all")));
        Assert.NotEqual("stoppedUP", JsonDocument.Parse(await http.GetStringAsync("torrents/info")).RootElement[0].GetProperty("state").GetString());

        // What is exported is the same torrent.
        using (var exported = await http.GetAsync("torrents/export?hash=" + hash))
        {
            Assert.Equal("application/x-bittorrent", exported.Content.Headers.ContentType!.MediaType);
            Assert.Equal(hash, NzbDav.Torrents.Metadata.Metainfo.Read(await exported.Content.ReadAsByteArrayAsync()).Value!.Info.Hash.ToString());
        }

        // Nobody has read a link: the files go too.
        Assert.Equal("", await PostAsync("torrents/delete", ("hashes", hash), ("deleteFiles", "True")));
        Assert.Equal("[]", await http.GetStringAsync("torrents/info"));

        async Task<string> PostAsync(string call, params (string Name, string Value)[] fields)
        {
            using var response = await http.PostAsync(call, Form(fields));
            Assert.True(response.IsSuccessStatusCode, $"{call}: {response.StatusCode}");
            return await response.Content.ReadAsStringAsync();
        }
    }

    [Theory]
    [InlineData("torrent")]
    [InlineData("redirect")]
    [InlineData("text")]
    public async Task QBT_02_An_address_may_lead_to_a_torrent_or_a_magnet_link(string what)
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await StartAsync(news);
        using var indexer = new HttpListener();
        var root = $"http://127.0.0.1:{LoopbackPort.Free()}/";
        indexer.Prefixes.Add(root);
        indexer.Start();
        var answered = AnswerAsync();
        using var prowlarr = new QbitArr(gateway.Root, "prowlarr", ClientKey, "movies");
        await prowlarr.AddLinkAsync(root + "download?apikey=1");
        await answered;
        Assert.Equal(swarm.Torrent.HashText, Assert.Single(await prowlarr.ItemsAsync()).Id);

        async Task AnswerAsync()
        {
            var context = await indexer.GetContextAsync();
            var body = what == "torrent" ? swarm.File : Encoding.UTF8.GetBytes(swarm.Magnet);
            if (what == "redirect")
                context.Response.Redirect(swarm.Magnet);
            else
                await context.Response.OutputStream.WriteAsync(body);
            context.Response.Close();
        }
    }

    [Fact]
    public async Task QBT_02_An_address_in_a_private_network_is_not_fetched()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news, privateHosts: []);
        using var http = new HttpClient();
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", ClientKey);
        using var response = await http.PostAsync(gateway.Root + "/api/v2/torrents/add", Form(("urls", gateway.Root + "/health")));
        Assert.Equal("Fails.", await response.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Grabs_of_both_kinds_are_in_one_list_if_a_setting_says_so()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await StartAsync(news);
        await gateway.ImportAsync("Post", news.Post("post.mkv", 1_000_000));
        using var client = new QbitArr(gateway.Root, "dashboard", ClientKey, "movies");
        await client.AddFileAsync("x", swarm.File);
        await client.CompletedAsync(swarm.Torrent.HashText);
        Assert.Equal(["film.mkv", "Post"], (await client.ItemsAsync()).Select(item => item.Title).Order(StringComparer.OrdinalIgnoreCase));
        Assert.All(await client.ItemsAsync(), item => Assert.Equal("Completed", item.Status));
    }

    [Fact]
    public async Task Below_a_url_base_and_without_torrents_it_answers_too()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>
        {
            ["Api:ClientKey"] = ClientKey,
            ["UrlBase"] = "/base",
            ["Torrents:Enabled"] = "false",
            ["Qbit:TrustLocalhost"] = "true",
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
        });
        using var http = new HttpClient();
        Assert.Equal("2.11.4", await http.GetStringAsync(gateway.Root + "/base/api/v2/app/webapiVersion"));
        Assert.Equal("[]", await http.GetStringAsync(gateway.Root + "/base/api/v2/torrents/info"));
        using var added = await http.PostAsync(gateway.Root + "/base/api/v2/torrents/add", Form(("urls", "magnet:?xt=urn:btih:" + new string('a', 40))));
        Assert.Equal("Fails.", await added.Content.ReadAsStringAsync());
    }

    private static async Task<Gateway> StartAsync(NewsServers news, Folder? folder = null, IReadOnlyList<string>? privateHosts = null)
    {
        var gateway = await Gateway.StartAsync(news, folder, settings => settings with
        {
            Api = new ApiSettings { Key = Key, ClientKey = ClientKey, PrivateHosts = privateHosts ?? ["127.0.0.1"] },
            Qbit = new QbitOptions { ShowsNzbJobs = true },
        });

        // Two seeders on loopback: to be published is to be readable.
        var seeding = gateway.Services.GetRequiredService<Live<SeedingOptions>>();
        seeding.Value = seeding.Value with { WaitForCopy = false };
        return gateway;
    }

    private static FormUrlEncodedContent Form(params (string Name, string Value)[] fields) => new(fields.Select(field => KeyValuePair.Create(field.Name, field.Value)));

    /// <summary>A path in the mount as WebDAV has it.</summary>
    private static string Dav(string path)
    {
        Assert.StartsWith(Mount + "/", path, StringComparison.Ordinal);
        return DavClient.Path(path[(Mount.Length + 1)..].Split('/'));
    }

    private static async Task<long> FileAsync(Gateway gateway, params string[] path) =>
        (await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", .. path], Deadline.Token))!.Id;

    private static async Task<bool> AnyJobAsync(Gateway gateway)
    {
        await foreach (var _ in gateway.Jobs.ListAsync(new JobFilter(), Deadline.Token))
            return true;
        return false;
    }
}
