using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>
/// The calls that Lidarr, Prowlarr, cross-seed, Homepage, Flood, qBitController and nzb360 send, in their order and form. The answers are
/// parsed as strictly as they do.
/// </summary>
public sealed class QbitClientTests
{
    private const string ClientKey = "fedcba9876543210";

    /// <summary>Members that typed clients read of each torrent.</summary>
    private const string Torrent =
        "s:hash s:name s:state l:added_on l:completion_on l:completed l:size i:eta l:dlspeed l:upspeed i:dl_limit i:up_limit d:progress " +
        "i:priority i:num_seeds i:num_leechs i:num_complete i:num_incomplete " +
        "s:category s:tags b:seq_dl b:f_l_piece_prio b:auto_tmm b:force_start b:super_seeding s:magnet_uri l:time_active l:downloaded " +
        "l:downloaded_session l:uploaded l:uploaded_session d:ratio " +
        "l:last_activity l:seen_complete d:ratio_limit i:seeding_time_limit i:seeding_time s:save_path s:content_path s:download_path " +
        "l:total_size l:amount_left s:tracker i:trackers_count d:availability " +
        "d:max_ratio i:max_seeding_time s:infohash_v1 s:infohash_v2";

    private static readonly string[] States = [
        "error", "missingFiles", "uploading", "stoppedUP", "queuedUP", "stalledUP", "checkingUP", "forcedUP", "downloading", "metaDL",
        "forcedMetaDL", "stoppedDL", "queuedDL", "stalledDL", "checkingDL", "forcedDL", "checkingResumeData", "moving"];

    [Fact]
    public async Task QBT_09_Lidarr_tests_grabs_an_album_and_sets_its_limits()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Album());
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var lidarr = new QbitArr(gateway.Root, "lidarr", ClientKey, "lidarr");
        await lidarr.AssertSupportedAsync();
        var savePath = await lidarr.TestAsync();
        await lidarr.AddFileAsync("Album.torrent", swarm.File);
        Assert.True(await lidarr.IsLoadedAsync(hash));

        // Its own three parameters; older versions leave the third out.
        await lidarr.PostAsync("torrents/setShareLimits", ("hashes", hash), ("ratioLimit", "2"), ("seedingTimeLimit", "-2"),
            ("inactiveSeedingTimeLimit", "-2"));
        await lidarr.PostAsync("torrents/setShareLimits", ("hashes", hash), ("ratioLimit", "2"), ("seedingTimeLimit", "1440"));
        await lidarr.PostAsync("torrents/topPrio", ("hashes", hash));
        var item = await lidarr.CompletedAsync(hash);
        Assert.Equal((savePath + "/lidarr/Album", 2.0), (item.OutputPath, item.RatioLimit));
        Assert.Equal(["Album/01.flac", "Album/02.flac"], await lidarr.FilesAsync(hash));
        await lidarr.PostAsync("torrents/createCategory", ("category", "imported"));
        await lidarr.PostAsync("torrents/setCategory", ("hashes", hash), ("category", "imported"));
        Assert.Empty(await lidarr.ItemsAsync());
    }

    [Fact]
    public async Task QBT_09_Prowlarr_tests_and_sends_a_link_with_its_category()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await StartAsync(news);
        using var prowlarr = new QbitArr(gateway.Root, "prowlarr", ClientKey, "prowlarr");
        await prowlarr.AssertSupportedAsync();
        await prowlarr.TestAsync();
        await prowlarr.AddLinkAsync(swarm.Magnet);
        await prowlarr.PostAsync("torrents/setForceStart", ("hashes", swarm.Torrent.HashText), ("value", "True"));
        await prowlarr.CompletedAsync(swarm.Torrent.HashText);
    }

    [Fact]
    public async Task QBT_09_cross_seed_looks_up_a_torrent_injects_another_and_starts_it()
    {
        await using var news = new NewsServers();
        await using var first = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var second = new TorrentSwarm(
            new MockTorrent("film.mkv", SwarmContent.Make(3, 128 << 10, [new SwarmFile("film.mkv", 1_000_000)]), isPrivate: true));
        var (known, hash) = (first.Torrent.HashText, second.Torrent.HashText);
        await using var gateway = await StartAsync(news);
        using (var radarr = new QbitArr(gateway.Root, "radarr", ClientKey, "movies"))
        {
            await radarr.AddFileAsync("film", first.File);
            await radarr.CompletedAsync(known);
        }

        using var http = await LogInAsync(gateway);

        // Everything is a POST, even lookups. A call without parameters has an empty body and no content type.
        Assert.Equal("", await PostAsync(http, "torrents/createTags", "tags=cross-seed"));
        Assert.Equal("v5.1.2", await TextAsync(http, "app/version", new StringContent("")));
        QbitShape.Assert(await ReadAsync(http, "app/preferences", new StringContent("")),
            "b:temp_path_enabled s:save_path b:auto_tmm_enabled s:torrent_content_layout b:use_category_paths_in_manual_mode");
        Assert.Equal(HttpStatusCode.NotFound, (await http.PostAsync("torrents/properties", Form("hash=" + hash))).StatusCode);
        var torrent = (await ReadAsync(http, "torrents/info", Form("hashes=" + known)))[0];
        QbitShape.Assert(torrent, Torrent);
        Assert.Equal(1, torrent.GetProperty("progress").GetInt32());
        Assert.False(torrent.GetProperty("auto_tmm").GetBoolean());
        var file = (await ReadAsync(http, "torrents/files", Form("hash=" + known)))[0];
        QbitShape.Assert(file, "d:availability i:index b:is_seed s:name i:priority d:progress l:size");
        Assert.NotEqual("film.mkv", file.GetProperty("name").GetString());
        var category = (await ReadAsync(http, "torrents/categories", new ByteArrayContent([]))).GetProperty("movies");
        Assert.Equal("", await PostAsync(
            http, "torrents/createCategory", $"category=movies.cross-seed&savePath={category.GetProperty("savePath").GetString()}"));
        using (var form = new MultipartFormDataContent())
        {
            form.Add(new ByteArrayContent(second.File) { Headers = { ContentType = new MediaTypeHeaderValue("application/x-bittorrent") } },
                "torrents", "film.cross-seed.torrent");
            foreach (var (name, value) in new[] { ("tags", "cross-seed"), ("category", "movies.cross-seed"), ("autoTMM", "false"),
                ("savepath", torrent.GetProperty("save_path").GetString()!), ("contentLayout", "Subfolder"), ("skip_checking", "false"),
                ("paused", "true"), ("stopped", "true"), ("foo", "bar") })
                form.Add(new StringContent(value), name);
            Assert.Equal("Ok.", await TextAsync(http, "torrents/add", form));
        }

        await Deadline.UntilAsync(async () =>
            (await http.PostAsync("torrents/properties", Form("hash=" + hash))).StatusCode == HttpStatusCode.OK, "it is in the list");
        Assert.Equal("", await PostAsync(http, "torrents/recheck", "hashes=" + hash));
        Assert.Equal("", await PostAsync(http, "torrents/start", "hashes=" + hash));
        await Deadline.UntilAsync(async () => (await ReadAsync(http, "torrents/info", Form("hashes=" + hash)))[0].GetProperty("progress")
            .GetDouble() >= 1, "it runs");
        var injected = (await ReadAsync(http, "torrents/info", Form("hashes=" + hash + "&includeTrackers=true")))[0];
        Assert.Equal(
            ("movies.cross-seed", "cross-seed"), (injected.GetProperty("category").GetString(), injected.GetProperty("tags").GetString()));
        Assert.NotEmpty(injected.GetProperty("trackers").EnumerateArray());
    }

    [Fact]
    public async Task QBT_09_Homepage_logs_in_totals_the_torrents_and_logs_in_again_when_its_session_ends()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await StartAsync(news);
        using var radarr = new QbitArr(gateway.Root, "radarr", ClientKey, "movies");
        await radarr.AddFileAsync("film", swarm.File);
        await radarr.CompletedAsync(swarm.Torrent.HashText);
        using var http = await LogInAsync(gateway);
        var all = (await ReadAsync(http, "torrents/info")).EnumerateArray().ToArray();
        Assert.Equal((1, 1), (all.Length, all.Count(torrent => torrent.GetProperty("progress").GetDouble() == 1)));
        Assert.True(all.Sum(torrent => torrent.GetProperty("dlspeed").GetInt64() + torrent.GetProperty("upspeed").GetInt64()) >= 0);
        QbitShape.Assert(await ReadAsync(http, "transfer/info"),
            "l:dl_info_speed l:up_info_speed l:dl_info_data l:up_info_data s:connection_status i:dht_nodes");
        Assert.Equal("", await PostAsync(http, "auth/logout", ""));
        Assert.Equal(HttpStatusCode.Forbidden, (await http.GetAsync("torrents/info")).StatusCode);
        Assert.Equal("Ok.", await PostAsync(http, "auth/login", "username=homepage&password=" + ClientKey));
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync("torrents/info")).StatusCode);
    }

    [Fact]
    public async Task QBT_09_Flood_reads_changes_settings_and_trackers_and_follows_a_torrent()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var http = await LogInAsync(gateway);
        using (var form = new MultipartFormDataContent { { new ByteArrayContent(swarm.File)
            { Headers = { ContentType = new MediaTypeHeaderValue("application/x-bittorrent") } }, "torrents", "0.torrent" } })
        {
            foreach (var (name, value) in new[] { ("savepath", "/data"), ("tags", "a,b"), ("paused", "false"), ("root_folder", "false"),
                ("contentLayout", "NoSubfolder"), ("autoTMM", "false"), ("sequentialDownload", "false"), ("firstLastPiecePrio", "false"),
                ("skip_checking", "false") })
                form.Add(new StringContent(value), name);
            Assert.Equal("Ok.", await TextAsync(http, "torrents/add", form));
        }

        await Deadline.UntilAsync(async () => (await ReadAsync(http, "torrents/info")) is var list && list.GetArrayLength() == 1
            && list[0].GetProperty("progress").GetDouble() >= 1, "it is there");
        QbitShape.Assert((await ReadAsync(http, "torrents/info"))[0], Torrent);
        QbitShape.Assert(
            await ReadAsync(http, "torrents/properties?hash=" + hash),
            "s:comment l:creation_date l:addition_date l:completion_date s:created_by i:dl_limit i:up_limit l:total_size i:piece_size " +
            "i:pieces_num i:pieces_have i:seeds i:seeds_total i:peers i:peers_total d:share_ratio l:time_elapsed l:reannounce s:save_path");
        Assert.All((await ReadAsync(http, "torrents/trackers?hash=" + hash)).EnumerateArray(),
            tracker => QbitShape.Assert(tracker, "s:url i:status i:tier i:num_peers i:num_seeds i:num_leeches i:num_downloaded s:msg"));
        Assert.Equal(JsonValueKind.Object, (await ReadAsync(http, $"sync/torrentPeers?hash={hash}&rid=0")).GetProperty("peers").ValueKind);

        // Preferences are sent as they are, without escaping.
        var preferences = await ReadAsync(http, "app/preferences");
        QbitShape.Assert(
            preferences,
            "b:dht b:pex s:save_path i:max_connec i:max_connec_per_torrent i:max_uploads i:max_uploads_per_torrent i:dl_limit i:up_limit " +
            "s:announce_ip i:listen_port b:random_port");
        Assert.Equal("", await PostAsync(http, "app/setPreferences", """json={"dl_limit":512000,"max_uploads_per_torrent":6,"save_path":"/downloads","announce_ip":""}"""));
        preferences = await ReadAsync(http, "app/preferences");
        Assert.Equal(
            (512_000, 6), (preferences.GetProperty("dl_limit").GetInt32(), preferences.GetProperty("max_uploads_per_torrent").GetInt32()));
        Assert.Equal(
            "", await PostAsync(http, "torrents/addTrackers", $"hash={hash}&urls={Uri.EscapeDataString("http://127.0.0.1:9/announce")}"));
        Assert.Equal("",
            await PostAsync(http, "torrents/removeTrackers", $"hash={hash}&urls={Uri.EscapeDataString("http://127.0.0.1:9/announce")}"));
        foreach (var call in new[] { "toggleSequentialDownload", "setSuperSeeding", "reannounce", "recheck", "pause", "resume", "topPrio",
            "bottomPrio" })
            Assert.Equal("", await PostAsync(http, "torrents/" + call, $"hashes={hash}&value=true"));
        Assert.True((await ReadAsync(http, "torrents/info"))[0].GetProperty("seq_dl").GetBoolean());
        Assert.Equal("", await PostAsync(http, "torrents/setLocation", $"hashes={hash}&location=/elsewhere"));
        Assert.Equal(
            HttpStatusCode.BadRequest, (await http.PostAsync("torrents/setLocation", Form($"hashes={hash}&location="))).StatusCode);
    }

    [Fact]
    public async Task QBT_09_qBitController_shows_everything_and_renames_files()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Album());
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var http = await LogInAsync(gateway);
        Assert.Equal("Ok.", await PostAsync(http, "torrents/add", $"urls={Uri.EscapeDataString(swarm.Magnet)}&category=music"));
        await Deadline.UntilAsync(async () => (await ReadAsync(http, "torrents/info?hashes=" + hash)) is var list
            && list.GetArrayLength() == 1 && list[0].GetProperty("progress").GetDouble() >= 1, "it is there");
        var main = await ReadAsync(http, "sync/maindata?rid=0");
        QbitShape.Assert(main.GetProperty("server_state"),
            "l:alltime_ul l:alltime_dl b:use_subcategories s:global_ratio l:total_wasted_session l:total_peer_connections " +
            "l:total_buffers_size s:write_cache_overload s:read_cache_overload l:queued_io_jobs " +
            "l:average_time_queue l:total_queued_size l:dl_info_data l:dl_info_speed i:dl_rate_limit l:up_info_data l:up_info_speed " +
            "i:up_rate_limit b:use_alt_speed_limits b:queueing l:free_space_on_disk");
        QbitShape.Assert(main.GetProperty("torrents").GetProperty(hash), Torrent["s:hash ".Length..]);
        Assert.Contains(main.GetProperty("torrents").GetProperty(hash).GetProperty("state").GetString(), States);
        QbitShape.Assert(
            await ReadAsync(http, "torrents/properties?hash=" + hash),
            "l:piece_size i:pieces_num i:pieces_have l:total_size l:addition_date l:completion_date l:creation_date s:created_by " +
            "s:save_path s:comment");
        Assert.All(
            (await ReadAsync(http, "torrents/pieceStates?hash=" + hash)).EnumerateArray(), state => Assert.InRange(state.GetInt32(), 0, 2));
        Assert.Equal("[]", (await ReadAsync(http, "torrents/webseeds?hash=" + hash)).GetRawText());
        QbitShape.Assert(
            await ReadAsync(http, "torrents/SSLParameters?hash=" + hash), "s:ssl_certificate s:ssl_private_key s:ssl_dh_params");
        Assert.Equal("{}", (await ReadAsync(http, "rss/items?withData=true")).GetRawText());
        Assert.Equal("[]", (await ReadAsync(http, "search/plugins")).GetRawText());
        Assert.All(
            (await ReadAsync(http, "log/main")).EnumerateArray(), line => QbitShape.Assert(line, "i:id s:message l:timestamp i:type"));

        // Renames the file in the mount; its bytes and its link stay.
        Assert.Equal(["Album/01.flac", "Album/02.flac"], await NamesAsync(http, hash));
        Assert.Equal("", await PostAsync(http, "torrents/renameFile",
            $"hash={hash}&oldPath=Album/01.flac&newPath={Uri.EscapeDataString("Album/CD 1/Erstes Stück.flac")}"));
        Assert.Equal(["Album/CD 1/Erstes Stück.flac", "Album/02.flac"], await NamesAsync(http, hash));
        await swarm.AssertFileAsync(gateway.Client, DavClient.Path("content", "music", "Album", "CD 1", "Erstes Stück.flac"), "01.flac");
        Assert.Equal("",
            await PostAsync(http, "torrents/renameFolder", $"hash={hash}&oldPath={Uri.EscapeDataString("Album/CD 1")}&newPath=Album/Disc"));
        Assert.Equal(["Album/Disc/Erstes Stück.flac", "Album/02.flac"], await NamesAsync(http, hash));
        foreach (var (call, before, after) in new[]
        {
            ("renameFile", "Album/none.flac", "Album/x.flac"), ("renameFile", "Album/02.flac", "Album/Disc"),
                ("renameFile", "Album/02.flac", "Other/02.flac"), ("renameFile", "Album/02.flac", "Album/../02.flac"),
            ("renameFile", "", "x"), ("renameFolder", "Album/02.flac", "Album/x"), ("renameFolder", "Album/Disc", "Album/Disc/Disc"),
                ("renameFolder", "Album", "A/B"),
        })
        {
            using var refused = await http.PostAsync(
                "torrents/" + call, Form($"hash={hash}&oldPath={Uri.EscapeDataString(before)}&newPath={Uri.EscapeDataString(after)}"));
            Assert.Equal((call, before, after, HttpStatusCode.Conflict), (call, before, after, refused.StatusCode));
        }

        Assert.Equal(HttpStatusCode.NotFound,
            (await http.PostAsync("torrents/renameFile", Form($"hash={new string('a', 40)}&oldPath=x&newPath=y"))).StatusCode);
        Assert.Equal("", await PostAsync(http, "torrents/renameFolder", $"hash={hash}&oldPath=Album&newPath=Record"));
        var torrent = (await ReadAsync(http, "torrents/info?hashes=" + hash))[0];
        Assert.EndsWith("/music/Record", torrent.GetProperty("content_path").GetString(), StringComparison.Ordinal);
        Assert.Equal(["Record/Disc/Erstes Stück.flac", "Record/02.flac"], await NamesAsync(http, hash));
        await swarm.AssertFileAsync(gateway.Client, DavClient.Path("content", "music", "Record", "Disc", "Erstes Stück.flac"), "01.flac");
        foreach (var (call, form) in new[]
        {
            ("setAutoManagement", "enable=true"), ("setDownloadLimit", "limit=1000"), ("setUploadLimit", "limit=1000"),
                ("toggleFirstLastPiecePrio", ""), ("setForceStart", "value=false"),
            ("setShareLimits", "ratioLimit=-1&seedingTimeLimit=-1&inactiveSeedingTimeLimit=-1"), ("increasePrio", ""), ("decreasePrio", ""),
                ("addTags", "tags=x"), ("removeTags", "tags=x"), ("setTags", "tags=y"),
        })
        {
            Assert.Equal("", await PostAsync(http, "torrents/" + call, $"hashes={hash}&{form}"));
        }

        Assert.Equal("y", (await ReadAsync(http, "torrents/info?hashes=" + hash))[0].GetProperty("tags").GetString());
    }

    [Fact]
    public async Task QBT_09_nzb360_lists_filters_limits_and_deletes()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        var hash = swarm.Torrent.HashText;
        await using var gateway = await StartAsync(news);
        using var http = await LogInAsync(gateway);
        Assert.Equal("2.11.4", await http.GetStringAsync("app/webapiVersion"));
        Assert.Equal("Ok.",
            await PostAsync(http, "torrents/add", $"urls={Uri.EscapeDataString(swarm.Magnet)}&category=movies&paused=false&stopped=false"));
        await Deadline.UntilAsync(async () => (await ReadAsync(
            http, "torrents/info?filter=completed&sort=added_on&reverse=true&limit=50&offset=0")).GetArrayLength() == 1, "it is complete");
        QbitShape.Assert((await ReadAsync(http, "torrents/info?filter=all&sort=name"))[0], Torrent);
        Assert.Equal(0, (await ReadAsync(http, "torrents/info?filter=errored")).GetArrayLength());
        QbitShape.Assert(
            await ReadAsync(http, "transfer/info"),
            "l:dl_info_speed l:dl_info_data l:up_info_speed l:up_info_data l:dl_rate_limit l:up_rate_limit i:dht_nodes " +
            "s:connection_status");
        Assert.Equal("0", await http.GetStringAsync("transfer/speedLimitsMode"));
        Assert.Equal("", await PostAsync(http, "transfer/toggleSpeedLimitsMode", ""));
        Assert.Equal("1", await http.GetStringAsync("transfer/speedLimitsMode"));
        Assert.Equal("", await PostAsync(http, "transfer/toggleSpeedLimitsMode", ""));
        Assert.Equal("", await PostAsync(http, "transfer/setDownloadLimit", "limit=1048576"));
        Assert.Equal("1048576", await http.GetStringAsync("transfer/downloadLimit"));
        Assert.Equal("", await PostAsync(http, "torrents/pause", "hashes=all"));
        Assert.Equal("stoppedUP", (await ReadAsync(http, "torrents/info"))[0].GetProperty("state").GetString());
        Assert.Equal("", await PostAsync(http, "torrents/resume", "hashes=all"));
        Assert.Equal("", await PostAsync(http, "torrents/delete", $"hashes={hash}&deleteFiles=true"));
        Assert.Equal("[]", await http.GetStringAsync("torrents/info"));
    }

    private static MockTorrent Album() =>
        new("Album", SwarmContent.Make(5, 64 << 10, [new SwarmFile("01.flac", 300_000), new SwarmFile("02.flac", 200_000)]));

    private static Task<Gateway> StartAsync(NewsServers news) => Gateway.StartAsync(news, change: settings => settings with
    {
        Api = new ApiSettings { Key = "0123456789abcdef", ClientKey = ClientKey },
        Torrents = settings.Torrents with { Seeding = settings.Torrents.Seeding with { WaitForCopy = false } },
    });

    /// <summary>A client that keeps its login cookie.</summary>
    private static async Task<HttpClient> LogInAsync(Gateway gateway)
    {
        var http = new HttpClient(new SocketsHttpHandler
        { UseProxy = false, CookieContainer = new CookieContainer() })
        { BaseAddress = new Uri(gateway.Root + "/api/v2/") };
        Assert.Equal("Ok.", await PostAsync(http, "auth/login", "username=admin&password=" + ClientKey));
        return http;
    }

    private static StringContent Form(string body) => new(body, Encoding.UTF8, "application/x-www-form-urlencoded");

    private static Task<string> PostAsync(HttpClient http, string call, string form) => TextAsync(http, call, Form(form));

    private static async Task<string> TextAsync(HttpClient http, string call, HttpContent body)
    {
        using var response = await http.PostAsync(call, body);
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == HttpStatusCode.OK, $"{call}: {response.StatusCode}: {text}");
        return text;
    }

    private static async Task<JsonElement> ReadAsync(HttpClient http, string call, HttpContent? body = null) =>
        JsonDocument.Parse(body is null ? await http.GetStringAsync(call) : await TextAsync(http, call, body)).RootElement;

    private static async Task<string[]> NamesAsync(HttpClient http, string hash) =>
        [.. (await ReadAsync(http, "torrents/files?hash=" + hash)).EnumerateArray().Select(file => file.GetProperty("name").GetString()!)];
}
