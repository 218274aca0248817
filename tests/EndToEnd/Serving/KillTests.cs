using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Library.Pins;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>
/// kill -9 of the real program while it writes its disk cache or checks a post: the next start has every byte, every file and every post.
/// </summary>
public sealed class KillTests
{
#if !POSTGRES
    /// <summary>A part of the film that never arrives: a reader that waits for it has received everything before it.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(9)]
    [InlineData(14)]
    public async Task Killed_while_the_disk_cache_is_written_the_cache_recovers_with_right_bytes(int held)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var film = news.Post("film.mkv", 12_000_000);
        var path = DavClient.Path("content", "movies", "film", "film.mkv");
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Cache__DiskGiB"] = "1";
        string[] arguments = ["--config", folder.Path, "--urls", "http://127.0.0.1:0"];
        await using (var server = ServerProcess.Start(environment, arguments))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([film]));
            await client.UntilAsync(path);

            // Articles that the pinning of the start has fetched come from memory, and the disk cache does not store them.
            var pins = PinStore.In(folder.Path);
            await Deadline.UntilAsync(
                () => Directory.Exists(pins) && Directory.GetFiles(pins, "*.pins").Length == 1, "the start is pinned");
            var asked = news.Stall(film, held);
            var reading = client.AskAsync("GET", path);
            await asked;
            await server.KillAsync();
            await Assert.ThrowsAnyAsync<Exception>(() => reading);
        }

        news.Mend();
        news.First.DropConnections();
        await using var next = ServerHere.Start(environment, arguments);
        using var later = await next.ClientAsync();
        using var api = Api(later, folder);

        // The server answers before its cache has scanned its files; until then the cache stores nothing new.
        await Deadline.UntilAsync(async () => await CacheAsync(api) is { ValueKind: JsonValueKind.Object } cache
            && cache.GetProperty("state").GetString() == "on", "the cache is on");
        await later.AssertFileAsync(path, film);
        await Deadline.UntilAsync(
            async () => (await CacheAsync(api)).GetProperty("articles").GetInt32() == film.Segments.Count, "all articles are kept");
        await later.AssertFileAsync(path, film);
        Assert.Empty(next.Errors);
    }
#endif

    [Fact]
    public async Task Killed_during_a_health_check_the_post_is_checked_after_the_next_start()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var film = news.Post("film.mkv", 3_000_000);
        var path = DavClient.Path("content", "movies", "film", "film.mkv");
        string id;
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([film]));
            await client.UntilAsync(path);
            using var api = Api(client, folder);
            id = await PostAsync(api);
            var asked = news.Stall(film, 2);
            var checking = api.AskAsync("POST", $"/api/v1/health/posts/{id}/check");
            await asked;
            await server.KillAsync();
            await Assert.ThrowsAnyAsync<Exception>(() => checking);
        }

        news.Mend();
        news.First.DropConnections();
        news.Fault(Fault.Missing, FaultTarget.Indexes(film, 2));
        await using var next = ServerHere.Serve(news, folder);
        using var later = await next.ClientAsync();
        using var again = Api(later, folder);
        Assert.Equal(id, await PostAsync(again));
        await again.AskAsync("POST", $"/api/v1/health/posts/{id}/check");
        await Deadline.UntilAsync(async () => (await again.AskAsync("GET", $"/api/v1/health/posts/{id}")).Body.GetProperty("post")
            .GetProperty("verdict").GetString() == "suspect", "the check finds the missing articles");
        news.Mend();
        await later.AssertFileAsync(path, film);
    }

    private static OperatorClient Api(DavClient client, Folder folder) =>
        new(client.Http.BaseAddress!.ToString(), File.ReadAllText(Path.Combine(folder.Path, "keys", "api")).Trim());

    private static async Task<string> PostAsync(OperatorClient api) =>
        (await api.AskAsync("GET", "/api/v1/files?path=/content/movies")).Body.GetProperty("items")[0].GetProperty("id").GetString()!;

    /// <summary>State of the disk cache; null before it is switched on.</summary>
    private static async Task<JsonElement> CacheAsync(OperatorClient api)
    {
        var (status, body) = await api.AskAsync("GET", "/api/v1/status");
        Assert.Equal(HttpStatusCode.OK, status);
        return body.TryGetProperty("diskCache", out var cache) ? cache : default;
    }
}
