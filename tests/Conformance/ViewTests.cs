using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Fakes;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Conformance.Tests;

/// <summary>Signed links: one file for anyone with the link, served by the same code as WebDAV's GET.</summary>
public class ViewTests
{
    private const long Size = 100_000;

    private readonly StubStore _store = new();
    private readonly StubFile _film;
    private readonly string _link;

    public ViewTests()
    {
        _film = _store.Root.Add(new StubCollection("a b")).Add(new StubFile("film #1.mkv", new StubContent(Size)));
        _link = WebDavServer.Links.PathTo(StorePath.Root.Child("a b").Child("film #1.mkv"), "film #1.mkv");
    }

    [Fact]
    public async Task A_signed_link_opens_its_file_without_credentials()
    {
        await using var server = await WebDavServer.StartAsync(_store, check: new FixedCredentialCheck("u", "p"));
        Assert.EndsWith("/film%20%231.mkv", _link, StringComparison.Ordinal);
        var whole = await server.SendAsync("GET", _link);
        Assert.Equal(200, whole.Status);
        Assert.Equal(StubBytes.Slice(0, Size), whole.Body);
        Assert.Equal("video/x-matroska", whole["Content-Type"]);
        Assert.Null(whole["Set-Cookie"]);
        Assert.Null(whole["Location"]);

        // The same ranges and conditions as GET.
        StrictRange.Check(await server.SendAsync("GET", _link, ("Range", "bytes=0-")), 0, null, Size);
        StrictRange.Check(await server.SendAsync("GET", _link, ("Range", "bytes=-5")), Size - 5, null, Size);
        Assert.Equal(416, (await server.SendAsync("GET", _link, ("Range", "bytes=100000-"))).Status);
        Assert.Equal(304, (await server.SendAsync("GET", _link, ("If-None-Match", whole["ETag"]!))).Status);
        var head = await server.SendAsync("HEAD", _link);
        Assert.Equal("100000", head["Content-Length"]);
        Assert.Equal("bytes", head["Accept-Ranges"]);

        // Nobody between keeps it: a link ends, and not all may have the password. What is not there may be in a moment.
        foreach (var answer in (RawResponse[])[whole, head, await server.SendAsync("GET", _link, ("Range", "bytes=0-9")),
            await server.SendAsync("GET", _link, ("If-None-Match", whole["ETag"]!))])
            Assert.Equal("private, no-transform", answer["Cache-Control"]);
        Assert.Equal("no-store", (await server.SendAsync("GET", "/view/none/film.mkv"))["Cache-Control"]);

        // The name in the link is only for players.
        var token = _link.Split('/')[2];
        foreach (var other in (string[])[$"/view/{token}", $"/view/{token}/", $"/view/{token}/other.avi", $"/view/{token}/x/y?z=1"])
            Assert.Equal(200, (await server.SendAsync("HEAD", other)).Status);
        Assert.Equal(401, (await server.SendAsync("GET", "/dav/a%20b/film%20%231.mkv")).Status);
    }

    [Fact]
    public async Task Forged_and_altered_links_are_refused()
    {
        await using var server = await WebDavServer.StartAsync(_store, check: new FixedCredentialCheck("u", "p"));
        var token = _link.Split('/')[2];
        var key = Enumerable.Repeat((byte)1, ViewLinks.KeyLength).ToArray();
        var forged = new ViewLinks(key, key, TimeProvider.System).PathTo(StorePath.Root.Child("a b").Child("film #1.mkv"), "x")
            .Split('/')[2];
        var changed = (token[0] == 'A' ? 'B' : 'A') + token[1..];
        var folder = WebDavServer.Links.PathTo(StorePath.Root.Child("a b"), "x").Split('/')[2];
        var gone = WebDavServer.Links.PathTo(StorePath.Root.Child("none"), "x").Split('/')[2];
        foreach (var wrong in (string[])["", "x", forged, changed, token[..^2], token + "AAAA", folder, gone, new string('A', 20),
            new string('A', 9000)])
        {
            Assert.Equal(404, (await server.SendAsync("GET", $"/view/{wrong}/film.mkv")).Status);
            Assert.Equal(404, (await server.SendAsync("HEAD", $"/view/{wrong}")).Status);
        }

        foreach (var method in (string[])["PUT", "DELETE", "PROPFIND", "POST", "LOCK", "MOVE"])
        {
            var answer = await server.SendAsync(method, _link);
            Assert.Equal(405, answer.Status);
            Assert.Equal("GET, HEAD", answer["Allow"]);
        }

        Assert.Equal(0, _film.Opens);
        Assert.Equal(418, (await server.SendAsync("GET", "/viewer")).Status);
    }

    [Fact]
    public async Task A_made_link_opens_nothing_unless_it_stands()
    {
        var token = WebDavServer.Links.PathTo(
            StorePath.Root.Child("a b").Child("film #1.mkv"), "film #1.mkv", 7, TimeProvider.System.GetUtcNow().AddHours(1));
        await using var server = await WebDavServer.StartAsync(_store, check: new FixedCredentialCheck("u", "p"));
        Assert.Equal(404, (await server.SendAsync("GET", token)).Status);
        Assert.Equal(0, _film.Opens);
    }

    [Fact]
    public void A_shared_link_expires_and_a_library_link_does_not()
    {
        var time = new ManualTimeProvider();
        var links = Make(1, 2, time);
        var path = StorePath.Root.Child("a b").Child("film #1.mkv");
        var (library, person) = (Token(links.PathTo(path, "x.mkv")), Token(links.PathTo(path, "x.mkv", 7, time.GetUtcNow().AddHours(1))));
        Assert.Equal(path.ToString(), links.TryRead(library)?.ToString());
        Assert.Equal(path.ToString(), links.TryRead(person, out var made)?.ToString());
        Assert.Equal(7, made);
        Assert.Null(links.TryRead(person));
        time.Advance(TimeSpan.FromMinutes(59));
        Assert.NotNull(links.TryRead(person, out _));
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(links.TryRead(person, out _));
        time.Advance(TimeSpan.FromDays(3_650));
        Assert.NotNull(links.TryRead(library));

        // The expiry is signed, and one kind of link cannot be used as the other.
        var later = Token(Make(2, 1, time).PathTo(path, "x.mkv", 7, time.GetUtcNow().AddHours(1)));
        Assert.Null(links.TryRead(later, out _));
        Assert.Null(links.TryRead(Token(Make(2, 1, time).PathTo(path, "x.mkv"))));
    }

    [Fact]
    public void A_new_key_revokes_links_and_library_links_only_on_request()
    {
        var time = new ManualTimeProvider();
        var links = Make(1, 2, time);
        var path = StorePath.Root.Child("film.mkv");
        var (library, person) = (Token(links.PathTo(path, "x")), Token(links.PathTo(path, "x", 7, time.GetUtcNow().AddHours(1))));
        links.Replace(libraryKey: null, Key(3));
        Assert.Null(links.TryRead(person, out _));
        Assert.NotNull(links.TryRead(library));
        Assert.NotNull(links.TryRead(Token(links.PathTo(path, "x", 7, time.GetUtcNow().AddHours(1))), out _));
        links.Replace(Key(4), Key(5));
        Assert.Null(links.TryRead(library));
        Assert.NotNull(links.TryRead(Token(links.PathTo(path, "x"))));
    }

    private static ViewLinks Make(byte library, byte person, TimeProvider time) => new(Key(library), Key(person), time);

    private static byte[] Key(byte value) => Enumerable.Repeat(value, ViewLinks.KeyLength).ToArray();

    private static string Token(string link) => link.Split('/')[2];
}
