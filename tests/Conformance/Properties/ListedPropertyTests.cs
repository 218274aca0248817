using System.Globalization;
using System.Text;
using System.Xml.Linq;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests.Properties;

/// <summary>The properties that the body of a PROPFIND asks for, and those that the answer has.</summary>
public sealed class ListedPropertyTests
{
    private static readonly XNamespace Dav = Listing.Dav;

    private readonly FilmStore _films = new();

    [Fact]
    public async Task DAV_07_propfind_accepts_every_form_of_body()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var all = Names(await AskAsync(""));
        Assert.Equal(
            ["creationdate", "displayname", "getcontentlength", "getcontenttype", "getetag", "getlastmodified", "resourcetype"], all);
        Assert.Equal(all, Names(await AskAsync("<propfind xmlns='DAV:'><allprop/></propfind>")));
        Assert.Equal(all, Names(await AskAsync("<propfind xmlns='DAV:'><allprop/></propfind>", chunked: true)));
        Assert.Equal(
            new List<string>([.. all, "lockdiscovery", "supportedlock"]).Order(),
            Names(await AskAsync("<propfind xmlns='DAV:'><allprop/><include><supportedlock/><lockdiscovery/></include></propfind>"))
                .Order());
        Assert.Equal(
            ["getetag", "displayname"],
            Names(await AskAsync("<D:propfind xmlns:D='DAV:'><D:prop><D:getetag/><D:displayname/><D:getetag/></D:prop></D:propfind>")));
        Assert.Equal(
            ["resourcetype"],
            Names(await AskAsync("<propfind xmlns='DAV:'><prop><resourcetype/></prop></propfind>", encoding: Encoding.Unicode)));
        Assert.Equal(
            ["resourcetype"],
            Names(await AskAsync(
                "<propfind xmlns='DAV:'><x xmlns='urn:other'><y/></x><prop><!-- ? " +
                "--><resourcetype>text</resourcetype></prop></propfind>")));

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
        await using var server = await WebDavServer.StartAsync(_films.Store);
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/films", Encoding.UTF8.GetBytes(body), ("Depth", "0"))).Status);
        Assert.Equal(0, _films.Store.Lookups);
    }

    [Fact]
    public async Task DAV_08_large_bodies_are_413()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var padding = new string(' ', 1 << 20);
        var body = Encoding.UTF8.GetBytes($"<propfind xmlns='DAV:'>{padding}<allprop/></propfind>");
        Assert.Equal(413, (await server.SendAsync("PROPFIND", "/dav/films", body, ("Depth", "0"))).Status);
        byte[] chunked = [.. Encoding.ASCII.GetBytes($"{body.Length:X}\r\n"), .. body, .. "\r\n0\r\n\r\n"u8];
        Assert.Equal(
            413, (await server.SendAsync("PROPFIND", "/dav/films", chunked, ("Depth", "0"), ("Transfer-Encoding", "chunked"))).Status);
        var names = string.Concat(Enumerable.Range(0, 300).Select(i => $"<a{i}/>"));
        body = Encoding.UTF8.GetBytes($"<propfind xmlns='DAV:'><prop>{names}</prop></propfind>");
        Assert.Equal(400, (await server.SendAsync("PROPFIND", "/dav/films", body, ("Depth", "0"))).Status);
    }

    [Fact]
    public async Task DAV_10_missing_properties_are_in_one_404_propstat()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
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
                [Dav + "nonsense", XName.Get("Win32FileAttributes", "urn:schemas-microsoft-com:"), owncloud + "fileid", Dav + "quotaused",
                    odd + "x", XName.Get("bare")],
                entry.Missing.Select(property => property.Name));
            Assert.All(entry.Found, property => Assert.NotEmpty(property.Value));
        }
    }

    [Fact]
    public async Task DAV_11_dates_do_not_depend_on_the_culture()
    {
        var hostile = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        hostile.DateTimeFormat.AbbreviatedDayNames = ["Paz", "Pzt", "Sal", "Çar", "Per", "Cum", "Cmt"];
        hostile.DateTimeFormat.AbbreviatedMonthNames = [
            "Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara", ""];
        hostile.DateTimeFormat.AbbreviatedMonthGenitiveNames = hostile.DateTimeFormat.AbbreviatedMonthNames;
        hostile.DateTimeFormat.TimeSeparator = ".";
        hostile.NumberFormat.NegativeSign = "~";
        hostile.NumberFormat.NumberGroupSeparator = "٬";
        await using var server = await WebDavServer.StartAsync(_films.Store, before: app => app.Use(next => http =>
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
    public async Task DAV_13_quota_by_name_on_collections()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var body = "<propfind xmlns='DAV:'><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>"u8.ToArray();
        var entry = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/", body, ("Depth", "0"))).Single();
        Assert.Equal("1099511627776", entry.Value("quota-available-bytes"));
        Assert.Equal("0", entry.Value("quota-used-bytes"));
        Assert.Empty(entry.Missing);
        entry = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/film.mkv", body, ("Depth", "0"))).Single();
        Assert.Empty(entry.Found);
    }

    [Fact]
    public async Task DAV_17_folders_return_all_common_properties()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
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
                    !property.IsEmpty || property.Name == Dav + "lockdiscovery"
                        || (!isFolder && property.Name == Dav + "resourcetype"), property.ToString()));
            }
        }
    }

    [Fact]
    public async Task DAV_18_no_cookies_and_no_dates_before_1970()
    {
        _films.Folder.Add(
            new StubFile("old.mkv", new StubContent(5)) { CreatedAt = DateTimeOffset.MinValue, ModifiedAt = DateTimeOffset.MinValue });
        _films.Folder.Add(new StubCollection("older") { CreatedAt = DateTimeOffset.MinValue, ModifiedAt = DateTimeOffset.MinValue });
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var entry in Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films", ("Depth", "1"))))
        {
            Assert.InRange(DateTimeOffset.Parse(entry.Value("creationdate"), CultureInfo.InvariantCulture), DateTimeOffset.UnixEpoch,
                DateTimeOffset.MaxValue);
            Assert.InRange(DateTimeOffset.Parse(entry.Value("getlastmodified"), CultureInfo.InvariantCulture), DateTimeOffset.UnixEpoch,
                DateTimeOffset.MaxValue);
        }

        var response = await server.SendAsync("GET", "/dav/films/old.mkv");
        Assert.Equal("Thu, 01 Jan 1970 00:00:00 GMT", response["Last-Modified"]);
        Assert.Null(response["Set-Cookie"]);
    }

    private static IEnumerable<string> Names(Listing entry) => entry.Found.Select(property => property.Name.LocalName);
}
