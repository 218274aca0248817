using System.Net;
using System.Text.Json;
using System.Xml.Linq;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using static NzbDav.EndToEnd.Tests.Api.AddOnCalls;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>
/// Programs written for nzbdav, request by request, as their public sources have it: one address for API and WebDAV, and categories called
/// Movies and TV.
/// </summary>
public sealed class AddOnTests
{
    private const string Title = "Some.Film.2024.1080p.WEB-DL (x265) [Group]";
    private static readonly XNamespace Dav = "DAV:";

    [Fact]
    public async Task AIOStreams_plays_a_film_twice_and_adds_it_once()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 3_000_000);
        var adds = 0;
        for (var play = 0; play < 2; play++)
        {
            // resolve(): stat of the expected folder; only if it is not there the .nzb is added, and its history is polled with the id and
            // the category.
            var folder = "/content/Movies/" + Uri.EscapeDataString(Title);
            if (await StatAsync(gateway, folder) == HttpStatusCode.NotFound)
            {
                adds++;
                var id = await AddAsync(gateway, film, "Movies");
                await PollAsync(gateway, $"nzo_ids={id}&category=Movies", id);
            }

            // getDirectoryContents(path, { deep: true })
            var files = await ListAsync(gateway, folder + "/", "infinity");
            Assert.Equal([folder + "/film.mkv"], files.Select(Unescape(folder)));
            await gateway.Client.AssertFileAsync(folder + "/film.mkv", film);
        }

        Assert.Equal(1, adds);
        Assert.Equal([Title], await gateway.Client.ListAsync("/dav/content/movies"));

        // The library: its categories, the folders of each, and the history, matched by name.
        Assert.Contains("/content/movies/", await HrefsAsync(gateway, "/content/", "1"));
        Assert.Contains(
            $"/content/movies/{Uri.EscapeDataString(Title)}/", await HrefsAsync(gateway, "/content/movies/", "1"), new SameAddress());
        var history = await AskAsync(gateway, "mode=history&limit=1000");
        Assert.Equal(
            Title, Assert.Single(history.GetProperty("history").GetProperty("slots").EnumerateArray()).GetProperty("name").GetString());
    }

    [Fact]
    public async Task UsenetStreamer_uploads_polls_by_category_and_plays_from_the_root()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 3_000_000);
        var id = await AddAsync(gateway, film, "Tv");
        var slot = await PollAsync(gateway, "start=0&limit=50&category=Tv", id);

        // It reads where the history says the job is: category and name, in the spelling of the answer.
        Assert.Equal("Tv", slot.GetProperty("category").GetString());
        var folder = $"/content/Tv/{Uri.EscapeDataString(slot.GetProperty("name").GetString()!)}";
        Assert.Equal([folder + "/film.mkv"], (await ListAsync(gateway, folder, "1")).Select(Unescape(folder)));
        using var head = await gateway.Client.SendAsync("HEAD", folder + "/film.mkv");
        Assert.Equal(film.Length, head.Content.Headers.ContentLength);
        await gateway.Client.AssertRangeAsync(folder + "/film.mkv", film, 1000, 2000);

        // It may be told the address of WebDAV and add /dav itself, or encode the path in one go.
        Assert.Equal(HttpStatusCode.MultiStatus, await StatAsync(gateway, "/dav/dav" + folder));
        Assert.Equal(HttpStatusCode.MultiStatus, await StatAsync(gateway, "/" + folder[1..].Replace("/", "%2F", StringComparison.Ordinal)));
    }

    /// <summary>Its one setting is an address: the login of WebDAV is part of that, and "aiowebdav" sends it with each request.</summary>
    [Fact]
    public async Task MediaFusion_uploads_plays_and_deletes_in_a_category_at_the_root()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 3_000_000);
        var nzb = NzbWriter.ToBytes([film]);

        // validate_nzbdav_credentials: the version, then webdav.check().
        Assert.NotEmpty((await AskAsync(gateway, "mode=version", login: true)).GetProperty("version").GetString()!);
        Assert.Equal(HttpStatusCode.OK, await HeadAsync(gateway, "/"));

        // add_nzb_by_content: the file as text in place of a path. An upload follows when that is refused; its name is that of the file.
        Assert.Empty(await DownloadsAsync("50"));
        var text = Uri.EscapeDataString(Convert.ToBase64String(nzb));
        var local = await AskAsync(
            gateway, $"mode=addlocalfile&name={text}&nzbname={Uri.EscapeDataString(Title)}&cat=MediaFusion", login: true);
        Assert.False(local.GetProperty("status").GetBoolean());
        using var form = new MultipartFormDataContent();
        form.Add(new ByteArrayContent(nzb) { Headers = { ContentType = new("application/x-nzb") } }, "nzbfile", Title + ".nzb");
        var added = await AskAsync(gateway, "mode=addfile&cat=MediaFusion", form, login: true);
        var id = added.GetProperty("nzo_ids")[0].GetString()!;

        // wait_for_download_completion: at each look the id is in the queue, or else in the history.
        (string Name, string Status) found = default;
        while (found.Status != "completed")
        {
            Assert.True((await DownloadsAsync("500")).TryGetValue(id, out found));
            await gateway.WaitAsync(Title);
        }

        // webdav.list(get_info=True): HEAD of the folder, then Depth 1 without a body; "path.endswith" tells the folder itself.
        Assert.Equal(Title, found.Name);
        var folder = "/MediaFusion/" + found.Name;
        var address = "/MediaFusion/" + Uri.EscapeDataString(found.Name!);
        Assert.Equal(HttpStatusCode.OK, await HeadAsync(gateway, address + "/"));
        var paths = (await HrefsAsync(gateway, address + "/", "1")).Select(Uri.UnescapeDataString).ToList();
        Assert.Equal([folder + "/film.mkv"], paths.Where(path => !path.EndsWith(folder + "/", StringComparison.Ordinal)));
        await gateway.Client.AssertFileAsync(address + "/film.mkv", film);
        await gateway.Client.AssertRangeAsync(address + "/film.mkv", film, 1000, 2000);

        // delete_nzb: it is not in the queue, so it is deleted from the history.
        Assert.False((await AskAsync(gateway, $"mode=queue&name=delete&value={id}", login: true)).GetProperty("status").GetBoolean());
        Assert.True((await AskAsync(gateway, $"mode=history&name=delete&value={id}", login: true)).GetProperty("status").GetBoolean());
        Assert.Empty(await DownloadsAsync("50"));

        async Task<Dictionary<string, (string Name, string Status)>> DownloadsAsync(string limit)
        {
            var queue = (await AskAsync(gateway, "mode=queue", login: true)).GetProperty("queue").GetProperty("slots").EnumerateArray();
            var history = await AskAsync(gateway, "mode=history&limit=" + limit, login: true);
            var all = queue.ToDictionary(slot => Text(slot, "nzo_id"), slot => (Text(slot, "filename"), "downloading"));
            foreach (var slot in history.GetProperty("history").GetProperty("slots").EnumerateArray())
                all.TryAdd(Text(slot, "nzo_id"), (Text(slot, "name"), Text(slot, "status").ToLowerInvariant()));
            return all;
        }
    }

    /// <summary>What no route and no page has is looked for below <c>/content</c>, for programs with the password that read.</summary>
    [Fact]
    public async Task A_category_at_the_root_is_for_reading_with_the_password()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync(Title, news.Post("film.mkv", 200_000));
        using var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false }) { BaseAddress = new Uri(gateway.Root) };
        var file = $"/MOVIES/{Uri.EscapeDataString(Title)}/film.mkv";
        using var unknown = await http.GetAsync(file);
        Assert.Equal(HttpStatusCode.Unauthorized, unknown.StatusCode);
        Assert.Equal(HttpStatusCode.MultiStatus, await StatAsync(gateway, file));
        Assert.Equal(HttpStatusCode.NotFound, await StatAsync(gateway, "/movies/nothing"));
        foreach (var path in (string[])["/movies", "/nothing/at/all", "/api/movies", "/completed/movies"])
            Assert.NotEqual(HttpStatusCode.MultiStatus, await StatAsync(gateway, path));
        foreach (var method in (string[])["DELETE", "MOVE", "PUT", "LOCK", "PROPPATCH"])
        {
            using var refused = await gateway.Client.SendAsync(method, file);
            Assert.True((int)refused.StatusCode is 404 or 405, $"{method}: {refused.StatusCode}");
        }

        Assert.Equal(HttpStatusCode.MultiStatus, await StatAsync(gateway, file));
    }

    /// <summary>The add-on of Kodi: an address without a category, the path from the history's storage, and one retry by name.</summary>
    [Fact]
    public async Task Kodi_sends_an_address_polls_by_id_and_plays_from_the_storage_of_the_history()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeArr.StartAsync(ArrApplication.Prowlarr);
        var film = news.Post("film.mkv", 3_000_000);
        var nzb = NzbWriter.ToBytes([film]);
        indexer.Before = async http =>
        {
            await http.Response.Body.WriteAsync(nzb);
            return true;
        };
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Api = settings.Api with { PrivateHosts = ["127.0.0.1"] } });

        // probe_webdav_reachable: anything but 401, 403 and 5xx.
        Assert.Equal(HttpStatusCode.OK, await HeadAsync(gateway, "/content/"));

        // find_completed_by_names: the word before the first dot, then everything.
        Assert.Empty(await SlotsAsync("history", "limit=200&search=Some"));
        Assert.Empty(await SlotsAsync("history", "limit=200"));
        Assert.Empty(await SlotsAsync("queue", "limit=200"));

        // submit_nzb. After a time-out of its own it looks for the name in the queue.
        var link = Uri.EscapeDataString(indexer.Root + "/getnzb?id=1");
        var added = await AskAsync(gateway, $"mode=addurl&name={link}&nzbname={Uri.EscapeDataString(Title)}");
        Assert.True(added.GetProperty("status").GetBoolean());
        var id = added.GetProperty("nzo_ids")[0].GetString()!;
        JsonElement done = default;
        await Deadline.UntilAsync(
            async () =>
            {
                // Both at once, as it does; a job that is in neither is asked about again.
                var (queue, history) = (await SlotsAsync("queue", "nzo_ids=" + id), await SlotsAsync("history", "nzo_ids=" + id));
                Assert.All(queue, slot => Assert.Equal((id, Title), (Text(slot, "nzo_id"), Text(slot, "filename"))));
                done = history.Find(slot => Text(slot, "nzo_id") == id);
                return done.ValueKind == JsonValueKind.Object && Text(done, "status") == "Completed";
            },
            "the job is completed");
        var completed = await SlotsAsync("history", "limit=200&search=Some");
        var known = Assert.Single(completed, slot => Text(slot, "name") == Title);
        Assert.Equal((id, "Completed"), (Text(known, "nzo_id"), Text(known, "status")));
        Assert.True(done.GetProperty("completed").GetInt64() > 0);

        // _storage_to_webdav_path: the last two names of the storage, below /content. find_video_file: Depth 1 without a body.
        var folder = "/content/" + string.Join('/', Text(done, "storage").TrimEnd('/').Split('/')[^2..].Select(Uri.EscapeDataString)) + "/";
        using var listing = await gateway.Client.SendAsync("PROPFIND", folder, headers: headers => headers.Add("Depth", "1"));
        var entries = XDocument.Parse(await listing.Content.ReadAsStringAsync()).Descendants(Dav + "response")
            .Where(entry => !entry.Descendants(Dav + "resourcetype").Elements(Dav + "collection").Any());
        var video = Assert.Single(entries);
        Assert.Equal(film.Length, (long)video.Descendants(Dav + "getcontentlength").Single());
        var href = video.Element(Dav + "href")!.Value;
        var spelled = Uri.EscapeDataString(Uri.UnescapeDataString(href)).Replace("%2F", "/", StringComparison.Ordinal);
        Assert.StartsWith(folder, spelled, StringComparison.Ordinal);
        await gateway.Client.AssertFileAsync(href, film);

        // cancel_job: it is done, so nothing was cancelled.
        Assert.False((await AskAsync(gateway, $"mode=queue&name=delete&value={id}")).GetProperty("status").GetBoolean());

        async Task<List<JsonElement>> SlotsAsync(string mode, string query) =>
            [.. (await AskAsync(gateway, $"mode={mode}&{query}")).GetProperty(mode).GetProperty("slots").EnumerateArray()];
    }

    [Fact]
    public async Task The_page_keeps_the_root_for_itself()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false }) { BaseAddress = new Uri(gateway.Root) };
        foreach (var path in (string[])["/content", "/nzbs/movies", "/completed-symlinks/", "/.ids"])
        {
            using var refused = await http.GetAsync(path);
            Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
            Assert.Equal(HttpStatusCode.MultiStatus, await StatAsync(gateway, path));
        }

        using var root = await http.GetAsync("/");
        Assert.Equal("text/html", root.Content.Headers.ContentType!.MediaType);
        using var queue = await http.GetAsync("/torrents");
        Assert.NotEqual(HttpStatusCode.Unauthorized, queue.StatusCode);
    }

    private static Func<string, string> Unescape(string folder) =>
        href => folder + Uri.UnescapeDataString(href)[Uri.UnescapeDataString(folder).Length..];

    private static async Task<string> AddAsync(Gateway gateway, PostedFile film, string category)
    {
        using var form = new MultipartFormDataContent();
        var part = new ByteArrayContent(NzbWriter.ToBytes([film]));
        part.Headers.ContentType = new("application/x-nzb+xml");
        form.Add(part, "nzbfile", "Some_Film.nzb");
        var answer = await AskAsync(gateway, $"mode=addfile&cat={category}&nzbname={Uri.EscapeDataString(Title)}", form);
        Assert.True(answer.GetProperty("status").GetBoolean());
        return answer.GetProperty("nzo_ids")[0].GetString()!;
    }

    private static async Task<JsonElement> PollAsync(Gateway gateway, string query, string id)
    {
        while (true)
        {
            var history = await AskAsync(gateway, "mode=history&" + query);
            Assert.True(history.GetProperty("status").GetBoolean());
            var slot = history.GetProperty("history").GetProperty("slots").EnumerateArray()
                .FirstOrDefault(slot => slot.GetProperty("nzo_id").GetString() == id);
            if (slot.ValueKind == JsonValueKind.Object && slot.GetProperty("status").GetString() == "Completed")
                return slot;
            await gateway.WaitAsync(Title);
        }
    }

    private sealed class SameAddress : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => Uri.UnescapeDataString(x!) == Uri.UnescapeDataString(y!);

        public int GetHashCode(string obj) => 0;
    }
}
