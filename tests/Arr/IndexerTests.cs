using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using NzbDav.Arr.Client;
using NzbDav.Arr.Indexers;
using NzbDav.Arr.Resources;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Searches by the Newznab and Torznab API, and through Prowlarr.</summary>
public sealed class IndexerTests
{
    private static readonly ReleaseQuery Words = new() { Text = "words" };
    private static readonly DateTimeOffset Posted = new(2026, 3, 14, 17, 10, 42, TimeSpan.Zero);

    [Fact]
    public async Task Posts_are_listed_with_what_the_indexer_says_of_them()
    {
        await using var indexer = await FakeIndexer.StartAsync();
        indexer.Add("Some.Film.2026 & more", [1], Posted, "<newznab:attr name=\"password\" value=\"1\"/>");
        using var client = new NewznabClient(indexer.Options(), TimeProvider.System);
        var release = Assert.Single(await FoundAsync(client, new() { Text = "some film" }));
        Assert.Equal("t=search&q=some film", Assert.Single(indexer.Searches));
        Assert.Equal(("Some.Film.2026 & more", "indexer", false, 1_234_567L, Posted, 3, true),
            (release.Title, release.Indexer, release.IsTorrent, release.Size, release.Posted, release.Grabs, release.HasPassword));
        Assert.StartsWith(indexer.Root + "/get/", release.Link, StringComparison.Ordinal);
        Assert.DoesNotContain(FakeIndexer.Key, release.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Torrents_have_seeders_and_a_magnet_link_is_preferred()
    {
        await using var indexer = await FakeIndexer.StartAsync();
        indexer.AddItem("""
            <item><title>Torrent</title><size>5000000000</size><enclosure url="http://tracker/1.torrent" length="0" type="application/x-bittorrent"/>
            <torznab:attr name="seeders" value="12"/><torznab:attr name="infohash" value="ABCDEF0123456789ABCDEF0123456789ABCDEF01"/>
            <torznab:attr name="magneturl" value="magnet:?xt=urn:btih:abcdef0123456789abcdef0123456789abcdef01"/></item>
            <item><title>No link</title></item>
            """);
        using var client = new NewznabClient(indexer.Options(), TimeProvider.System);
        var release = Assert.Single(await FoundAsync(client, new() { Text = "torrent" }));
        Assert.Equal((true, 12, 5_000_000_000L, "abcdef0123456789abcdef0123456789abcdef01"),
            (release.IsTorrent, release.Seeders, release.Size, release.InfoHash));
        Assert.StartsWith("magnet:?", release.Link, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ReleaseKind.Movie, "t=movie&imdbid=0137523&cat=2000")]
    [InlineData(ReleaseKind.Series, "t=tvsearch&tvdbid=81189&season=1&ep=2&cat=5000")]
    public async Task Ids_are_searched_for_first_and_words_where_an_indexer_knows_none(ReleaseKind kind, string byId)
    {
        await using var indexer = await FakeIndexer.StartAsync();
        indexer.Add("Title", [1], Posted);
        using var client = new NewznabClient(indexer.Options(), TimeProvider.System);
        var query = new ReleaseQuery { Kind = kind, Text = "Title", ImdbId = "0137523", TvdbId = 81_189, Season = 1, Episode = 2 };
        Assert.Single(await FoundAsync(client, query));
        Assert.Equal(byId, Assert.Single(indexer.Searches));

        indexer.KnowsNoIds = true;
        Assert.Single(await FoundAsync(client, query));
        Assert.Equal(kind == ReleaseKind.Movie ? "t=search&q=Title&cat=2000" : "t=search&q=Title S01E02&cat=5000", indexer.Searches.Last());
        var refused = await client.FindReleasesAsync(query with { Text = null }, CancellationToken.None);
        Assert.Equal(ArrErrorKind.Rejected, refused.Error?.Kind);
    }

    [Fact]
    public async Task What_is_wrong_is_said_without_the_key()
    {
        await using var indexer = await FakeIndexer.StartAsync();
        using var wrong = new NewznabClient(indexer.Options() with { ApiKey = "wrong-key" }, TimeProvider.System);
        var error = (await wrong.FindReleasesAsync(Words, CancellationToken.None)).Error;
        Assert.Equal(ArrErrorKind.Unauthorized, error?.Kind);
        Assert.Equal($"indexer at {indexer.Root}: error 100: Incorrect user credentials", error?.Message);

        using var client = new NewznabClient(indexer.Options(), TimeProvider.System);
        Assert.Null((await client.FindReleasesAsync(Words, CancellationToken.None)).Error);
        foreach (var (answer, kind) in new (Func<HttpContext, Task>, ArrErrorKind)[]
        {
            (static http => http.Response.WriteAsync("<html><p>Sign in</html>"), ArrErrorKind.NotArr),
            (static http => { http.Response.Redirect("http://elsewhere.example/"); return Task.CompletedTask; }, ArrErrorKind.Redirected),
            (static http => { http.Response.StatusCode = 403; return Task.CompletedTask; }, ArrErrorKind.Unauthorized),
            (static http => http.Response.WriteAsync($"<error code=\"500\" description=\"{FakeIndexer.Key} {new string('x', 1_000)}\"/>"),
                ArrErrorKind.Failed),
            (static http => { http.Response.Headers.ContentEncoding = "gzip"; return http.Response.WriteAsync("no gzip"); }, ArrErrorKind.NotArr),
            (static http => { http.Response.StatusCode = 500; return Task.CompletedTask; }, ArrErrorKind.Failed),
        })
        {
            indexer.Instead = answer;
            error = (await client.FindReleasesAsync(Words, CancellationToken.None)).Error;
            Assert.Equal(kind, error?.Kind);
            Assert.DoesNotContain(FakeIndexer.Key, error!.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_indexer_that_does_not_answer_is_given_up()
    {
        await using var indexer = await FakeIndexer.StartAsync();
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        indexer.Instead = http =>
        {
            asked.TrySetResult();
            return Task.Delay(Timeout.Infinite, http.RequestAborted);
        };
        var clock = new ManualTimeProvider();
        using var client = new NewznabClient(indexer.Options(), clock);
        var test = client.FindReleasesAsync(Words, CancellationToken.None);
        await asked.Task;
        clock.Advance(indexer.Options().Timeout);
        Assert.Equal(ArrErrorKind.TimedOut, (await test).Error?.Kind);
    }

    [Theory]
    [InlineData("indexer.example")]
    [InlineData("ftp://indexer.example")]
    [InlineData("https://indexer.example/api?apikey=1")]
    public void A_bad_address_is_refused(string url) => Assert.NotNull(new IndexerOptions { Name = "x", Url = url }.Problem());

    [Fact]
    public async Task Prowlarr_is_asked_with_the_ids_in_its_query()
    {
        await using var fake = await FakeArr.StartAsync(ArrApplication.Prowlarr);
        var queries = new List<string>();
        fake.Before = async http =>
        {
            if (!http.Request.Path.Value!.EndsWith("/search", StringComparison.Ordinal))
                return false;
            queries.Add($"{http.Request.Query["type"]}: {http.Request.Query["query"]}");
            await http.Response.WriteAsJsonAsync<JsonArray>(
            [
                new JsonObject { ["title"] = "Post", ["indexer"] = "One", ["protocol"] = "usenet", ["size"] = 7, ["downloadUrl"] = fake.Root + "/1/download" },
                new JsonObject { ["title"] = "Torrent", ["indexer"] = "Two", ["protocol"] = "torrent", ["guid"] = "magnet:?xt=urn:btih:aa", ["seeders"] = 4 },
                new JsonObject { ["title"] = "Nothing to fetch", ["protocol"] = "usenet" },
            ]);
            return true;
        };
        using var client = fake.Client();
        var query = new ReleaseQuery { Kind = ReleaseKind.Series, TvdbId = 81_189, ImdbId = "0903747", Season = 1, Episode = 2, Text = "x" };
        var found = await client.FindReleasesAsync(query, CancellationToken.None);
        Assert.Equal(["Post", "Torrent"], found.Value!.Select(static release => release.Title));
        Assert.Equal((false, 7L, "magnet:?xt=urn:btih:aa", 4), (found.Value![0].IsTorrent, found.Value[0].Size, found.Value[1].Link, found.Value[1].Seeders));
        await client.FindReleasesAsync(new() { Kind = ReleaseKind.Movie, ImdbId = "0137523" }, CancellationToken.None);
        await client.FindReleasesAsync(new() { Text = "words" }, CancellationToken.None);
        Assert.Equal(
            ["tvsearch: {ImdbId:tt0903747}{TvdbId:81189}{Season:01}{Episode:02}", "movie: {ImdbId:tt0137523}", "search: words"], queries);
        await using var sonarr = await FakeArr.StartAsync();
        using var other = sonarr.Client();
        Assert.Equal(ArrErrorKind.NotSupported, (await other.FindReleasesAsync(query, CancellationToken.None)).Error?.Kind);
    }

    private static async Task<IReadOnlyList<Release>> FoundAsync(NewznabClient client, ReleaseQuery query)
    {
        var result = await client.FindReleasesAsync(query, CancellationToken.None);
        Assert.Null(result.Error);
        return result.Value!;
    }
}
