using System.Globalization;
using System.Text;
using System.Xml.Linq;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.HttpOverrides;
using NzbDav.WebDav;

namespace NzbDav.Conformance.Tests;

/// <summary>OPTIONS and PROPFIND.</summary>
public class ListingTests
{
    private static readonly XNamespace Dav = Listing.Dav;

    private readonly StubStore _store = new();
    private readonly StubCollection _folder;
    private readonly StubFile _film;

    public ListingTests()
    {
        _folder = _store.Root.Add(new StubCollection("films"));
        _film = _folder.Add(new StubFile("film.mkv", new StubContent(1234)));
        _folder.Add(new StubCollection("extras")).Add(new StubFile("deep.mkv", new StubContent(1)));
    }

    [Theory]
    [InlineData("/")]
    [InlineData("*")]
    [InlineData("/dav")]
    [InlineData("/dav/")]
    [InlineData("/dav/films/film.mkv")]
    [InlineData("/dav/none/of/these")]
    public async Task DAV_01_options_are_open_everywhere(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store, check: new FixedCredentialCheck("u", "p"));
        CheckOptions(await server.SendAsync("OPTIONS", target));
        Assert.Equal(0, _store.Lookups);
    }

    [Theory]
    [InlineData("/base/")]
    [InlineData("/base")]
    [InlineData("/base/dav/films")]
    public async Task DAV_02_options_under_a_url_base(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store, before: app => app.UsePathBase("/base"));
        CheckOptions(await server.SendAsync("OPTIONS", target));
    }

    [Fact]
    public async Task DAV_02_hrefs_under_a_url_base()
    {
        await using var server = await WebDavServer.StartAsync(_store, before: app => app.UsePathBase("/b%c"));
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/b%25c/dav/films", ("Depth", "1")));
        Assert.Equal(["/b%25c/dav/films/", "/b%25c/dav/films/extras/", "/b%25c/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        Assert.Equal(200, (await server.SendAsync("GET", entries[2].Href)).Status);
    }

    [Fact]
    public async Task Other_paths_are_left_to_others()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var path in (string[])["/", "/davy", "/DAV/films", "/api"])
            Assert.Equal(418, (await server.SendAsync("GET", path)).Status);
    }

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
        await using var server = await WebDavServer.StartAsync(_store);
        var entry = Assert.Single(Listing.Parse(await server.SendAsync("PROPFIND", target, ("Depth", "0"))));
        Assert.Equal(href, entry.Href);
        Assert.Empty(entry.Missing);
        var type = entry.Found.Single(property => property.Name == Dav + "resourcetype");
        Assert.Equal(collection ? [Dav + "collection"] : [], type.Elements().Select(element => element.Name));
        Assert.Equal(collection, entry.Found.All(property => property.Name != Dav + "getcontentlength"));
    }

    [Theory]
    [InlineData("/dav/nothing")]
    [InlineData("/dav/films/film.mkv/")]
    [InlineData("/dav/films/film.mkv/x")]
    [InlineData("/dav/Films")]
    public async Task DAV_04_what_is_not_there_is_404(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var method in (string[])["PROPFIND", "GET", "HEAD"])
            Assert.Equal(404, (await server.SendAsync(method, target)).Status);
    }

    [Theory]
    [InlineData("1")]
    [InlineData(null)]
    public async Task DAV_05_depth_one_is_self_then_direct_children(string? depth)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", depth is null ? [] : [("Depth", depth)]));
        Assert.Equal(["/dav/films/", "/dav/films/extras/", "/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", ("Depth", "1")));
        Assert.Equal("/dav/films/film.mkv", Assert.Single(entries).Href);
    }

    [Fact]
    public async Task DAV_06_infinity_is_refused_with_its_reason()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("PROPFIND", "/dav/", ("Depth", "Infinity"));
        Assert.Equal(403, response.Status);
        var error = XDocument.Parse(response.Text).Root!;
        Assert.Equal(Dav + "error", error.Name);
        Assert.Equal(Dav + "propfind-finite-depth", Assert.Single(error.Elements()).Name);
        Assert.Equal(0, _store.Lookups);
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/", ("Depth", "2"))).Status);
    }

    [Fact]
    public async Task DAV_07_bodies_of_every_form()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var all = Names(await AskAsync(""));
        Assert.Equal(["creationdate", "displayname", "getcontentlength", "getcontenttype", "getetag", "getlastmodified", "resourcetype"], all);
        Assert.Equal(all, Names(await AskAsync("<propfind xmlns='DAV:'><allprop/></propfind>")));
        Assert.Equal(all, Names(await AskAsync("<propfind xmlns='DAV:'><allprop/></propfind>", chunked: true)));
        Assert.Equal(
            new List<string>([.. all, "lockdiscovery", "supportedlock"]).Order(),
            Names(await AskAsync("<propfind xmlns='DAV:'><allprop/><include><supportedlock/><lockdiscovery/></include></propfind>")).Order());
        Assert.Equal(
            ["getetag", "displayname"],
            Names(await AskAsync("<D:propfind xmlns:D='DAV:'><D:prop><D:getetag/><D:displayname/><D:getetag/></D:prop></D:propfind>")));
        Assert.Equal(
            ["resourcetype"],
            Names(await AskAsync("<propfind xmlns='DAV:'><prop><resourcetype/></prop></propfind>", encoding: Encoding.Unicode)));
        Assert.Equal(
            ["resourcetype"],
            Names(await AskAsync("<propfind xmlns='DAV:'><x xmlns='urn:other'><y/></x><prop><!-- ? --><resourcetype>text</resourcetype></prop></propfind>")));

        var names = await AskAsync("<propfind xmlns='DAV:'><propname/></propfind>");
        Assert.All(names.Found, property => Assert.True(property.IsEmpty));
        Assert.Contains("supportedlock", Names(names));
        Assert.Empty(names.Missing);

        async Task<Listing> AskAsync(string body, bool chunked = false, Encoding? encoding = null)
        {
            encoding ??= Encoding.UTF8;
            byte[] bytes = body.Length == 0 ? [] : [.. encoding.GetPreamble(), .. encoding.GetBytes(body)];
            if (chunked)
                bytes = [.. Encoding.ASCII.GetBytes($"{bytes.Length:X}\r\n"), .. bytes, .. "\r\n0\r\n\r\n"u8];
            var headers = new List<(string, string)> { ("Depth", "0"), ("translate", "f") };
            if (chunked)
                headers.Add(("Transfer-Encoding", "chunked"));
            return Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", bytes, [.. headers])).Single();
        }
    }

    [Theory]
    [InlineData("<propfind xmlns='DAV:'><allprop/>")]
    [InlineData("<propfind xmlns='DAV:'><allprop/></propfind><x/>")]
    [InlineData("<propfind xmlns='DAV:'><prop><x:foo xmlns:x=''/></prop></propfind>")]
    [InlineData("<propfind xmlns='DAV:'><prop><unbound:foo/></prop></propfind>")]
    [InlineData("<propfind xmlns='DAV:'/>")]
    [InlineData("<propfind xmlns='DAV:'><allprop/><propname/></propfind>")]
    [InlineData("<propfind xmlns='DAV:'><prop/><prop/></propfind>")]
    [InlineData("<propfind><allprop/></propfind>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b 'cc'>]><propfind xmlns='DAV:'><allprop/></propfind>")]
    [InlineData("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><propfind xmlns='DAV:'><allprop/></propfind>")]
    [InlineData("not xml")]
    [InlineData(" ")]
    public async Task DAV_08_bad_xml_is_400(string body)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/films", Encoding.UTF8.GetBytes(body), ("Depth", "0"))).Status);
        Assert.Equal(0, _store.Lookups);
    }

    [Fact]
    public async Task DAV_08_large_bodies_are_413()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var padding = new string(' ', 1 << 20);
        var body = Encoding.UTF8.GetBytes($"<propfind xmlns='DAV:'>{padding}<allprop/></propfind>");
        Assert.Equal(413, (await server.SendAsync("PROPFIND", "/dav/films", body, ("Depth", "0"))).Status);
        byte[] chunked = [.. Encoding.ASCII.GetBytes($"{body.Length:X}\r\n"), .. body, .. "\r\n0\r\n\r\n"u8];
        Assert.Equal(413, (await server.SendAsync("PROPFIND", "/dav/films", chunked, ("Depth", "0"), ("Transfer-Encoding", "chunked"))).Status);
        var names = string.Concat(Enumerable.Range(0, 300).Select(i => $"<a{i}/>"));
        body = Encoding.UTF8.GetBytes($"<propfind xmlns='DAV:'><prop>{names}</prop></propfind>");
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/films", body, ("Depth", "0"))).Status);
    }

    public static TheoryData<string> HardNames =>
    [
        "a b", "100%", "%41", "%2F", "a#b", "a?b=c", "[x]", "(2024)", "a&b", "it's", "\"quoted\"", "a+b", "a;b", "a:b", "a=b,c", "a\\b", "<b>", "`{|}^~",
        "\U0001F600", "o\u0308.mkv", "\u00F6.mkv", "\u65E5\u672C\u8A9E", "\u0627\u0644", ".leading", "trailing.", "...", " ", "\u00A0", "a\tb", "c:\u0001",
        new string('x', 251) + ".mkv", new string('\u65E5', 85),
    ];

    [Theory]
    [MemberData(nameof(HardNames))]
    public async Task DAV_09_every_name_makes_the_round_trip(string name)
    {
        var folder = _store.Root.Add(new StubCollection("n" + name));
        var file = folder.Add(new StubFile(name, new StubContent(77)));
        await using var server = await WebDavServer.StartAsync(_store);
        var self = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/", ("Depth", "1"))).Single(entry => entry.Href.StartsWith("/dav/n", StringComparison.Ordinal));
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", self.Href, ("Depth", "1")));
        Assert.Equal(self.Href, entries[0].Href);
        Assert.StartsWith(self.Href, entries[1].Href, StringComparison.Ordinal);
        Assert.Equal("/dav/n" + name + "/" + name, Uri.UnescapeDataString(entries[1].Href));
        Assert.Equal(name.Replace('\u0001', '\uFFFD'), entries[1].Value("displayname"));
        var response = await server.SendAsync("GET", entries[1].Href);
        Assert.Equal(200, response.Status);
        Assert.Equal(StubBytes.Slice(0, 77), response.Body);
        Assert.Equal(1, file.Opens);

        // The page for people links to the same place, from both forms of the folder's URL.
        foreach (var url in (string[])[self.Href, self.Href.TrimEnd('/')])
        {
            var page = await server.SendAsync("GET", url);
            Assert.Equal(200, page.Status);
            var link = page.Text.Split("href=\"")[2].Split('"')[0];
            Assert.Equal(entries[1].Href, new Uri(new Uri("http://h" + url), link).AbsolutePath, ignoreCase: true);
        }
    }

    [Fact]
    public async Task DAV_10_what_is_missing_stands_in_one_404()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var body = """
            <propfind xmlns="DAV:" xmlns:Z="urn:schemas-microsoft-com:" xmlns:o="http://owncloud.org/ns" xmlns:q="a&amp;b&lt;">
            <prop><nonsense/><getetag/><Z:Win32FileAttributes/><o:size/><o:fileid/><quotaused/><q:x/><bare xmlns=""/></prop></propfind>
            """;
        foreach (var entry in Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", Encoding.UTF8.GetBytes(body), ("Depth", "1"))))
        {
            XNamespace owncloud = "http://owncloud.org/ns";
            XNamespace odd = "a&b<";
            Assert.Equal([Dav + "getetag", owncloud + "size"], entry.Found.Select(property => property.Name));
            Assert.Equal(
                [Dav + "nonsense", XName.Get("Win32FileAttributes", "urn:schemas-microsoft-com:"), owncloud + "fileid", Dav + "quotaused", odd + "x", XName.Get("bare")],
                entry.Missing.Select(property => property.Name));
            Assert.All(entry.Found, property => Assert.NotEmpty(property.Value));
        }
    }

    [Fact]
    public async Task DAV_11_dates_do_not_depend_on_the_culture()
    {
        var hostile = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        hostile.DateTimeFormat.AbbreviatedDayNames = ["Paz", "Pzt", "Sal", "Çar", "Per", "Cum", "Cmt"];
        hostile.DateTimeFormat.AbbreviatedMonthNames = ["Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara", ""];
        hostile.DateTimeFormat.AbbreviatedMonthGenitiveNames = hostile.DateTimeFormat.AbbreviatedMonthNames;
        hostile.DateTimeFormat.TimeSeparator = ".";
        hostile.NumberFormat.NegativeSign = "~";
        hostile.NumberFormat.NumberGroupSeparator = "٬";
        await using var server = await WebDavServer.StartAsync(_store, before: app => app.Use(next => http =>
        {
            CultureInfo.CurrentCulture = hostile;
            return next(http);
        }));
        var entry = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", ("Depth", "0"))).Single();
        Assert.Equal("Fri, 01 Mar 2024 08:09:10 GMT", entry.Value("getlastmodified"));
        Assert.Equal("2024-02-29T12:30:15Z", entry.Value("creationdate"));
        Assert.Equal("1234", entry.Value("getcontentlength"));
        var response = await server.SendAsync("GET", "/dav/films/film.mkv", ("Range", "bytes=-5"));
        Assert.Equal("bytes 1229-1233/1234", response["Content-Range"]);
        Assert.Equal("Fri, 01 Mar 2024 08:09:10 GMT", response["Last-Modified"]);
    }

    [Fact]
    public async Task DAV_12_entries_leave_while_the_store_still_looks()
    {
        var gate = new TaskCompletionSource();
        _store.Root.Add(new StubCollection("slow") { Gate = gate.Task, More = [_film] });
        await using var server = await WebDavServer.StartAsync(_store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("PROPFIND", "/dav/slow", [("Depth", "1"), ("Connection", "close")]);
        var early = await connection.ReadAtLeastAsync(600);
        Assert.Contains("/dav/slow/", Encoding.UTF8.GetString(early), StringComparison.Ordinal);
        gate.SetResult();
        byte[] all = [.. early, .. await connection.ReadToEndAsync()];
        Assert.Equal(2, Listing.Parse(RawResponse.Parse(all, isHead: false)).Count);
    }

    [Fact]
    public async Task DAV_13_quota_by_name_on_collections()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var body = "<propfind xmlns='DAV:'><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>"u8.ToArray();
        var entry = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/", body, ("Depth", "0"))).Single();
        Assert.Equal("1099511627776", entry.Value("quota-available-bytes"));
        Assert.Equal("0", entry.Value("quota-used-bytes"));
        Assert.Empty(entry.Missing);
        entry = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", body, ("Depth", "0"))).Single();
        Assert.Empty(entry.Found);
    }

    [Fact]
    public async Task DAV_14_forwarded_headers_do_not_change_hrefs()
    {
        (string, string)[] forwarded =
        [
            ("Depth", "1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "films.example"), ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Prefix", "/pre fix/"),
        ];
        await using (var server = await WebDavServer.StartAsync(_store))
        {
            var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", forwarded));
            Assert.Equal(["/dav/films/", "/dav/films/extras/", "/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        }

        // Only the prefix counts, and only from a proxy that the host trusts.
        await using (var server = await WebDavServer.StartAsync(
            _store, before: app => app.UseForwardedHeaders(new() { ForwardedHeaders = ForwardedHeaders.All, AllowedHosts = { "films.example" } })))
        {
            var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", forwarded));
            Assert.Equal(
                ["/pre%20fix/dav/films/", "/pre%20fix/dav/films/extras/", "/pre%20fix/dav/films/film.mkv"], entries.Select(entry => entry.Href));
        }
    }

    [Theory]
    [InlineData("/dav/desktop.ini")]
    [InlineData("/dav/films/Desktop.INI")]
    [InlineData("/dav/films/Thumbs.db")]
    [InlineData("/dav/films/AutoRun.inf")]
    [InlineData("/dav/films/.DS_Store")]
    [InlineData("/dav/films/._film.mkv")]
    [InlineData("/dav/films/.hidden")]
    [InlineData("/dav/.metadata_never_index")]
    [InlineData("/dav/.Spotlight-V100/Store")]
    public async Task DAV_15_junk_is_404_without_a_lookup(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var method in (string[])["GET", "HEAD", "PROPFIND"])
            Assert.Equal(404, (await server.SendAsync(method, target, ("Depth", "0"))).Status);
        Assert.Equal(0, _store.Lookups);
    }

    [Theory]
    [InlineData("BREW")]
    [InlineData("POST")]
    [InlineData("PATCH")]
    [InlineData("SEARCH")]
    [InlineData("get")]
    public async Task DAV_16_other_methods_are_405(string method)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var target in (string[])["/dav/", "/dav/films/film.mkv", "/dav/none"])
        {
            var response = await server.SendAsync(method, target);
            Assert.Equal(405, response.Status);
            CheckAllow(response["Allow"]);
        }
    }

    [Fact]
    public async Task DAV_17_folders_answer_all_common_names()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var body = """
            <D:propfind xmlns:D="DAV:"><D:prop><D:displayname/><D:resourcetype/><D:getcontentlength/><D:getcontenttype/><D:getlastmodified/>
            <D:creationdate/><D:getetag/><D:iscollection/><D:supportedlock/><D:lockdiscovery/></D:prop></D:propfind>
            """;
        foreach (var target in (string[])["/dav", "/dav/films"])
        {
            foreach (var entry in Listing.Parse(await server.SendAsync("PROPFIND", target, Encoding.UTF8.GetBytes(body), ("Depth", "1"))))
            {
                var isFolder = entry.Href.EndsWith('/');
                Assert.Empty(entry.Missing);
                Assert.Equal(isFolder ? "0" : "1234", entry.Value("getcontentlength"));
                Assert.Equal(isFolder ? "httpd/unix-directory" : "video/x-matroska", entry.Value("getcontenttype"));
                Assert.Equal(isFolder ? "1" : "0", entry.Value("iscollection"));
                Assert.Matches("^\".+\"$", entry.Value("getetag"));
                Assert.All(entry.Found, property => Assert.True(
                    !property.IsEmpty || property.Name == Dav + "lockdiscovery" || (!isFolder && property.Name == Dav + "resourcetype"), property.ToString()));
            }
        }
    }

    [Fact]
    public async Task DAV_18_no_cookies_and_no_dates_before_1970()
    {
        _folder.Add(new StubFile("old.mkv", new StubContent(5)) { CreatedAt = DateTimeOffset.MinValue, ModifiedAt = DateTimeOffset.MinValue });
        _folder.Add(new StubCollection("older") { CreatedAt = DateTimeOffset.MinValue, ModifiedAt = DateTimeOffset.MinValue });
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var entry in Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", ("Depth", "1"))))
        {
            Assert.InRange(DateTimeOffset.Parse(entry.Value("creationdate"), CultureInfo.InvariantCulture), DateTimeOffset.UnixEpoch, DateTimeOffset.MaxValue);
            Assert.InRange(DateTimeOffset.Parse(entry.Value("getlastmodified"), CultureInfo.InvariantCulture), DateTimeOffset.UnixEpoch, DateTimeOffset.MaxValue);
        }

        var response = await server.SendAsync("GET", "/dav/films/old.mkv");
        Assert.Equal("Thu, 01 Jan 1970 00:00:00 GMT", response["Last-Modified"]);
        Assert.Null(response["Set-Cookie"]);
    }

    [Theory]
    [InlineData("/dav/films/../films/film.mkv")]
    [InlineData("/dav/films/%2e%2E/film.mkv")]
    [InlineData("/dav/./films")]
    [InlineData("/x/../dav/films")]
    [InlineData("/dav/films%2Ffilm.mkv")]
    [InlineData("/dav/films/film%00.mkv")]
    [InlineData("/dav/films/%ff%fe")]
    [InlineData("/dav/films/%zz")]
    [InlineData("/dav/films/%4")]
    [InlineData("/dav/films/film.mkv#part")]
    public async Task Paths_that_play_games_are_400(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(400, (await server.SendAsync("GET", target)).Status);
        Assert.Equal(0, _store.Lookups);
    }

    [Fact]
    public async Task A_collection_has_a_page_and_a_head()
    {
        _folder.Add(new StubFile("<script>alert(1)</script>.mkv", new StubContent(1)));
        await using var server = await WebDavServer.StartAsync(_store);
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

    private static IEnumerable<string> Names(Listing entry) => entry.Found.Select(property => property.Name.LocalName);

    private static void CheckOptions(RawResponse response)
    {
        Assert.Equal(200, response.Status);
        Assert.Equal("1, 2", response["DAV"]);
        Assert.Equal("DAV", response["MS-Author-Via"]);
        Assert.Equal("bytes", response["Accept-Ranges"]);
        Assert.Equal("0", response["Content-Length"]);
        Assert.Null(response["WWW-Authenticate"]);
        CheckAllow(response["Allow"]);
        CheckAllow(response["Public"]);
    }

    private static void CheckAllow(string? allow) => Assert.Equal("OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, PUT, DELETE, MKCOL, COPY, MOVE, LOCK, UNLOCK", allow);
}
