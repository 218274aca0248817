using Microsoft.AspNetCore.Builder;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests;

/// <summary>
/// The addresses under which programs look for the tree: the mount, the mount twice, single folders at the root, and what is above.
/// </summary>
public sealed class MountTests
{
    private const string Job = "Some Film (2024) 50%";
    private const string Encoded = "Some%20Film%20(2024)%2050%25";

    private readonly StubStore _store = new() { DeepFrom = 3 };
    private readonly StubCollection _job = new(Job) { Keeping = StoreKeeping.Everything };

    public MountTests()
    {
        var content = _store.Root.Add(new StubCollection("content"));
        var movies = content.Add(new StubCollection("movies") { Keeping = StoreKeeping.Everything });
        movies.Add(_job).Add(new StubFile("film.mkv", new StubContent(5000)));
        _job.Add(new StubCollection("extras")).Add(new StubFile("scene.mkv", new StubContent(10)));
        _store.Root.Add(new StubCollection("nzbs")).Add(new StubCollection("movies") { Keeping = StoreKeeping.Uploads });
        _store.Root.Add(new StubCollection("other"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("/dav")]
    [InlineData("/dav/dav")]
    public async Task The_tree_answers_in_the_spelling_that_was_asked_for(string root)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var folder = $"{root}/content/movies/{Encoded}";
        foreach (var target in (string[])[folder, folder + "/"])
        {
            var entries = Listing.Parse(await server.SendAsync("PROPFIND", target, ("Depth", "1")));
            Assert.Equal([folder + "/", folder + "/extras/", folder + "/film.mkv"], entries.Select(entry => entry.Href));
        }

        Assert.Equal(StubBytes.Slice(0, 5000), (await server.SendAsync("GET", folder + "/film.mkv")).Body);
        Assert.Equal("5000", (await server.SendAsync("HEAD", folder + "/film.mkv"))["Content-Length"]);
        var range = await server.SendAsync("GET", folder + "/film.mkv", ("Range", "bytes=10-19"));
        Assert.Equal(206, range.Status);
        Assert.Equal(StubBytes.Slice(10, 20), range.Body);
        Assert.Equal(201, (await server.SendAsync("PUT", root + "/nzbs/movies/a.nzb", [1, 2, 3])).Status);
        Assert.Contains("film.mkv", (await server.SendAsync("GET", folder)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_slash_may_come_encoded()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var target in (string[])
            [
                "/content%2Fmovies%2F" + Encoded + "%2Ffilm.mkv", "/%2Fcontent%2fmovies/" + Encoded + "/film.mkv",
                "/content/movies%2F" + Encoded + "/film.mkv",
                "/dav/content%2Fmovies%2F" + Encoded + "%2Ffilm.mkv",
            ])
        {
            var answer = await server.SendAsync("GET", target);
            Assert.True(answer.Status == 200, target);
            Assert.Equal(StubBytes.Slice(0, 5000), answer.Body);
        }
    }

    [Fact]
    public async Task Nothing_else_is_at_the_root()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var target in (string[])["/other", "/contents", "/Content", "/content%252Fmovies", "/dav/dav/dav/content"])
            Assert.NotInRange((await server.SendAsync("GET", target)).Status, 200, 299);
        Assert.Equal(418, (await server.SendAsync("GET", "/")).Status);
        Assert.Equal(418, (await server.SendAsync("GET", "/other")).Status);
        Assert.Equal(418, (await server.SendAsync("PUT", "/", [1])).Status);
    }

    [Fact]
    public async Task The_root_asks_for_the_password_like_the_mount()
    {
        await using var server = await WebDavServer.StartAsync(_store, check: new FixedCredentialCheck("u", "p"));
        foreach (var target in (string[])["/", "/content", "/content/movies/", "/dav/dav/content"])
            Assert.Equal(401, (await server.SendAsync("PROPFIND", target, ("Depth", "0"))).Status);
        Assert.Equal(401, (await server.SendAsync("GET", "/content")).Status);
        Assert.Equal(0, _store.Lookups);
    }

    [Theory]
    [InlineData("", "/")]
    [InlineData("/base", "/base/")]
    [InlineData("/base", "/base")]
    public async Task Windows_lists_what_is_above_the_mount(string urlBase, string target)
    {
        await using var server = await WebDavServer.StartAsync(_store, before: app => app.UsePathBase(urlBase));
        (string, string)[] agent = [("User-Agent", "Microsoft-WebDAV-MiniRedir/10.0.26100"), ("translate", "f")];
        Assert.Equal(urlBase + "/", Listing.Parse(await server.SendAsync("PROPFIND", target, [("Depth", "0"), .. agent])).Single().Href);
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", target, [("Depth", "1"), .. agent]));
        Assert.Equal([urlBase + "/", urlBase + "/content/", urlBase + "/dav/", urlBase + "/nzbs/"],
            entries.Select(entry => entry.Href).Order(StringComparer.Ordinal));
        foreach (var entry in entries)
            Assert.Equal(207, (await server.SendAsync("PROPFIND", entry.Href, [("Depth", "0"), .. agent])).Status);
        Assert.Equal(403, (await server.SendAsync("PROPFIND", target, [("Depth", "infinity"), .. agent])).Status);
    }

    [Theory]
    [InlineData("/content/movies/" + Encoded + "/film.mkv", "/content/movies/" + Encoded + "/other.mkv")]
    [InlineData("/content/movies/" + Encoded + "/film.mkv", "/dav/content/movies/" + Encoded + "/other.mkv")]
    [InlineData("/dav/dav/content/movies/" + Encoded + "/film.mkv", "/dav/dav/content/movies/" + Encoded + "/other.mkv")]
    [InlineData("/dav/content/movies/" + Encoded + "/film.mkv", "/content/movies/" + Encoded + "/other.mkv")]
    public async Task A_destination_may_be_below_any_of_them(string from, string to)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(201, (await server.SendAsync(
            "MOVE", from, ("Destination", "http://127.0.0.1:" + server.Port + to), ("Host", "127.0.0.1:" + server.Port))).Status);
        Assert.NotNull(_job["other.mkv"]);
        Assert.Equal(
            502, (await server.SendAsync("MOVE", "/content/movies/" + Encoded + "/other.mkv", ("Destination", "/other/film.mkv"))).Status);
    }

    /// <summary>AIOStreams asks with the library "webdav" for everything below a job first.</summary>
    [Fact]
    public async Task Depth_infinity_is_answered_below_one_job()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        const string folder = "/content/movies/" + Encoded;
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", folder, ("Depth", "infinity")));
        Assert.Equal(folder + "/", entries[0].Href);
        Assert.Equal(
            [folder + "/", folder + "/extras/", folder + "/extras/scene.mkv", folder + "/film.mkv"], entries.Select(entry => entry.Href)
                .Order(StringComparer.Ordinal));
        Assert.Equal(403, (await server.SendAsync("PROPFIND", "/content/movies", ("Depth", "infinity"))).Status);
    }
}
