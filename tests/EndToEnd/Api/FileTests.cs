using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>The files calls of the native API, on a whole server.</summary>
public sealed class FileTests
{
    private const string Srt = "1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}Tom & Jerry\r\n";

    [Fact]
    public async Task Files_can_be_listed_searched_and_inspected()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("Show S01", news.Post("Show.E2.mkv", 900_000), news.Post("Show.E10.mkv", 800_000),
            news.Post("Show.E1.mkv", 700_000), Subtitle(news, "Show.E2.en.srt"));
        using var api = OperatorClient.Of(gateway);

        var root = await api.OkAsync("/api/v1/files");
        Assert.Equal(("content", "/content"),
            (root.GetProperty("parent").GetProperty("name").GetString(), root.GetProperty("parent").GetProperty("path").GetString()));
        Assert.Contains("movies", OperatorClient.Names(root));
        var page = await api.OkAsync("/api/v1/files?path=/content/movies/Show%20S01&sort=size&descending=true&limit=2");
        Assert.Equal(["Show.E2.mkv", "Show.E10.mkv"], OperatorClient.Names(page));
        Assert.Equal(4, page.GetProperty("total").GetInt32());
        Assert.Equal(
            ["content", "movies"], page.GetProperty("ancestors").EnumerateArray().Select(one => one.GetProperty("name").GetString()!));
        var found = await api.OkAsync("/api/v1/files/search?query=E2%20show&kind=file");
        Assert.Equal(["Show.E2.en.srt", "Show.E2.mkv"], OperatorClient.Names(found));
        var film = found.GetProperty("items")[1];
        Assert.Equal("/content/movies/Show S01/Show.E2.mkv", film.GetProperty("path").GetString());

        var details = await api.OkAsync($"/api/v1/files/{OperatorClient.Id(film)}");
        Assert.Equal(("usenet", 900_000, "file", true), (details.GetProperty("origin").GetString(), details.GetProperty("size").GetInt32(),
            details.GetProperty("kind").GetString(), details.GetProperty("playable").GetBoolean()));
        Assert.Equal("Show.E2.mkv", Assert.Single(details.GetProperty("posted").EnumerateArray()).GetProperty("name").GetString());
        Assert.Equal(("Show.E1.mkv", "Show.E10.mkv"),
            (details.GetProperty("previous").GetProperty("name").GetString(), details.GetProperty("next").GetProperty("name").GetString()));
        Assert.Equal("en", Assert.Single(details.GetProperty("subtitles").EnumerateArray()).GetProperty("language").GetString());
        Assert.Equal("/dav/content/movies/Show%20S01/Show.E2.mkv", details.GetProperty("davPath").GetString());
        Assert.EndsWith("/content/movies/Show S01/Show.E2.mkv", details.GetProperty("rclonePath").GetString(), StringComparison.Ordinal);
        foreach (var path in (string[])["davPath", "stablePath"])
            Assert.Equal(900_000, (await gateway.Client.StatAsync(details.GetProperty(path).GetString()!)).Size);

        foreach (var (path, status) in ((string, HttpStatusCode)[])[("?sort=colour", HttpStatusCode.BadRequest),
            ("?limit=0", HttpStatusCode.BadRequest), ("?parent=17", HttpStatusCode.NotFound), ("?path=/nzbs", HttpStatusCode.NotFound),
            ("/17", HttpStatusCode.NotFound), ("/x/media", HttpStatusCode.NotFound)])
        {
            var (got, body) = await api.AskAsync("GET", "/api/v1/files" + path);
            Assert.Equal((status, true), (got, body.GetProperty("error").GetString()!.Length > 10));
        }
    }

    [Fact]
    public async Task A_check_reports_what_each_provider_has_of_a_file()
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one" }, new MockProviderOptions { Name = "two" }, new MockProviderOptions { Name = "three" });
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("Film.mkv", 10_000_000, new PostOptions { ArticleSize = 100_000 });
        await gateway.ImportAsync("Film", film);
        news.Fault(Fault.Missing, FaultTarget.Where(segment => segment.Index == 99));
        news.Providers[1].Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index >= 50));
        await news.Providers[2].DisposeAsync();
        using var api = OperatorClient.Of(gateway);
        var id = OperatorClient.Id((await api.OkAsync("/api/v1/files?path=/content/movies/Film")).GetProperty("items")[0]);
        foreach (var provider in news.Providers)
            provider.ResetStats();

        var (status, answer) = await api.AskAsync("POST", $"/api/v1/files/{id}/check");
        Assert.Equal(
            (HttpStatusCode.OK, 100, 48), (status, answer.GetProperty("articles").GetInt32(), answer.GetProperty("asked").GetInt32()));
        var said = answer.GetProperty("providers").EnumerateArray().Select(one => (one.GetProperty("name").GetString(), one.GetProperty(
            "found").GetInt32(), one.GetProperty("missing").GetInt32(), one.GetProperty("unanswered").GetInt32())).ToArray();
        Assert.Equal([("one", 47, 1, 0), ("two", 24, 24, 0), ("three", 0, 0, 48)], said);
        Assert.Equal((0, false), (answer.GetProperty("gone").GetInt32(),
            string.IsNullOrEmpty(answer.GetProperty("providers")[2].GetProperty("reason").GetString())));
        Assert.Equal(0, news.First.Stats.ArticlesAsked);

        var (folder, refusal) = await api.AskAsync("POST",
            $"/api/v1/files/{OperatorClient.Id((await api.OkAsync("/api/v1/files?path=/content/movies")).GetProperty("items")[0])}/check");
        Assert.Equal((HttpStatusCode.UnprocessableEntity, true),
            (folder, refusal.GetProperty("error").GetString()!.Contains("Usenet", StringComparison.Ordinal)));
        Assert.Equal(HttpStatusCode.NotFound, (await api.AskAsync("POST", "/api/v1/files/17/check")).Status);
    }

    [Fact]
    public async Task Renaming_moving_and_deleting_files_follow_the_WebDAV_rules()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("One", news.Post("one.mkv", 100_000));
        await gateway.ImportAsync("Two", news.Post("two.mkv", 100_000));
        using var api = OperatorClient.Of(gateway);
        var (one, two) = (await api.IdAsync("/content/movies", "One"), await api.IdAsync("/content/movies", "Two"));
        var file = await api.IdAsync("/content/movies/One", "one.mkv");
        var (movies, tv) = (await api.IdAsync("/content", "movies"), await api.IdAsync("/content", "tv"));

        Assert.Equal("", await ActAsync(new { ids = new[] { one }, action = "rename", name = "Eins" }));
        Assert.Contains("already", await ActAsync(new { ids = new[] { one }, action = "rename", name = "Two" }), StringComparison.Ordinal);
        Assert.Contains("safe", await ActAsync(new { ids = new[] { one }, action = "rename", name = "a:b" }), StringComparison.Ordinal);
        Assert.Equal("", await ActAsync(new { ids = new[] { one }, action = "move", parentId = tv }));
        Assert.Contains(
            "category", await ActAsync(new { ids = new[] { file }, action = "move", parentId = movies }), StringComparison.Ordinal);
        Assert.Contains(
            "Categories cannot be changed", await ActAsync(new { ids = new[] { tv }, action = "delete" }), StringComparison.Ordinal);
        await gateway.Client.UntilAsync("/dav/content/tv/Eins/one.mkv");

        // Its link was read, but no library reports having it.
        await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/movies/Two/two.mkv.rclonelink");
        Assert.Contains("library may have it", await ActAsync(new { ids = new[] { two }, action = "delete" }), StringComparison.Ordinal);
        Assert.Equal("", await ActAsync(new { ids = new[] { two, one }, action = "delete", force = true }));
        Assert.Contains("no longer exists", await ActAsync(new { ids = new[] { two }, action = "delete" }), StringComparison.Ordinal);
        Assert.Empty(await gateway.Client.ListAsync("/dav/content/movies"));
        foreach (var wrong in (object[])[new { ids = Array.Empty<string>(), action = "delete" },
            new { ids = new[] { one }, action = "move" }, new { ids = new[] { one }, action = "rename" }])
            Assert.Equal(HttpStatusCode.UnprocessableEntity,
                (await api.AskAsync("POST", "/api/v1/files/actions", JsonSerializer.Serialize(wrong))).Status);

        async Task<string> ActAsync(object action)
        {
            var (status, body) = await api.AskAsync("POST", "/api/v1/files/actions", JsonSerializer.Serialize(action));
            Assert.Equal(HttpStatusCode.OK, status);
            var refused = body.GetProperty("refused").EnumerateArray().ToArray();
            return refused.Length == 0 ? "" : refused[0].GetProperty("reason").GetString()!;
        }
    }

    [Fact]
    public async Task A_link_plays_without_a_password_under_any_name_and_is_not_a_library_link()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 1_500_000);
        await gateway.ImportAsync("Film", film, Subtitle(news, "film.srt"));
        using var api = OperatorClient.Of(gateway);
        using var nobody = new DavClient(gateway.Root);
        var id = await api.IdAsync("/content/movies/Film", "film.mkv");
        var (status, link) = await api.AskAsync("POST", $"/api/v1/files/{id}/link", "{}");
        Assert.Equal((HttpStatusCode.OK, "film.mkv"), (status, link.GetProperty("name").GetString()));
        Assert.InRange(link.GetProperty("expires").GetDateTimeOffset(), TimeProvider.System.GetUtcNow().AddHours(11.9),
            TimeProvider.System.GetUtcNow().AddHours(12));
        var path = link.GetProperty("path").GetString()!;
        await nobody.AssertFileAsync(path, film);
        await api.AskAsync(
            "POST", "/api/v1/files/actions", JsonSerializer.Serialize(new { ids = new[] { id }, action = "rename", name = "other.mkv" }));
        await nobody.AssertRangeAsync(path, film, 500_000, 600_000);
        Assert.Equal(JsonValueKind.Null, (await api.OkAsync($"/api/v1/files/{id}")).GetProperty("links").GetProperty("given").ValueKind);

        foreach (var format in (string[])["m3u8", "m3u", "xspf", "strm"])
        {
            var list = Encoding.UTF8.GetString(await api.DownloadAsync($"/api/v1/files/{id}/playlist?format={format}"));
            var at = list.IndexOf(gateway.Root + "/view/", StringComparison.Ordinal);
            var address = list[at..(at + list[at..].IndexOfAny(['\n', '<']))];
            await nobody.AssertFileAsync(new Uri(address).PathAndQuery, film);
        }

        Assert.Equal(HttpStatusCode.BadRequest, (await api.AskAsync("GET", $"/api/v1/files/{id}/playlist?format=pls")).Status);
        var subtitle = await api.IdAsync("/content/movies/Film", "film.srt");
        Assert.Equal("WEBVTT\n\n00:00:03.500 --> 00:00:04.500\nTom &amp; Jerry\n",
            Encoding.UTF8.GetString(await api.DownloadAsync($"/api/v1/files/{subtitle}/vtt?shiftSeconds=2.5")));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await api.AskAsync("GET", $"/api/v1/files/{id}/vtt")).Status);
        Assert.Equal(HttpStatusCode.OK, (await api.AskAsync("GET", $"/api/v1/files/{id}/media")).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await api.AskAsync("DELETE", "/api/v1/links")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", path)).Status);
    }

    [Fact]
    public async Task An_article_found_missing_by_a_reader_is_a_hole_until_it_is_found_again()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 5_000_000);
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        using var api = OperatorClient.Of(gateway);
        var folder = await api.OkAsync("/api/v1/files?path=/content/movies/Film");
        var details = $"/api/v1/files/{OperatorClient.Id(folder.GetProperty("items")[0])}";
        Assert.Empty((await api.OkAsync(details)).GetProperty("holes").EnumerateArray());

        var lost = film.Segments[2];
        news.Fault(Fault.Missing, FaultTarget.Indexes(film, 2));
        gateway.ForgetArticles();
        using (var answer = await gateway.Client.SendAsync(
            "GET", path, body: null, headers => headers.Range = new RangeHeaderValue(lost.Offset, lost.Offset + 10)))
            Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
        var body = await api.OkAsync(details);
        var hole = Assert.Single(body.GetProperty("holes").EnumerateArray());
        Assert.Equal((lost.Offset, lost.Size, "gone"),
            (hole.GetProperty("offset").GetInt64(), hole.GetProperty("length").GetInt32(), hole.GetProperty("kind").GetString()));
        Assert.Equal(
            "Article 3 of film.mkv is missing on every provider. Its post has no recovery data.", hole.GetProperty("reason").GetString());
        Assert.InRange(
            hole.GetProperty("since").GetDateTimeOffset(), TimeProvider.System.GetUtcNow().AddMinutes(-5), TimeProvider.System.GetUtcNow());
        Assert.Equal(1, body.GetProperty("posted")[0].GetProperty("missing").GetInt32());

        news.Mend();
        gateway.ForgetArticles();
        await gateway.Client.AssertFileAsync(path, film);
        Assert.Empty((await api.OkAsync(details)).GetProperty("holes").EnumerateArray());
    }

    private static PostedFile Subtitle(NewsServers news, string name) =>
        news.Store.AddFile(name, new MemorySource(Encoding.UTF8.GetBytes(Srt)));
}
