using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Playing;

/// <summary><c>POST /api/v1/play</c>: from an .nzb, a torrent, a magnet link or an address to one that plays, in one call.</summary>
public sealed class PlayTests
{
    [Fact]
    public async Task An_nzb_becomes_an_address_that_plays_without_a_password()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var film = news.Post("film.mkv", 3_000_000);
        var extra = news.Post("extra.mkv", 300_000);
        var (status, answer) = await client.SendFileAsync("The film.nzb", NzbWriter.ToBytes([film, extra]));
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(("film.mkv", 3_000_000), (answer.GetProperty("file").GetProperty("name").GetString(),
            answer.GetProperty("file").GetProperty("size").GetInt64()));
        Assert.Equal("/content/play/The film/film.mkv", answer.GetProperty("file").GetProperty("path").GetString());
        var others = answer.GetProperty("others").EnumerateArray();
        Assert.Equal(["extra.mkv"], others.Select(static file => file.GetProperty("name").GetString()));
        Assert.Equal(gateway.Root + answer.GetProperty("path").GetString(), answer.GetProperty("address").GetString());
        Assert.Equal("file", answer.GetProperty("file").GetProperty("kind").GetString());
        await client.AssertPlaysAsync(answer, film);

        // Again: the same job, as a body of its own.
        var (again, same) = await client.SendBodyAsync("?title=The%20film", NzbWriter.ToBytes([film, extra]));
        Assert.Equal(HttpStatusCode.OK, again);
        Assert.Equal(answer.GetProperty("jobId").GetString(), same.GetProperty("jobId").GetString());
    }

    [Fact]
    public async Task A_link_is_fetched_and_a_dead_address_says_so()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Api = settings.Api with { PrivateHosts = ["127.0.0.1"] } });
        using var client = new PlayClient(gateway);
        var film = news.Post("film.mkv", 1_000_000);
        await using var indexer = await FileHost.StartAsync("/get/film.nzb", NzbWriter.ToBytes([film]));
        var (status, answer) = await client.SendLinkAsync(new { link = indexer.Root + "/get/film.nzb" });
        Assert.Equal(HttpStatusCode.OK, status);
        await client.AssertPlaysAsync(answer, film);
        (status, answer) = await client.SendLinkAsync(new { link = indexer.Root + "/get/other.nzb" });
        Assert.Equal((HttpStatusCode.UnprocessableEntity, "unreachable-address", false), (status, Code(answer), MayPass(answer)));
    }

    [Fact]
    public async Task A_post_that_is_gone_fails_with_its_reason_and_the_second_time_nobody_is_asked()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var nzb = NzbWriter.ToBytes([news.Post("film.mkv", 3_000_000)]);
        news.Fault(Fault.Missing, FaultTarget.All);
        var (status, answer) = await client.SendFileAsync("film.nzb", nzb);
        Assert.Equal((HttpStatusCode.UnprocessableEntity, "missing-articles", false), (status, Code(answer), MayPass(answer)));
        var asked = news.First.Stats.Commands.Values.Sum();
        (status, var second) = await client.SendFileAsync("film.nzb", nzb);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Equal(answer.ToString(), second.ToString());
        Assert.Equal(asked, news.First.Stats.Commands.Values.Sum());
        Assert.Equal(1, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
    }

    [Fact]
    public async Task A_paused_job_is_resumed()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var film = news.Post("film.mkv", 300_000);
        var nzb = NzbWriter.ToBytes([film]);
        using var form = new MultipartFormDataContent
        {
            { new ByteArrayContent(nzb), "file", "film.nzb" }, { new StringContent("play"), "category" }, { new StringContent("true"), "paused" },
        };
        using (var operators = new HttpClient { BaseAddress = new Uri(gateway.Root) })
        {
            operators.DefaultRequestHeaders.Add("X-Api-Key", client.Key);
            Assert.Equal(HttpStatusCode.OK, (await operators.PostAsync("/api/v1/jobs", form)).StatusCode);
        }

        var (status, answer) = await client.SendFileAsync("film.nzb", nzb);
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
        await client.AssertPlaysAsync(answer, film);
    }

    [Fact]
    public async Task The_name_of_a_file_counts_because_it_may_hold_the_password()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var film = SeededBytes.Make(5, 300_000);
        var set = StoredRar.Pack("film.mkv", film, 200_000, "secret")
            .Select((bytes, i) => news.Store.AddFile($"set.part{i + 1}.rar", new MemorySource(bytes), null)).ToArray();
        var nzb = NzbWriter.ToBytes(set);
        var (status, answer) = await client.SendFileAsync("film.nzb", nzb);
        Assert.Equal((HttpStatusCode.UnprocessableEntity, "encrypted-archive"), (status, Code(answer)));
        (status, answer) = await client.SendFileAsync("film{{secret}}.nzb", nzb);
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
        Assert.Equal(film.Length, answer.GetProperty("file").GetProperty("size").GetInt64());
    }

    [Fact]
    public async Task The_only_video_of_a_post_is_the_episode_though_its_name_tells_none()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var video = news.Post("a8f3c09e.mkv", 300_000);
        var (status, answer) = await client.SendBodyAsync("?season=1&episode=2", NzbWriter.ToBytes([video, news.Post("a.txt", 1_000)]));
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
        await client.AssertPlaysAsync(answer, video);
        (status, _) = await client.SendBodyAsync("?season=1&episode=2", NzbWriter.ToBytes([news.Post("Show.S01E03.mkv", 300_000)]));
        Assert.Equal(HttpStatusCode.NotFound, status);
    }

    [Fact]
    public async Task A_thousand_calls_at_once_for_ten_posts_make_ten_jobs()
    {
        const int Posts = 10;
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var films = Enumerable.Range(0, Posts).Select(i => news.Post($"film {i}.mkv", 500_000)).ToArray();
        var nzbs = films.Select(static film => NzbWriter.ToBytes([film])).ToArray();
        var answers = await Task.WhenAll(
            Enumerable.Range(0, 100 * Posts).Select(i => client.SendFileAsync($"film {i % Posts}.nzb", nzbs[i % Posts])));
        Assert.All(answers, static answer => Assert.Equal(HttpStatusCode.OK, answer.Status));
        Assert.Equal(Posts, answers.Select(static answer => answer.Body.GetProperty("jobId").GetString()).Distinct().Count());
        Assert.Equal(Posts, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        for (var i = 0; i < Posts; i++)
            await client.AssertPlaysAsync(answers[i].Body, films[i]);
    }

    [Fact]
    public async Task An_episode_or_a_file_is_chosen_by_what_the_call_names()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var files = new[] { "Show.S02E01.mkv", "Show.S02E02-E03.mkv", "Show.S02E11.mkv", "Show.S02E11.srt" }
            .Select((name, i) => news.Post(name, 300_000 - (i * 1_000))).ToArray();
        var nzb = NzbWriter.ToBytes(files);
        foreach (var (query, name) in new[]
        {
            ("?season=2&episode=3", "Show.S02E02-E03.mkv"), ("?episode=11", "Show.S02E11.mkv"), ("?season=2", "Show.S02E01.mkv"),
            ("?name=show.s02e11.srt", "Show.S02E11.srt"), ("", "Show.S02E01.mkv"),
        })
        {
            var (status, answer) = await client.SendBodyAsync(query, nzb);
            Assert.Equal(HttpStatusCode.OK, status);
            Assert.Equal(name, answer.GetProperty("file").GetProperty("name").GetString());
            await client.AssertPlaysAsync(answer, files.Single(file => file.Name == name));
        }

        foreach (var query in (string[])["?season=2&episode=4", "?season=1", "?name=other.mkv"])
        {
            var (status, answer) = await client.SendBodyAsync(query, nzb);
            Assert.Equal((HttpStatusCode.NotFound, "no-such-file"), (status, Code(answer)));
        }
    }

    [Fact]
    public async Task It_does_not_wait_for_the_queue()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { ImportRules = settings.ImportRules with { Workers = 1 } });
        using var client = new PlayClient(gateway);
        var slow = news.Post("slow.mkv", 3_000_000);
        var film = news.Post("film.mkv", 1_000_000);
        var asked = news.Stall(slow, 0);
        await gateway.Client.PutAsync("/dav/nzbs/movies/slow.nzb", NzbWriter.ToBytes([slow]));
        await asked;
        var (status, answer) = await client.SendFileAsync("film.nzb", NzbWriter.ToBytes([film]));
        Assert.Equal(HttpStatusCode.OK, status);
        await client.AssertPlaysAsync(answer, film);
        Assert.Equal(JobState.Running, (await gateway.FindJobAsync("slow"))!.State);
    }

    [Fact]
    public async Task Who_listens_hears_of_progress_and_of_the_end()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var film = news.Post("film.mkv", 1_000_000);
        var events = await client.ListenAsync("", NzbWriter.ToBytes([film]));
        Assert.Equal("progress", events[0].Name);
        Assert.Equal(("ready", "file"), (events[^1].Name, events[^1].Data.GetProperty("file").GetProperty("kind").GetString()));
        await client.AssertPlaysAsync(events[^1].Data, film);
        news.Fault(Fault.Missing, FaultTarget.All);
        events = await client.ListenAsync("", NzbWriter.ToBytes([news.Post("gone.mkv", 1_000_000)]));
        Assert.Equal(("failed", "missing-articles"), (events[^1].Name, Code(events[^1].Data)));
    }

    [Fact]
    public async Task A_torrent_plays_by_its_file()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(5_000_000));
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var (status, answer) = await client.SendFileAsync("film.torrent", swarm.File);
        Assert.Equal(HttpStatusCode.OK, status);
        await swarm.AssertFileAsync(gateway.Client, answer.GetProperty("path").GetString()!);
    }

    [Fact]
    public async Task An_inspection_tells_what_an_import_would_give_and_keeps_nothing()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(5_000_000));
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var film = SeededBytes.Make(3, 900_000);
        var set = StoredRar.Pack("Show.S01E01.mkv", film, 300_000)
            .Select((bytes, i) => news.Store.AddFile($"set.part{i + 1}.rar", new MemorySource(bytes), null)).ToArray();
        var (status, post) = await client.SendBodyAsync("?title=The%20show", NzbWriter.ToBytes(set), "inspect");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(("nzb", "The show", JsonValueKind.Null), (post.GetProperty("kind").GetString(), post.GetProperty("name").GetString(),
            post.GetProperty("failure").ValueKind));
        var file = Assert.Single(post.GetProperty("files").EnumerateArray());
        Assert.Equal(("Show.S01E01.mkv", 900_000, true, true), (file.GetProperty("path").GetString(), file.GetProperty("size").GetInt64(),
            file.GetProperty("archived").GetBoolean(), file.GetProperty("playable").GetBoolean()));

        var (_, torrent) = await client.SendBodyAsync("?title=film.torrent", swarm.File, "inspect");
        Assert.Equal(("torrent", "film.mkv", 5_000_000), (torrent.GetProperty("kind").GetString(),
            Assert.Single(torrent.GetProperty("files").EnumerateArray()).GetProperty("path").GetString(), torrent.GetProperty("size").GetInt64()));
        (_, var magnet) = await client.SendLinkAsync(new { link = swarm.Magnet }, "inspect");
        Assert.Equal(("magnet", swarm.Torrent.HashText), (magnet.GetProperty("kind").GetString(), magnet.GetProperty("infoHash").GetString()));

        news.Fault(Fault.Missing, FaultTarget.All);
        (status, post) = await client.SendBodyAsync("", NzbWriter.ToBytes([news.Post("gone.mkv", 3_000_000)]), "inspect");
        Assert.Equal((HttpStatusCode.OK, "missing-articles"), (status, Code(post.GetProperty("failure"))));
        (status, post) = await client.SendBodyAsync("", "no nzb"u8.ToArray(), "inspect");
        Assert.Equal((HttpStatusCode.OK, "malformed-nzb"), (status, Code(post.GetProperty("failure"))));
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        Assert.DoesNotContain("play", await gateway.Client.ListAsync("/dav/content/"));
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task Bad_orders_are_refused_with_what_is_wrong()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = new PlayClient(gateway);
        var nzb = NzbWriter.ToBytes([news.Post("film.mkv", 100_000)]);
        foreach (var (query, body, expected) in new[]
        {
            ("", (byte[])[], "Send one of these: a file, a link, or a release."), ("?season=two", nzb, "season must be a number."),
            ("?link=magnet:?xt=1", nzb, "Send one of these: a file, a link, or a release."),
        })
        {
            var (status, answer) = await client.SendBodyAsync(query, body);
            Assert.Equal((HttpStatusCode.UnprocessableEntity, expected), (status, answer.GetProperty("error").GetString()));
        }

        var (malformed, why) = await client.SendBodyAsync("", "no nzb"u8.ToArray());
        Assert.Equal((HttpStatusCode.UnprocessableEntity, "malformed-nzb"), (malformed, Code(why)));
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        using var nobody = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        Assert.Equal(HttpStatusCode.Unauthorized, (await nobody.PostAsync("/api/v1/play", new ByteArrayContent(nzb))).StatusCode);
    }

    private static string? Code(JsonElement answer) => answer.GetProperty("code").GetString();

    private static bool MayPass(JsonElement answer) => answer.GetProperty("mayPass").GetBoolean();
}

/// <summary>Calls <c>/api/v1/play</c> with the API key, and plays what it gets without.</summary>
internal sealed class PlayClient : IDisposable
{
    private readonly HttpClient _http;
    private readonly HttpClient _player;

    public PlayClient(Gateway gateway)
    {
        Key = File.ReadAllText(Path.Combine(gateway.ConfigFolder, "keys", "api"));

        // The server takes 256 connections from an address on which nobody has sent a key yet.
        _http = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = 200 })
        { BaseAddress = new Uri(gateway.Root), Timeout = Deadline.Long };
        _http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        _player = new HttpClient { Timeout = Deadline.Long };
    }

    public string Key { get; }

    public async Task<(HttpStatusCode Status, JsonElement Body)> SendFileAsync(string name, byte[] file)
    {
        using var form = new MultipartFormDataContent { { new ByteArrayContent(file), "file", name } };
        return await SendAsync("", form);
    }

    public async Task<(HttpStatusCode Status, JsonElement Body)> SendBodyAsync(string query, byte[] file, string call = "play")
    {
        using var body = new ByteArrayContent(file);
        body.Headers.ContentType = new MediaTypeHeaderValue("application/x-nzb");
        return await SendAsync(query, body, call);
    }

    public async Task<(HttpStatusCode Status, JsonElement Body)> SendLinkAsync(object order, string call = "play")
    {
        using var body = new StringContent(JsonSerializer.Serialize(order), System.Text.Encoding.UTF8, "application/json");
        return await SendAsync("", body, call);
    }

    public async Task<JsonElement> SearchAsync(string query)
    {
        using var response = await _http.GetAsync("/api/v1/search?" + query);
        return JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement.Clone();
    }

    public async Task<IReadOnlyList<(string Name, JsonElement Data)>> ListenAsync(string query, byte[] file)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/v1/play" + query) { Content = new ByteArrayContent(file) };
        request.Headers.Accept.ParseAdd("text/event-stream");
        using var response = await _http.SendAsync(request);
        Assert.Equal("text/event-stream", response.Content.Headers.ContentType?.MediaType);
        return [.. (await response.Content.ReadAsStringAsync()).Split("\n\n", StringSplitOptions.RemoveEmptyEntries).Select(static text =>
        {
            var lines = text.Split('\n');
            return (lines[0]["event: ".Length..], JsonDocument.Parse(lines[1]["data: ".Length..]).RootElement.Clone());
        })];
    }

    /// <summary>Asserts that the address has the bytes of a file, for whoever has it.</summary>
    public async Task AssertPlaysAsync(JsonElement answer, PostedFile file)
    {
        var source = new byte[file.Length];
        file.Source.Fill(0, source);
        var bytes = await _player.GetByteArrayAsync(new Uri(answer.GetProperty("address").GetString()!));
        Assert.Equal(SHA256.HashData(source), SHA256.HashData(bytes));
    }

    /// <summary>The bytes of the address from a place to another, or to the end.</summary>
    public async Task<byte[]> ReadAsync(JsonElement answer, long from, long? to = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, answer.GetProperty("address").GetString());
        request.Headers.Range = new RangeHeaderValue(from, to - 1);
        using var response = await _player.SendAsync(request);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsByteArrayAsync();
    }

    public void Dispose()
    {
        _http.Dispose();
        _player.Dispose();
    }

    private async Task<(HttpStatusCode Status, JsonElement Body)> SendAsync(string query, HttpContent body, string call = "play")
    {
        using var response = await _http.PostAsync($"/api/v1/{call}{query}", body);
        return (response.StatusCode, JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement.Clone());
    }
}

/// <summary>A web server with one file.</summary>
internal sealed class FileHost(WebApplication app) : IAsyncDisposable
{
    public string Root => app.Urls.First();

    public static async Task<FileHost> StartAsync(string path, byte[] file)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(static server => server.Listen(IPAddress.Loopback, 0));
        builder.Services.AddLogging();
        var app = builder.Build();
        app.Run(async http =>
        {
            http.Response.StatusCode = http.Request.Path == path ? StatusCodes.Status200OK : StatusCodes.Status404NotFound;
            if (http.Request.Path == path)
                await http.Response.Body.WriteAsync(file);
        });
        await app.StartAsync();
        return new FileHost(app);
    }

    public ValueTask DisposeAsync() => app.DisposeAsync();
}
