using System.IO.Compression;
using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using NzbDav.Fakes;

namespace NzbDav.Api.Tests.Native;

/// <summary>Files and links that users add.</summary>
public sealed class AddingTests
{
    private const string Magnet = "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Free.Film";

    private static readonly byte[] Torrent = Encoding.ASCII.GetBytes(
        "d4:infod6:lengthi5e4:name8:film.mkv12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee");

    [Fact]
    public async Task Files_of_all_kinds_can_be_added_in_one_form()
    {
        await using var native = await NativeFixture.OpenAsync();
        var answer = await native.UploadAsync(
            [
                ("One.nzb", SabFixture.Nzb("one")), ("Two.nzb.gz", Gzip(SabFixture.Nzb("two"))), ("Both.zip", Zip("Three", "Four")),
                ("Film.torrent", Torrent), ("Free.magnet", Encoding.ASCII.GetBytes(Magnet)),
                ("Empty.nzb", []), ("Page.nzb", "<html></html>"u8.ToArray()), ("Bad.torrent", "d4:infoi1ee"u8.ToArray()),
            ],
            [("category", "movies"), ("priority", "1"), ("password", "open"), ("paused", "true")]);
        var results = answer.GetProperty("results").EnumerateArray().ToArray();

        Assert.Equal(["One.nzb", "Two.nzb.gz", "Three", "Four", "Film.torrent", "Free.magnet", "Empty.nzb", "Page.nzb", "Bad.torrent"],
            results.Select(result => result.GetProperty("name").GetString()));
        Assert.Equal(["nzb", "nzb", "nzb", "nzb", "torrent", "magnet"],
            results.Take(6).Select(result => result.GetProperty("job").GetProperty("kind").GetString()));
        Assert.All(
            results.Take(6), result => Assert.Equal(("movies", "paused", 1), (result.GetProperty("job").GetProperty("category").GetString(),
            result.GetProperty("job").GetProperty("state").GetString(), result.GetProperty("job").GetProperty("priority").GetInt32())));
        Assert.All(results.Skip(6), result =>
            Assert.True(result.GetProperty("job").ValueKind == JsonValueKind.Null && result.GetProperty("error").GetString()!.Length > 5));
        Assert.Equal("The file is empty.", results[6].GetProperty("error").GetString());
        Assert.True(results[0].GetProperty("job").GetProperty("hasPassword").GetBoolean());
        Assert.Equal(["One", "Two", "Three", "Four", "Film", "Free"], await native.NamesAsync());

        var job = results[1].GetProperty("job").GetProperty("id").GetString();
        Assert.Equal(SabFixture.Nzb("two"), await native.Http.GetByteArrayAsync($"/api/v1/jobs/{job}/source"));
        var torrent = results[4].GetProperty("job").GetProperty("id").GetString();
        Assert.Equal(Torrent, await native.Http.GetByteArrayAsync($"/api/v1/jobs/{torrent}/source"));
        Assert.Equal(40, (await native.GetAsync($"/jobs/{torrent}")).GetProperty("infoHash").GetString()!.Length);
    }

    [Fact]
    public async Task Adding_a_known_file_creates_no_second_job()
    {
        await using var native = await NativeFixture.OpenAsync();
        var first = (await native.UploadAsync([("Film.nzb", SabFixture.Nzb("one")), ("Film.torrent", Torrent)], [])).GetProperty("results");
        var again = (await native.UploadAsync([("Film.nzb", SabFixture.Nzb("one")), ("Film.torrent", Torrent)], [])).GetProperty("results");
        for (var i = 0; i < 2; i++)
        {
            Assert.True(again[i].GetProperty("duplicate").GetBoolean());
            Assert.Equal(
                first[i].GetProperty("job").GetProperty("id").GetString(), again[i].GetProperty("job").GetProperty("id").GetString());
        }
    }

    [Fact]
    public async Task An_invalid_or_too_large_form_is_refused_with_the_reason()
    {
        await using var native = await NativeFixture.OpenAsync(options => options with { MaxUploadBytes = 4_096 });
        await native.UploadAsync([("Film.nzb", new byte[5_000])], [], HttpStatusCode.RequestEntityTooLarge);
        await native.UploadAsync([], [("category", "tv")], HttpStatusCode.UnprocessableEntity);
        await native.UploadAsync([("a.nzb", SabFixture.Nzb("a"))], [("category", "../up")], HttpStatusCode.UnprocessableEntity);
        await native.UploadAsync([("a.nzb", SabFixture.Nzb("a"))], [("priority", "soon")], HttpStatusCode.UnprocessableEntity);
        await native.SendAsync(HttpMethod.Post, "/jobs", new { }, HttpStatusCode.UnsupportedMediaType);
        using var broken = new StringContent("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.nzb\"\r\n\r\nabc");
        broken.Headers.ContentType = new("multipart/form-data") { Parameters = { new("boundary", "x") } };
        using var response = await native.Http.PostAsync("/api/v1/jobs", broken);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Empty(await native.NamesAsync());
        await Until.TrueAsync(() => !Directory.Exists(Path.Combine(native.Sab.Folder, "cache"))
            || Directory.GetFiles(Path.Combine(native.Sab.Folder, "cache")).Length == 0);
    }

    [Fact]
    public async Task Links_may_be_magnet_links_or_addresses_of_nzb_and_torrent_files()
    {
        await using var native = await NativeFixture.OpenAsync();
        var builder = WebApplication.CreateSlimBuilder();
        await using var indexer = builder.Build();
        indexer.Urls.Add("http://127.0.0.1:0");
        var go = new TaskCompletionSource();
        indexer.MapGet("/{file}", async (string file) =>
        {
            await go.Task;
            return Results.Bytes(file.EndsWith("nzb", StringComparison.Ordinal) ? SabFixture.Nzb("fetched") : Torrent);
        });
        await indexer.StartAsync();
        var root = indexer.Urls.First();
        var answer = await native.SendAsync(HttpMethod.Post, "/jobs/links", new
        {
            links = (string[])[Magnet,
            $"{root}/Show.nzb?apikey=secret", $"{root}/download", "ftp://host/x.nzb", "magnet:?dn=nothing"],
            category = "movies"
        });
        var results = answer.GetProperty("results").EnumerateArray().ToArray();
        Assert.Equal(["Free.Film", $"{root}/Show.nzb", $"{root}/download", "ftp://host/x.nzb", "magnet link"],
            results.Select(result => result.GetProperty("name").GetString()));
        Assert.Equal(["", "", "", "This is neither a magnet link nor an address that begins with http:// or https://."],
            results.Take(4).Select(result => result.GetProperty("error").GetString() ?? ""));
        Assert.NotNull(results[4].GetProperty("error").GetString());

        // An address being fetched already counts as a job, and keeps its id.
        var id = results[1].GetProperty("job").GetProperty("id").GetString();
        var running = (await native.GetAsync("/jobs?state=running")).GetProperty("items").EnumerateArray().ToArray();
        Assert.Equal(2, running.Length);
        Assert.All(running, job => Assert.Equal("fetch", job.GetProperty("step").GetString()));
        Assert.DoesNotContain("secret", (await native.GetAsync("/jobs")).GetRawText(), StringComparison.Ordinal);
        go.SetResult();
        await Until.TrueAsync(async () => (await native.NamesAsync("?state=queued")).Length == 3);
        var details = await native.GetAsync($"/jobs/{id}");
        Assert.Equal(("Show", "nzb", $"{root}/Show.nzb"),
            (details.GetProperty("name").GetString(), details.GetProperty("kind").GetString(), details.GetProperty("url").GetString()));
        Assert.Equal(["torrent"], (await native.GetAsync("/jobs?kind=torrent")).GetProperty("items").EnumerateArray()
            .Select(job => job.GetProperty("kind").GetString()));

        await native.SendAsync(HttpMethod.Post, "/jobs/links", new { links = Array.Empty<string>() }, HttpStatusCode.UnprocessableEntity);
    }

    [Theory]
    [InlineData(SabFixture.ReadKey, "GET", "/jobs", HttpStatusCode.OK)]
    [InlineData(SabFixture.AddKey, "GET", "/jobs", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.ReadKey, "POST", "/jobs/links", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.AddKey, "POST", "/jobs/links", HttpStatusCode.UnsupportedMediaType)]
    [InlineData(SabFixture.AddKey, "POST", "/jobs/actions", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.ReadKey, "PUT", "/queue", HttpStatusCode.Forbidden)]
    [InlineData("wrong", "GET", "/queue", HttpStatusCode.Unauthorized)]
    public async Task Each_route_requires_its_right(string key, string method, string path, HttpStatusCode status)
    {
        await using var native = await NativeFixture.OpenAsync();
        native.Http.DefaultRequestHeaders.Remove("X-Api-Key");
        using var request = new HttpRequestMessage(new HttpMethod(method), "/api/v1" + path) { Headers = { { "X-Api-Key", key } } };
        using var response = await native.Http.SendAsync(request);
        Assert.Equal(status, response.StatusCode);
    }

    private static byte[] Gzip(byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionMode.Compress, leaveOpen: true))
            gzip.Write(bytes);
        return packed.ToArray();
    }

    private static byte[] Zip(params string[] names)
    {
        using var packed = new MemoryStream();
        using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var name in names)
            {
                using var entry = zip.CreateEntry(name + ".nzb").Open();
                entry.Write(SabFixture.Nzb(name));
            }
        }

        return packed.ToArray();
    }
}
