using System.Net;
using System.Text.Json;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Playing;

/// <summary><c>GET /api/v1/search</c>, and what is played of its results.</summary>
public sealed class SearchTests
{
    private static readonly DateTimeOffset Posted = new(2026, 3, 14, 17, 10, 42, TimeSpan.Zero);

    [Fact]
    public async Task The_next_copy_plays_where_two_are_dead_and_the_answer_tells()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var dead = new[] { news.Post("first.mkv", 1_000_000), news.Post("second.mkv", 1_000_000) };
        var film = news.Post("film.mkv", 1_000_000);
        foreach (var file in dead)
            news.Fault(Fault.Missing, FaultTarget.File(file));
        indexer.Add("Some.Film.2026.1080p", NzbWriter.ToBytes([film]), Posted);
        indexer.Add("Some Film 2026 1080p", NzbWriter.ToBytes([dead[1]]), Posted.AddDays(1));
        indexer.Add("Some.Film.2026.1080p", NzbWriter.ToBytes([dead[0]]), Posted.AddDays(2));
        indexer.Add("Another.Film.2025", NzbWriter.ToBytes([film]), Posted.AddDays(3));
        await using var gateway = await StartAsync(news, indexer);
        using var client = new PlayClient(gateway);
        var found = await client.SearchAsync("query=some%20film");
        var releases = found.GetProperty("releases").EnumerateArray().ToArray();
        Assert.Equal(4, releases.Length);
        Assert.DoesNotContain(FakeIndexer.Key, found.ToString(), StringComparison.Ordinal);
        var first = releases.First(static one => one.GetProperty("title").GetString()!.StartsWith("Some", StringComparison.Ordinal));
        Assert.Equal((3, Posted.AddDays(2)), (first.GetProperty("copies").GetInt32(), first.GetProperty("posted").GetDateTimeOffset()));

        var id = first.GetProperty("id").GetString();
        var (status, answer) = await client.SendLinkAsync(new { release = id });
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
        await client.AssertPlaysAsync(answer, film);
        Assert.Equal(["missing-articles", "missing-articles"], answer.GetProperty("tried").EnumerateArray().Select(static one =>
            one.GetProperty("failure").GetProperty("code").GetString()));
        Assert.Equal("/content/play/Some.Film.2026.1080p/film.mkv", answer.GetProperty("file").GetProperty("path").GetString());

        // Again: what is known to be dead is not fetched a second time.
        Assert.Equal(3, indexer.Fetched.Count);
        (status, answer) = await client.SendLinkAsync(new { release = id });
        Assert.Equal((HttpStatusCode.OK, 2), (status, answer.GetProperty("tried").GetArrayLength()));
        Assert.Equal(4, indexer.Fetched.Count);
    }

    [Fact]
    public async Task Results_are_checked_where_that_is_asked_for_and_what_is_known_is_told_for_nothing()
    {
        await using var news = new NewsServers();
        await using var indexer = await FakeIndexer.StartAsync();
        var (dead, film, third) = (news.Post("dead.mkv", 1_000_000), news.Post("film.mkv", 1_000_000), news.Post("third.mkv", 1_000_000));
        news.Fault(Fault.Missing, FaultTarget.File(dead));
        indexer.Add("Dead.Film.2026", NzbWriter.ToBytes([dead]), Posted.AddDays(2));
        indexer.Add("Some.Film.2026", NzbWriter.ToBytes([film]), Posted.AddDays(1));
        indexer.Add("Third.Film.2026", NzbWriter.ToBytes([third]), Posted);
        await using var gateway = await StartAsync(news, indexer);
        using var client = new PlayClient(gateway);
        Assert.Equal(["unknown", "unknown", "unknown"], States(await client.SearchAsync("query=film")));
        Assert.Empty(indexer.Fetched);

        var found = await client.SearchAsync("query=film&check=2");
        Assert.Equal(["dead", "sound", "unknown"], States(found));
        Assert.Contains("missing", found.GetProperty("releases")[0].GetProperty("reason").GetString());
        Assert.Equal(2, indexer.Fetched.Count);
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);

        // What is known is not fetched again, and the next ones are looked at.
        Assert.Equal(["dead", "sound", "sound"], States(await client.SearchAsync("query=film&check=1")));
        Assert.Equal(["dead", "sound", "sound"], States(await client.SearchAsync("query=film")));
        Assert.Equal(3, indexer.Fetched.Count);
        Assert.True((await client.SearchAsync("query=film&check=11")).TryGetProperty("error", out _));

        static IEnumerable<string?> States(JsonElement found) =>
            found.GetProperty("releases").EnumerateArray().Select(static one => one.GetProperty("state").GetString());
    }

    [Fact]
    public async Task An_indexer_that_fails_costs_its_own_results_alone()
    {
        await using var news = new NewsServers();
        await using var good = await FakeIndexer.StartAsync();
        await using var bad = await FakeIndexer.StartAsync();
        bad.Instead = static http =>
        {
            http.Response.StatusCode = 500;
            return Task.CompletedTask;
        };
        good.Add("Film", NzbWriter.ToBytes([news.Post("film.mkv", 100_000)]), Posted);
        await using var gateway = await StartAsync(news, good, bad);
        using var client = new PlayClient(gateway);
        var found = await client.SearchAsync("kind=movie&imdb=tt0137523");
        Assert.Equal((2, 1), (found.GetProperty("indexers").GetInt32(), found.GetProperty("releases").GetArrayLength()));
        Assert.Contains("500", Assert.Single(found.GetProperty("faults").EnumerateArray()).GetProperty("error").GetString());
    }

    [Fact]
    public async Task A_search_without_indexers_or_with_nothing_to_search_for_is_refused()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        using var client = new PlayClient(gateway);
        var error = (await client.SearchAsync("query=x")).GetProperty("error").GetString();
        Assert.StartsWith("No indexer is configured", error, StringComparison.Ordinal);
        foreach (var query in (string[])["", "kind=film&query=x", "kind=movie&imdb=x", "kind=any&imdb=tt1", "query=x&season=-1"])
            Assert.True((await client.SearchAsync(query)).TryGetProperty("error", out _), query);
        var (status, answer) = await client.SendLinkAsync(new { release = "unknown" });
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.StartsWith("No search has found", answer.GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    private static Task<Gateway> StartAsync(NewsServers news, params FakeIndexer[] indexers) => Gateway.StartAsync(
        news, change: settings => settings
            with
        { Indexers = [.. indexers.Select(static (indexer, i) => indexer.Options($"indexer {i}"))] });
}
