using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using static NzbDav.EndToEnd.Tests.Qbit.QbitServer;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>Calls of scripts and dashboards on the qBittorrent interface, and addresses that lead to a torrent.</summary>
public sealed class QbitScriptTests
{
    /// <summary>
    /// Sent in the order and form of <c>qbittorrent-api</c>: everything but reads is a POST, with the server's own address as origin.
    /// </summary>
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
            form.Add(new ByteArrayContent(swarm.File) { Headers = { ContentType = new MediaTypeHeaderValue("application/x-bittorrent") } },
                "torrents", "torrent__0");
            using var added = await http.PostAsync("torrents/add", form);
            Assert.Equal("Ok.", await added.Content.ReadAsStringAsync());
        }

        await Deadline.UntilAsync(async () => (await http.GetStringAsync("torrents/info?hashes=" + hash))
            .Contains("\"progress\":1,", StringComparison.Ordinal), "it is there");
        var files = JsonDocument.Parse(await http.GetStringAsync("torrents/files?hash=" + hash)).RootElement;
        Assert.Equal(("film/film.mkv", 2_000_000L, 1), (files[0].GetProperty("name").GetString(), files[0].GetProperty("size").GetInt64(),
            files[0].GetProperty("priority").GetInt32()));
        Assert.Equal("", await PostAsync("torrents/filePrio", ("hash", hash), ("id", "0"), ("priority", "7")));
        Assert.Equal(7,
            JsonDocument.Parse(await http.GetStringAsync("torrents/files?hash=" + hash)).RootElement[0].GetProperty("priority").GetInt32());
        Assert.Equal(HttpStatusCode.Conflict,
            (await http.PostAsync("torrents/filePrio", Form(("hash", hash), ("id", "9"), ("priority", "7")))).StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest,
            (await http.PostAsync("torrents/filePrio", Form(("hash", hash), ("id", "0"), ("priority", "3")))).StatusCode);
        Assert.Equal("", await PostAsync("torrents/setDownloadLimit", ("hashes", hash), ("limit", "1000000")));
        Assert.Equal($$"""{"{{hash}}":1000000}""", await PostAsync("torrents/downloadLimit", ("hashes", hash)));
        Assert.Equal("", await PostAsync("torrents/setShareLimits", ("hashes", hash), ("ratioLimit", "-1"), ("seedingTimeLimit", "-2"),
            ("inactiveSeedingTimeLimit", "30")));
        Assert.Equal("", await PostAsync("torrents/rename", ("hash", hash), ("name", "Another name")));
        Assert.Equal("", await PostAsync("torrents/stop", ("hashes", hash)));
        var torrent = JsonDocument.Parse(await http.GetStringAsync("torrents/info?filter=stopped")).RootElement[0];
        Assert.Equal(
            ("Another name", "stoppedUP", -1.0, -2L, 30L),
            (torrent.GetProperty("name").GetString(), torrent.GetProperty("state").GetString(),
            torrent.GetProperty("ratio_limit").GetDouble(), torrent.GetProperty("seeding_time_limit")
            .GetInt64(), torrent.GetProperty("inactive_seeding_time_limit").GetInt64()));
        Assert.Equal("", await PostAsync("torrents/resume", ("hashes", "all")));
        Assert.NotEqual(
            "stoppedUP", JsonDocument.Parse(await http.GetStringAsync("torrents/info")).RootElement[0].GetProperty("state").GetString());

        // The exported file is the same torrent.
        using (var exported = await http.GetAsync("torrents/export?hash=" + hash))
        {
            Assert.Equal("application/x-bittorrent", exported.Content.Headers.ContentType!.MediaType);
            Assert.Equal(
                hash, NzbDav.Torrents.Metadata.Metainfo.Read(await exported.Content.ReadAsByteArrayAsync()).Value!.Info.Hash.ToString());
        }

        // Nobody has read a link, so the files are deleted too.
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
    public async Task A_setting_puts_NZB_and_torrent_grabs_in_one_list()
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
    public async Task It_answers_below_a_url_base_and_with_torrents_switched_off()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>
        {
            ["Api:ClientKey"] = ClientKey,
            ["UrlBase"] = "/base",
            ["Torrents:Enabled"] = "false",
            ["Qbit:TrustLocalhost"] = "true",
            ["Access:NoProxy"] = "true",
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
        });
        using var http = new HttpClient();
        Assert.Equal("2.11.4", await http.GetStringAsync(gateway.Root + "/base/api/v2/app/webapiVersion"));
        Assert.Equal("[]", await http.GetStringAsync(gateway.Root + "/base/api/v2/torrents/info"));
        using var added = await http.PostAsync(
            gateway.Root + "/base/api/v2/torrents/add", Form(("urls", "magnet:?xt=urn:btih:" + new string('a', 40))));
        Assert.Equal("Fails.", await added.Content.ReadAsStringAsync());
    }
}
