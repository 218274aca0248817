using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Playing;

/// <summary>The add-on for Stremio, asked as its clients ask.</summary>
public sealed class StremioTests
{
    private static readonly DateTimeOffset Posted = new(2026, 3, 14, 17, 10, 42, TimeSpan.Zero);

    [Fact]
    public async Task A_film_of_an_IMDb_id_plays_from_an_indexer_and_then_is_in_the_library()
    {
        await using var world = await World.StartAsync();
        var film = world.News.Post("film.mkv", 2_000_000);
        world.Indexer.Add("Some.Film.2026.1080p.WEB", NzbWriter.ToBytes([film]), Posted);
        using var client = await AddonClient.StartAsync(world.Gateway, "Living room");
        var manifest = await client.GetAsync("manifest.json");
        Assert.Equal("org.nzbdav", manifest.GetProperty("id").GetString());

        var stream = Assert.Single((await client.GetAsync("stream/movie/tt0137523.json")).GetProperty("streams").EnumerateArray());
        Assert.Equal("t=movie&imdbid=0137523&cat=2000", Assert.Single(world.Indexer.Searches));
        Assert.StartsWith("Some.Film.2026.1080p.WEB\n", stream.GetProperty("description").GetString(), StringComparison.Ordinal);
        Assert.DoesNotContain(FakeIndexer.Key, stream.ToString(), StringComparison.Ordinal);
        var address = stream.GetProperty("url").GetString()!;
        Assert.Equal(HttpStatusCode.Found, await client.HeadAsync(address));
        await client.AssertPlaysAsync(address, film);

        // The catalogue has it, with the name and the year that its release tells.
        var meta = Assert.Single((await client.GetAsync("catalog/movie/nzbdav-movies.json")).GetProperty("metas").EnumerateArray());
        Assert.Equal(("Some Film", "2026"), (meta.GetProperty("name").GetString(), meta.GetProperty("releaseInfo").GetString()));
        var id = meta.GetProperty("id").GetString()!;
        Assert.StartsWith("nzbdav:film:", id, StringComparison.Ordinal);
        var found = await client.GetAsync($"meta/movie/{Uri.EscapeDataString(id)}.json");
        Assert.Equal(id, found.GetProperty("meta").GetProperty("id").GetString());
        var own = Assert.Single(
            (await client.GetAsync($"stream/movie/{Uri.EscapeDataString(id)}.json")).GetProperty("streams").EnumerateArray());
        await client.AssertPlaysAsync(own.GetProperty("url").GetString()!, film);
        Assert.Empty((await client.GetAsync("catalog/series/nzbdav-series.json")).GetProperty("metas").EnumerateArray());
        foreach (var (words, count) in new[] { ("some%20film", 1), ("tom%20%26%20jerry", 0), ("", 1) })
        {
            var page = await client.GetAsync($"catalog/movie/nzbdav-movies/{(words.Length > 0 ? $"search={words}" : "skip=0")}.json");
            Assert.Equal(count, page.GetProperty("metas").GetArrayLength());
        }

        Assert.Empty((await client.GetAsync("catalog/movie/nzbdav-movies/skip=100.json")).GetProperty("metas").EnumerateArray());

        // With its title known, the library comes first under the id of IMDb, too.
        world.Titles["movie/tt0137523"] = """{"meta":{"id":"tt0137523","type":"movie","name":"Some Film","releaseInfo":"2026"}}""";
        using var second = await AddonClient.StartAsync(world.Gateway, "Kitchen");
        world.Time.Advance(TimeSpan.FromMinutes(5));
        var streams = (await second.GetAsync("stream/movie/tt0137523.json")).GetProperty("streams").EnumerateArray().ToArray();
        Assert.Equal(2, streams.Length);
        Assert.StartsWith("film.mkv\n", streams[0].GetProperty("description").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_episode_is_chosen_from_a_season_and_the_series_is_in_the_catalogue()
    {
        await using var world = await World.StartAsync();
        var files = new[] { "Some.Show.S01E01.mkv", "Some.Show.S01E02.mkv" }
            .Select((name, i) => world.News.Post(name, 900_000 - i)).ToArray();
        world.Indexer.Add("Some.Show.S01.1080p", NzbWriter.ToBytes(files), Posted);
        using var client = await AddonClient.StartAsync(world.Gateway, "tv");
        var stream = Assert.Single((await client.GetAsync("stream/series/tt0903747%3A1%3A2.json")).GetProperty("streams").EnumerateArray());
        Assert.Equal("t=tvsearch&imdbid=0903747&season=1&ep=2&cat=5000", Assert.Single(world.Indexer.Searches));
        await client.AssertPlaysAsync(stream.GetProperty("url").GetString()!, files[1]);

        var meta = Assert.Single((await client.GetAsync("catalog/series/nzbdav-series.json")).GetProperty("metas").EnumerateArray());
        Assert.Equal("Some Show", meta.GetProperty("name").GetString());
        var id = meta.GetProperty("id").GetString()!;
        var videos = (await client.GetAsync($"meta/series/{Uri.EscapeDataString(id)}.json")).GetProperty("meta").GetProperty("videos");
        Assert.Equal([1, 2], videos.EnumerateArray().Select(static video => video.GetProperty("episode").GetInt32()));
        var own = await client.GetAsync($"stream/series/{Uri.EscapeDataString(videos[0].GetProperty("id").GetString()!)}.json");
        await client.AssertPlaysAsync(Assert.Single(own.GetProperty("streams").EnumerateArray()).GetProperty("url").GetString()!, files[0]);

        // Other ids: TheTVDB and TMDB are the indexer's; of Kitsu it knows the title alone.
        world.Indexer.Searches.Clear();
        await client.GetAsync("stream/series/tvdb%3A81189%3A1%3A2.json");
        await client.GetAsync("stream/movie/tmdb%3A603.json");
        Assert.Empty((await client.GetAsync("stream/series/kitsu%3A7442%3A5.json")).GetProperty("streams").EnumerateArray());
        Assert.Equal(["t=tvsearch&tvdbid=81189&season=1&ep=2&cat=5000", "t=movie&tmdbid=603&cat=2000"], world.Indexer.Searches);
        world.Titles["series/kitsu:7442"] = """{"meta":{"name":"Shingeki no Kyojin","releaseInfo":"2013-2013"}}""";
        world.Time.Advance(TimeSpan.FromMinutes(5));
        await client.GetAsync("stream/series/kitsu%3A7442%3A5.json");
        Assert.Equal("t=search&q=Shingeki no Kyojin 05", world.Indexer.Searches.Last());

        // Files of anime count episodes alone.
        var anime = world.News.Post("[Group] Shingeki no Kyojin - 05 [1080p].mkv", 400_000);
        await world.Gateway.ImportAsync("Shingeki", anime);
        var own5 = (await client.GetAsync("stream/series/kitsu%3A7442%3A5.json")).GetProperty("streams").EnumerateArray().First();
        await client.AssertPlaysAsync(own5.GetProperty("url").GetString()!, anime);
        var next = await client.GetAsync("stream/series/kitsu%3A7442%3A6.json");
        Assert.DoesNotContain("Kyojin", next.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_revoked_key_is_dead_at_once_in_all_of_its_addresses()
    {
        await using var world = await World.StartAsync();
        var film = world.News.Post("film.mkv", 500_000);
        world.Indexer.Add("Some.Film.2026", NzbWriter.ToBytes([film]), Posted);
        using var client = await AddonClient.StartAsync(world.Gateway, "phone");
        using var other = await AddonClient.StartAsync(world.Gateway, "tv");
        var address = (await client.GetAsync("stream/movie/tt1.json")).GetProperty("streams")[0].GetProperty("url").GetString()!;
        var target = await client.TargetAsync(address);
        await client.AssertPlaysAsync(target, film);
        var id = Assert.Single((await client.GetAsync("catalog/movie/nzbdav-movies.json")).GetProperty("metas").EnumerateArray())
            .GetProperty("id").GetString()!;
        var direct = (await client.GetAsync($"direct/stream/movie/{Uri.EscapeDataString(id)}.json")).GetProperty("streams")[0]
            .GetProperty("url").GetString()!;
        Assert.Contains("/view/", direct, StringComparison.Ordinal);
        await client.AssertPlaysAsync(direct, film);

        await client.RevokeAsync();
        using (var refused = await new HttpClient().GetAsync(client.Root + "manifest.json"))
            Assert.Equal("*", Assert.Single(refused.Headers.GetValues("Access-Control-Allow-Origin")));
        foreach (var path in (string[])
            ["manifest.json", "direct/manifest.json", "stream/movie/tt1.json", "catalog/movie/nzbdav-movies.json"])
            Assert.Equal(HttpStatusCode.Unauthorized, await client.StatusAsync(client.Root + path));
        Assert.Equal(HttpStatusCode.Unauthorized, await client.StatusAsync(address));
        Assert.Equal(HttpStatusCode.NotFound, await client.StatusAsync(target));
        Assert.Equal(HttpStatusCode.NotFound, await client.StatusAsync(direct));
        Assert.Equal("NzbDav", (await other.GetAsync("manifest.json")).GetProperty("name").GetString());
    }

    [Fact]
    public async Task What_cannot_be_played_says_so_and_is_not_listed_again()
    {
        await using var world = await World.StartAsync();
        var film = world.News.Post("film.mkv", 500_000);
        world.News.Fault(Fault.Missing, FaultTarget.All);
        world.Indexer.Add("Some.Film.2026", NzbWriter.ToBytes([film]), Posted);
        using var client = await AddonClient.StartAsync(world.Gateway, "phone");
        var address = (await client.GetAsync("stream/movie/tt1.json")).GetProperty("streams")[0].GetProperty("url").GetString()!;
        Assert.Equal(HttpStatusCode.NotFound, await client.StatusAsync(address));
        Assert.Empty((await client.GetAsync("stream/movie/tt1.json")).GetProperty("streams").EnumerateArray());
        Assert.Equal(HttpStatusCode.NotFound, await client.StatusAsync(client.Root + "play/unknown/Film.mkv"));
        Assert.Equal(HttpStatusCode.NotFound, await client.StatusAsync(client.Root + "file/1/Film.mkv"));
        Assert.Equal(JsonValueKind.Null, (await client.GetAsync("meta/movie/nzbdav%3Afilm%3A1.json")).GetProperty("meta").ValueKind);
        foreach (var id in (string[])["ttx", "tt1%3A2%3A3%3A4", "tvdb%3A-1", "other%3A1", "nzbdav%3Aseries%3A%25"])
            Assert.Empty((await client.GetAsync($"stream/series/{id}.json")).GetProperty("streams").EnumerateArray());
    }

    [Fact]
    public async Task Stremio_goes_on_with_an_address_when_the_search_is_long_forgotten()
    {
        await using var world = await World.StartAsync();
        var film = world.News.Post("film.mkv", 500_000);
        world.Indexer.Add("Some.Film.2026", NzbWriter.ToBytes([film]), Posted);
        using var client = await AddonClient.StartAsync(world.Gateway, "phone");
        var address = (await client.GetAsync("stream/movie/tt1.json")).GetProperty("streams")[0].GetProperty("url").GetString()!;
        await client.AssertPlaysAsync(address, film);
        world.Time.Advance(TimeSpan.FromDays(3));
        await client.AssertPlaysAsync(address, film);
        Assert.Single(world.Indexer.Fetched);
    }

    /// <summary>A gateway with one indexer, and an add-on that knows titles.</summary>
    private sealed class World(NewsServers news, FakeIndexer indexer, FakeIndexer titles, Gateway gateway, ShiftedTime time)
        : IAsyncDisposable
    {
        public NewsServers News => news;

        public FakeIndexer Indexer => indexer;

        public Gateway Gateway => gateway;

        public ShiftedTime Time => time;

        /// <summary>Answers by type and id.</summary>
        public Dictionary<string, string> Titles { get; } = [];

        public static async Task<World> StartAsync()
        {
            var (news, indexer, titles) = (new NewsServers(), await FakeIndexer.StartAsync(), await FakeIndexer.StartAsync());
            var time = new ShiftedTime();
            var gateway = await Gateway.StartAsync(news, change: settings => settings with
            {
                Indexers = [indexer.Options()],
                Search = settings.Search with { Titles = new Uri(titles.Root), AnimeTitles = new Uri(titles.Root) },
                Api = settings.Api with { PrivateHosts = ["127.0.0.1"] },
            }, time: time);
            var world = new World(news, indexer, titles, gateway, time);
            titles.Instead = async http =>
            {
                var id = WebUtility.UrlDecode(http.Request.Path.Value!)["/meta/".Length..^".json".Length];
                http.Response.StatusCode = world.Titles.TryGetValue(id, out var answer) ? 200 : 500;
                await http.Response.WriteAsync(answer ?? "");
            };
            return world;
        }

        public async ValueTask DisposeAsync()
        {
            await gateway.DisposeAsync();
            await titles.DisposeAsync();
            await indexer.DisposeAsync();
            await news.DisposeAsync();
        }
    }
}

/// <summary>The system's clock, set forward.</summary>
internal sealed class ShiftedTime : TimeProvider
{
    private long _by;

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddTicks(Interlocked.Read(ref _by));

    public void Advance(TimeSpan by) => Interlocked.Add(ref _by, by.Ticks);
}

/// <summary>Stremio, as far as an add-on sees it: it has an address, and no password.</summary>
internal sealed class AddonClient : IDisposable
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { AllowAutoRedirect = false }) { Timeout = Deadline.Long };
    private readonly HttpClient _owner;
    private readonly string _id;

    private AddonClient(HttpClient owner, JsonElement made)
    {
        _owner = owner;
        _id = made.GetProperty("key").GetProperty("id").GetString()!;
        Root = made.GetProperty("address").GetString()![..^"manifest.json".Length];
    }

    /// <summary>The add-on's address, with a slash at its end.</summary>
    public string Root { get; }

    public static async Task<AddonClient> StartAsync(Gateway gateway, string name)
    {
        var owner = new HttpClient { BaseAddress = new Uri(gateway.Root), Timeout = Deadline.Long };
        owner.DefaultRequestHeaders.Add("X-Api-Key", File.ReadAllText(Path.Combine(gateway.ConfigFolder, "keys", "api")));
        using var body = new StringContent(JsonSerializer.Serialize(new { name }), Encoding.UTF8, "application/json");
        using var response = await owner.PostAsync("/api/v1/stremio", body);
        Assert.Equal(HttpStatusCode.Created, response.StatusCode);
        return new AddonClient(owner, JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement.Clone());
    }

    public async Task<JsonElement> GetAsync(string path)
    {
        using var response = await _http.GetAsync(Root + path);
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == HttpStatusCode.OK, text);
        Assert.Equal("*", Assert.Single(response.Headers.GetValues("Access-Control-Allow-Origin")));
        return JsonDocument.Parse(text).RootElement.Clone();
    }

    public async Task<HttpStatusCode> StatusAsync(string address)
    {
        using var response = await _http.GetAsync(address);
        return response.StatusCode;
    }

    public async Task<HttpStatusCode> HeadAsync(string address)
    {
        using var request = new HttpRequestMessage(HttpMethod.Head, address);
        using var response = await _http.SendAsync(request);
        return response.StatusCode;
    }

    /// <summary>Where an address leads.</summary>
    public async Task<string> TargetAsync(string address)
    {
        using var response = await _http.GetAsync(address);
        Assert.Equal(HttpStatusCode.Found, response.StatusCode);
        return new Uri(new Uri(address), response.Headers.Location!).AbsoluteUri;
    }

    public async Task AssertPlaysAsync(string address, PostedFile file)
    {
        var source = new byte[file.Length];
        file.Source.Fill(0, source);
        var target = address.Contains("/view/", StringComparison.Ordinal) ? address : await TargetAsync(address);
        Assert.Equal(SHA256.HashData(source), SHA256.HashData(await _http.GetByteArrayAsync(target)));
    }

    public async Task RevokeAsync()
    {
        using var response = await _owner.DeleteAsync($"/api/v1/stremio/{_id}");
        Assert.Equal(HttpStatusCode.NoContent, response.StatusCode);
    }

    public void Dispose()
    {
        _http.Dispose();
        _owner.Dispose();
    }
}
