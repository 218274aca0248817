using System.Text;
using System.Xml.Linq;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests.Properties;

/// <summary>PROPFIND: which entries are sent, in which order, and when; and the HTML page.</summary>
public sealed class ListingTests
{
    private static readonly XNamespace Dav = Listing.Dav;

    private readonly FilmStore _films = new();

    [Theory]
    [InlineData("/dav", "/dav/", true)]
    [InlineData("/dav/", "/dav/", true)]
    [InlineData("/dav/films", "/dav/films/", true)]
    [InlineData("/dav/films/", "/dav/films/", true)]
    [InlineData("/dav//films/", "/dav/films/", true)]
    [InlineData("/dav/films/film.mkv", "/dav/films/film.mkv", false)]
    [InlineData("/dav/films/film.mkv?x=/y", "/dav/films/film.mkv", false)]
    [InlineData("http://127.0.0.1/dav/films", "/dav/films/", true)]
    public async Task DAV_04_depth_zero_is_one_entry_without_a_redirect(string target, string href, bool collection)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var entry = Assert.Single(Listing.Parse(await server.SendAsync("PROPFIND", target, ("Depth", "0"))));
        Assert.Equal(href, entry.Href);
        Assert.Empty(entry.Missing);
        var type = entry.Found.Single(property => property.Name == Dav + "resourcetype");
        Assert.Equal(collection ? [Dav + "collection"] : [], type.Elements().Select(element => element.Name));
        Assert.Equal(collection, entry.Found.All(property => property.Name != Dav + "getcontentlength"));
    }

    [Theory]
    [InlineData("1")]
    [InlineData(null)]
    public async Task DAV_05_depth_one_is_the_folder_then_its_direct_children(string? depth)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", depth is null ? [] : [("Depth", depth)]));
        Assert.Equal(["/dav/films/", "/dav/films/extras/", "/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", ("Depth", "1")));
        Assert.Equal("/dav/films/film.mkv", Assert.Single(entries).Href);
    }

    [Fact]
    public async Task DAV_06_depth_infinity_is_refused_with_the_reason()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("PROPFIND", "/dav/", ("Depth", "Infinity"));
        Assert.Equal(403, response.Status);
        var error = XDocument.Parse(response.Text).Root!;
        Assert.Equal(Dav + "error", error.Name);
        Assert.Equal(Dav + "propfind-finite-depth", Assert.Single(error.Elements()).Name);
        Assert.Equal(0, _films.Store.Lookups);
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/", ("Depth", "2"))).Status);
    }

    [Fact]
    public async Task DAV_12_entries_are_sent_while_the_store_is_still_listing()
    {
        var gate = new TaskCompletionSource();
        _films.Store.Root.Add(new StubCollection("slow") { Gate = gate.Task, More = [_films.Film] });
        await using var server = await WebDavServer.StartAsync(_films.Store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("PROPFIND", "/dav/slow", [("Depth", "1"), ("Connection", "close")]);
        var early = await connection.ReadAtLeastAsync(600);
        Assert.Contains("/dav/slow/", Encoding.UTF8.GetString(early), StringComparison.Ordinal);
        gate.SetResult();
        byte[] all = [.. early, .. await connection.ReadToEndAsync()];
        Assert.Equal(2, Listing.Parse(RawResponse.Parse(all, isHead: false)).Count);
    }

    [Fact]
    public async Task A_collection_answers_GET_with_a_page_and_HEAD()
    {
        _films.Folder.Add(new StubFile("<script>alert(1)</script>.mkv", new StubContent(1)));
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var page = await server.SendAsync("GET", "/dav/films/");
        Assert.Equal(200, page.Status);
        Assert.True(page.IsComplete);
        Assert.Equal("text/html; charset=utf-8", page["Content-Type"]);
        Assert.DoesNotContain("<script", page.Text, StringComparison.Ordinal);
        var head = await server.SendAsync("HEAD", "/dav/films");
        Assert.Equal(200, head.Status);
        Assert.Equal("text/html; charset=utf-8", head["Content-Type"]);
        Assert.Empty(head.Body);
    }
}
