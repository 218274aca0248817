using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.HttpOverrides;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests;

/// <summary>From the path in a request to an item, and back to the path in an answer.</summary>
public sealed class PathTests
{
    private readonly FilmStore _films = new();

    [Fact]
    public async Task DAV_02_hrefs_under_a_url_base()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store, before: app => app.UsePathBase("/b%c"));
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/b%25c/dav/films", ("Depth", "1")));
        Assert.Equal(["/b%25c/dav/films/", "/b%25c/dav/films/extras/", "/b%25c/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        Assert.Equal(200, (await server.SendAsync("GET", entries[2].Href)).Status);
    }

    [Fact]
    public async Task Other_paths_are_passed_on()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var path in (string[])["/", "/davy", "/DAV/films", "/api"])
            Assert.Equal(418, (await server.SendAsync("GET", path)).Status);
    }

    [Theory]
    [InlineData("/dav/nothing")]
    [InlineData("/dav/films/film.mkv/")]
    [InlineData("/dav/films/film.mkv/x")]
    [InlineData("/dav/Films")]
    public async Task DAV_04_a_missing_resource_is_404(string target)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var method in (string[])["PROPFIND", "GET", "HEAD"])
            Assert.Equal(404, (await server.SendAsync(method, target)).Status);
    }

    public static TheoryData<string> HardNames =>
    [
        "a b", "100%", "%41", "%2F", "a#b", "a?b=c", "[x]", "(2024)", "a&b", "it's", "\"quoted\"", "a+b", "a;b", "a:b", "a=b,c", "a\\b",
        "<b>", "`{|}^~",
        "\U0001F600", "o\u0308.mkv", "\u00F6.mkv", "\u65E5\u672C\u8A9E", "\u0627\u0644", ".leading", "trailing.", "...", " ", "\u00A0",
        "a\tb", "c:\u0001",
        new string('x', 251) + ".mkv", new string('\u65E5', 85),
    ];

    [Theory]
    [MemberData(nameof(HardNames))]
    public async Task DAV_09_every_name_round_trips(string name)
    {
        var folder = _films.Store.Root.Add(new StubCollection("n" + name));
        var file = folder.Add(new StubFile(name, new StubContent(77)));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var self = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/", ("Depth", "1")))
            .Single(entry => entry.Href.StartsWith("/dav/n", StringComparison.Ordinal));
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", self.Href, ("Depth", "1")));
        Assert.Equal(self.Href, entries[0].Href);
        Assert.StartsWith(self.Href, entries[1].Href, StringComparison.Ordinal);
        Assert.Equal("/dav/n" + name + "/" + name, Uri.UnescapeDataString(entries[1].Href));
        Assert.Equal(name.Replace('\u0001', '\uFFFD'), entries[1].Value("displayname"));
        var response = await server.SendAsync("GET", entries[1].Href);
        Assert.Equal(200, response.Status);
        Assert.Equal(StubBytes.Slice(0, 77), response.Body);
        Assert.Equal(1, file.Opens);

        // The HTML page links to the same place, from both forms of the folder's URL.
        foreach (var url in (string[])[self.Href, self.Href.TrimEnd('/')])
        {
            var page = await server.SendAsync("GET", url);
            Assert.Equal(200, page.Status);
            var link = page.Text.Split("href=\"")[2].Split('"')[0];
            Assert.Equal(entries[1].Href, new Uri(new Uri("http://h" + url), link).AbsolutePath, ignoreCase: true);
        }
    }

    public static TheoryData<string> ComposedNames =>
        ["Müller", "Việt Nam", "ガンダム", "한국어 각", "Ёлка й", "Ὀδύσσεια", "naïve – 50% (ẞ)", "\u0958 \u2260"];

    /// <summary>macOS sends names decomposed.</summary>
    [Theory]
    [MemberData(nameof(ComposedNames))]
    public async Task A_name_that_a_Mac_sends_decomposed_is_found_composed(string name)
    {
        var decomposed = Decompose(name);
        var folder = _films.Store.Root.Add(new StubCollection(name) { Keeping = StoreKeeping.Everything });
        folder.Add(new StubFile(name + ".mkv", new StubContent(77)));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var path = "/dav/" + Uri.EscapeDataString(decomposed);
        var file = path + "/" + Uri.EscapeDataString(decomposed) + ".mkv";
        Assert.Equal(200, (await server.SendAsync("GET", file)).Status);
        Assert.Equal(2, Listing.Parse(await server.SendAsync("PROPFIND", path, ("Depth", "1"))).Count);
        Assert.Equal(201, (await server.SendAsync("MOVE", file, ("Destination", path + "/x" + Uri.EscapeDataString(decomposed)))).Status);
        Assert.NotNull(folder["x" + name]);
        Assert.Equal(201, (await server.SendAsync("PUT", path + "/y" + Uri.EscapeDataString(decomposed), [1])).Status);
        Assert.True(folder.Written.ContainsKey("y" + name));
        Assert.Equal(204, (await server.SendAsync("DELETE", path + "/x" + Uri.EscapeDataString(decomposed))).Status);
        Assert.Null(folder["x" + name]);
    }

    [Fact]
    public async Task A_name_that_is_stored_decomposed_stays_itself()
    {
        _films.Store.Root.Add(new StubCollection("Mu\u0308ller")).Add(new StubFile("Mu\u0308ller.mkv", new StubContent(7)));
        _films.Store.Root.Add(new StubCollection("M\u00FCller"));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        Assert.Equal(200, (await server.SendAsync("GET", "/dav/Mu%CC%88ller/Mu%CC%88ller.mkv")).Status);
        Assert.Equal(404, (await server.SendAsync("GET", "/dav/M%C3%BCller/Mu%CC%88ller.mkv")).Status);
    }

    // Tests run without the data of ICU, too: by hand for the names above.
    private static string Decompose(string name)
    {
        (string Composed, string Decomposed)[] pairs =
        [
            ("ü", "u\u0308"), ("ệ", "e\u0323\u0302"), ("ガ", "カ\u3099"), ("ダ", "タ\u3099"), ("한", "\u1112\u1161\u11AB"),
            ("국", "\u1100\u116E\u11A8"), ("어", "\u110B\u1165"),
            ("각", "\u1100\u1161\u11A8"), ("Ё", "Е\u0308"), ("й", "и\u0306"), ("Ὀ", "Ο\u0313"), ("ύ", "υ\u0301"), ("ï", "i\u0308"),
            ("\u2260", "=\u0338"),
        ];
        return pairs.Aggregate(name, (text, pair) => text.Replace(pair.Composed, pair.Decomposed, StringComparison.Ordinal));
    }

    [Fact]
    public async Task DAV_14_forwarded_headers_do_not_change_hrefs()
    {
        (string, string)[] forwarded =
        [
            ("Depth", "1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "films.example"), ("X-Forwarded-For", "192.0.2.7"),
            ("X-Forwarded-Prefix", "/pre fix/"),
        ];
        await using (var server = await WebDavServer.StartAsync(_films.Store))
        {
            var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", forwarded));
            Assert.Equal(["/dav/films/", "/dav/films/extras/", "/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        }

        // Only the prefix is used, and only from a proxy that the host trusts.
        await using (var server = await WebDavServer.StartAsync(
            _films.Store, before: app =>
                app.UseForwardedHeaders(new() { ForwardedHeaders = ForwardedHeaders.All, AllowedHosts = { "films.example" } })))
        {
            var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", forwarded));
            Assert.Equal(
                ["/pre%20fix/dav/films/", "/pre%20fix/dav/films/extras/", "/pre%20fix/dav/films/film.mkv"],
                    entries.Select(entry => entry.Href));
        }
    }

    [Theory]
    [InlineData("/dav/desktop.ini")]
    [InlineData("/dav/films/Desktop.INI")]
    [InlineData("/dav/films/Thumbs.db")]
    [InlineData("/dav/films/AutoRun.inf")]
    [InlineData("/dav/films/.DS_Store")]
    [InlineData("/dav/films/._films.Film.mkv")]
    [InlineData("/dav/films/.hidden")]
    [InlineData("/dav/.metadata_never_index")]
    [InlineData("/dav/.Spotlight-V100/Store")]
    public async Task DAV_15_junk_is_404_without_a_lookup(string target)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var method in (string[])["GET", "HEAD", "PROPFIND"])
            Assert.Equal(404, (await server.SendAsync(method, target, ("Depth", "0"))).Status);
        Assert.Equal(0, _films.Store.Lookups);
    }

    [Theory]
    [InlineData("/dav/films/../films/film.mkv")]
    [InlineData("/dav/films/%2e%2E/film.mkv")]
    [InlineData("/dav/./films")]
    [InlineData("/x/../dav/films")]
    [InlineData("/dav/films%2F..%2Ffilms/film.mkv")]
    [InlineData("/content/%2e%2e%2Fdav")]
    [InlineData("/dav/films/film%00.mkv")]
    [InlineData("/dav/films/%ff%fe")]
    [InlineData("/dav/films/%zz")]
    [InlineData("/dav/films/%4")]
    [InlineData("/dav/films/film.mkv#part")]
    public async Task Malicious_paths_are_400(string target)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        Assert.Equal(400, (await server.SendAsync("GET", target)).Status);
        Assert.Equal(0, _films.Store.Lookups);
    }
}
