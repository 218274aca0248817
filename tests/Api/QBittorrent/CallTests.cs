using System.Net;
using System.Text;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>The forms in which calls are sent and answered.</summary>
public sealed class CallTests
{
    [Fact]
    public async Task QBT_08_Versions_are_plain_text_the_arrs_can_parse()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        using var api = await qbit.SendAsync(HttpMethod.Get, "app/webapiVersion");
        Assert.Equal(new Version(2, 11, 4), Version.Parse(await api.Content.ReadAsStringAsync()));
        Assert.Equal("text/plain", api.Content.Headers.ContentType!.MediaType);
        using var application = await qbit.SendAsync(HttpMethod.Get, "app/version");
        Assert.Equal("v5.1.2", await application.Content.ReadAsStringAsync());
        Assert.Equal("{bitness:i,boost:s,libtorrent:s,openssl:s,platform:s,qt:s,zlib:s}", Shape.Of(await qbit.ReadAsync("app/buildInfo")));
    }

    [Theory]
    [InlineData("GET", "torrents/nonsense", HttpStatusCode.NotFound)]
    [InlineData("GET", "search/start", HttpStatusCode.MethodNotAllowed)]
    [InlineData("GET", "", HttpStatusCode.NotFound)]
    [InlineData("GET", "torrents/delete", HttpStatusCode.MethodNotAllowed)]
    [InlineData("GET", "auth/login", HttpStatusCode.MethodNotAllowed)]
    [InlineData("PUT", "torrents/info", HttpStatusCode.MethodNotAllowed)]
    [InlineData("DELETE", "torrents/delete", HttpStatusCode.MethodNotAllowed)]
    [InlineData("POST", "torrents/info", HttpStatusCode.OK)]
    [InlineData("GET", "torrents/properties", HttpStatusCode.BadRequest)]
    [InlineData("GET", "torrents/properties?hash=0123456789012345678901234567890123456789", HttpStatusCode.NotFound)]
    [InlineData("GET", "torrents/files?hash=xyz", HttpStatusCode.NotFound)]
    [InlineData("GET", "torrents/info?sort=nonsense", HttpStatusCode.BadRequest)]
    [InlineData("GET", "rss/items", HttpStatusCode.OK)]
    [InlineData("GET", "log/main", HttpStatusCode.OK)]
    public async Task QBT_08_Odd_calls_get_the_status_of_qBittorrent_as_text_and_never_a_page(
        string method, string call, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.Inner.QueueAsync("one");
        using var response = await qbit.SendAsync(new HttpMethod(method), call);
        Assert.Equal(expected, response.StatusCode);
        Assert.DoesNotContain("<", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.NotEqual("text/html", response.Content.Headers.ContentType?.MediaType);
    }

    [Fact]
    public async Task QBT_06_Parameters_that_clients_leave_out_are_optional()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var hash = new string('a', 40);
        foreach (var call in new[] { "delete", "setShareLimits", "stop", "start", "pause", "resume", "recheck", "reannounce", "topPrio",
            "setForceStart", "removeTags", "setAutoManagement" })
            Assert.Equal((call, HttpStatusCode.OK), (call, (await qbit.DoAsync("torrents/" + call, new() { ["hashes"] = hash })).Status));
        Assert.Equal((HttpStatusCode.BadRequest, "Bad Request"), await qbit.DoAsync("torrents/delete"));
        Assert.Equal((HttpStatusCode.OK, "Fails."), await qbit.DoAsync("torrents/add"));
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "anime" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync("torrents/editCategory", new() { ["category"] = "anime" })).Status);
    }

    [Fact]
    public async Task QBT_07_Categories_are_created_listed_changed_and_removed()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.Inner.QueueAsync("Show");
        var before = await qbit.ReadAsync("torrents/categories");
        Assert.Equal("tv", before.GetProperty("tv").GetProperty("name").GetString());
        Assert.Equal("", before.GetProperty("tv").GetProperty("savePath").GetString());
        Assert.Equal(HttpStatusCode.BadRequest, (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "" })).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "tv" })).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "tv/../x" })).Status);
        Assert.Equal(HttpStatusCode.OK,
            (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "Anime ü", ["savePath"] = "/data/anime" })).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "Anime ü" })).Status);
        Assert.Equal(
            "/data/anime", (await qbit.ReadAsync("torrents/categories")).GetProperty("Anime ü").GetProperty("savePath").GetString());
        Assert.Equal(HttpStatusCode.OK,
            (await qbit.DoAsync("torrents/editCategory", new() { ["category"] = "Anime ü", ["savePath"] = "/elsewhere" })).Status);
        Assert.Equal(
            "/elsewhere", (await qbit.ReadAsync("torrents/categories")).GetProperty("Anime ü").GetProperty("savePath").GetString());
        Assert.Equal(HttpStatusCode.Conflict,
            (await qbit.DoAsync("torrents/editCategory", new() { ["category"] = "none", ["savePath"] = "" })).Status);
        Assert.Equal(HttpStatusCode.Conflict,
            (await qbit.DoAsync("torrents/setCategory", new() { ["hashes"] = "all", ["category"] = "nowhere" })).Status);
        Assert.Equal(
            HttpStatusCode.OK, (await qbit.DoAsync("torrents/setCategory", new() { ["hashes"] = "all", ["category"] = "Anime ü" })).Status);
        Assert.Equal("Anime ü", (await qbit.ReadAsync("torrents/info"))[0].GetProperty("category").GetString());
        Assert.Equal(
            HttpStatusCode.OK, (await qbit.DoAsync("torrents/removeCategories", new() { ["categories"] = "Anime ü\nnone" })).Status);
        Assert.False((await qbit.ReadAsync("torrents/categories")).TryGetProperty("Anime ü", out _));
    }

    [Fact]
    public async Task Tags_are_created_listed_and_removed()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal("[]", (await qbit.ReadAsync("torrents/tags")).ToString());
        await qbit.DoAsync("torrents/createTags", new() { ["tags"] = "b, a,,a" });
        Assert.Equal("""["a","b"]""", (await qbit.ReadAsync("torrents/tags")).ToString());
        await qbit.DoAsync("torrents/deleteTags", new() { ["tags"] = "a" });
        Assert.Equal("""["b"]""", (await qbit.ReadAsync("torrents/tags")).ToString());
    }

    [Fact]
    public async Task Preferences_let_the_test_of_the_arrs_pass()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var preferences = await qbit.ReadAsync("app/preferences");
        Assert.Equal("/mnt/films/completed-symlinks", preferences.GetProperty("save_path").GetString());
        Assert.Equal((true, true, 0), (preferences.GetProperty("dht").GetBoolean(),
            preferences.GetProperty("queueing_enabled").GetBoolean(), preferences.GetProperty("max_ratio_act").GetInt32()));
        Assert.False(preferences.GetProperty("max_ratio_enabled").GetBoolean());
        Assert.False(preferences.GetProperty("max_seeding_time_enabled").GetBoolean());
        Assert.False(preferences.GetProperty("max_inactive_seeding_time_enabled").GetBoolean());
        preferences.GetProperty("max_ratio").GetSingle();
        preferences.GetProperty("max_seeding_time").GetInt64();
        preferences.GetProperty("max_inactive_seeding_time").GetInt64();
    }

    [Fact]
    public async Task QBT_02_A_multipart_form_is_read_like_an_encoded_one()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        using var form = new MultipartFormDataContent
            { { new StringContent("anime"), "category" }, { new StringContent("/x"), "savePath" } };
        using var response = await qbit.SendAsync(HttpMethod.Post, "torrents/createCategory", form);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("/x", (await qbit.ReadAsync("torrents/categories")).GetProperty("anime").GetProperty("savePath").GetString());
        using var broken = await qbit.SendAsync(
            HttpMethod.Post, "torrents/createCategory", new StringContent("--x\r\nnonsense", Encoding.UTF8, "multipart/form-data"));
        Assert.Equal(HttpStatusCode.BadRequest, broken.StatusCode);
        using var large = await qbit.PostAsync("torrents/delete", new() { ["hashes"] = new string('a', 2 << 20) });
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, large.StatusCode);
    }

    [Fact]
    public async Task QBT_02_An_invalid_torrent_is_refused()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        using var form = new MultipartFormDataContent { { new ByteArrayContent("no torrent"u8.ToArray()), "torrents", "x.torrent" } };
        using var response = await qbit.SendAsync(HttpMethod.Post, "torrents/add", form);
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
        Assert.Contains("'x.torrent' is not a valid torrent file", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        foreach (var link in new[] { "magnet:?xt=urn:btih:abc", "ftp://x/y", "rubbish" })
            Assert.Equal((HttpStatusCode.OK, "Fails."), await qbit.DoAsync("torrents/add", new() { ["urls"] = link }));

        // Among several links one valid one is enough.
        Assert.Equal((HttpStatusCode.OK, "Ok."), await qbit.DoAsync(
            "torrents/add", new() { ["urls"] = "rubbish\r\nmagnet:?xt=urn:btih:MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U&dn=x\n" }));
    }

    [Fact]
    public async Task QBT_02_A_link_is_added_with_its_options()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var (status, text) = await qbit.DoAsync("torrents/add", new()
        {
            // A base32 hash, and the form as Sonarr sends it.
            ["urls"] = "magnet:?xt=urn:btih:MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U&dn=Show.S01E01&tr=http%3A%2F%2Ftracker%2Fannounce",
            ["category"] = "tv-sonarr",
            ["stopped"] = "True",
            ["sequentialDownload"] = "True",
            ["firstLastPiecePrio"] = "False",
            ["contentLayout"] = "Original",
            ["ratioLimit"] = "1.5",
            ["seedingTimeLimit"] = "2880",
            ["tags"] = "one,two",
            ["upLimit"] = "50000",
            ["rename"] = " A Show ",
            ["savepath"] = "/data",
        });
        Assert.Equal((HttpStatusCode.OK, "Ok."), (status, text));
        var entry = Assert.Single(await qbit.Inner.Get<TorrentStore>().ListAsync(CancellationToken.None));
        Assert.Equal("6162636465666768696a6b6c6d6e6f7071727374", entry.Hash);
        Assert.Equal(("tv-sonarr", "A Show", "/data", "Original"), (entry.Category, entry.Name, entry.SavePath, entry.Layout));
        Assert.Equal(new[] { "one", "two" }, entry.Tags);
        Assert.Equal((1.5, 2_880, null), (entry.Policy.Ratio, entry.Policy.SeedMinutes, entry.Policy.IdleMinutes));
        Assert.Equal((true, true, false, 50_000L, null),
            (entry.IsStopped, entry.IsSequential, entry.IsEdgesFirst, entry.UploadLimit, entry.DownloadLimit));
        Assert.True((await qbit.ReadAsync("torrents/categories")).TryGetProperty("tv-sonarr", out _));
    }

    [Fact]
    public async Task QBT_09_What_is_added_beside_data_of_another_client_is_not_started()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.DoAsync("torrents/add", new()
        {
            ["urls"] = "magnet:?xt=urn:btih:MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U",
            ["skip_checking"] = "true",
            ["paused"] = "false",
        });
        var entry = Assert.Single(await qbit.Inner.Get<TorrentStore>().ListAsync(CancellationToken.None));
        Assert.Equal((true, true), (entry.IsStopped, entry.SavePath is not null));
    }
}
