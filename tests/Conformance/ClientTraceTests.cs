using System.Globalization;
using System.Text;
using System.Xml.Linq;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests;

/// <summary>
/// Replays what clients send, request by request, taken from their sources and from descriptions of recorded traffic. The answers are
/// checked as those clients check them.
/// </summary>
public class ClientTraceTests
{
    private const string Windows = "Microsoft-WebDAV-MiniRedir/10.0.19045";
    private const string Finder = "WebDAVFS/3.0.0 (03008000) Darwin/23.6.0 (arm64)";

    [Theory]
    [InlineData("/dav/s/New%20Text%20Document.txt")]
    [InlineData("/dav/drop/Some%20Show.nzb")]
    public async Task WRT_03_windows_creates_a_file(string target)
    {
        await using var server = await ScratchServer.StartAsync();
        (string, string)[] agent = [("User-Agent", Windows), ("translate", "f")];

        // Probes the root of the server, and remembers a refusal until the client is restarted.
        var options = await server.SendAsync("OPTIONS", "/", "", agent);
        Assert.Equal(200, options.Status);
        Assert.Contains("2", options["DAV"], StringComparison.Ordinal);
        Assert.Equal("DAV", options["MS-Author-Via"]);
        Assert.Equal(207, await server.StatusAsync("PROPFIND", "/dav", "", [("Depth", "0"), ("Content-Length", "0"), .. agent]));
        Assert.Equal(404, await server.StatusAsync("PROPFIND", target, "", [("Depth", "0"), ("Content-Length", "0"), .. agent]));
        Assert.Equal(201, await server.StatusAsync("PUT", target, "", [("Content-Length", "0"), .. agent]));

        const string LockInfo =
            "<?xml version=\"1.0\" encoding=\"utf-8\" ?><D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope>" +
            "<D:locktype><D:write/></D:locktype><D:owner><D:href>HOST\\user</D:href></D:owner></D:lockinfo>";
        var locked = await server.SendAsync("LOCK", target, LockInfo, [("Timeout", "Second-3600"), .. agent]);
        Assert.Equal(200, locked.Status);
        var token = locked["Lock-Token"]!;
        const string Patch =
            "<?xml version=\"1.0\" encoding=\"utf-8\" ?><D:propertyupdate xmlns:D=\"DAV:\" " +
            "xmlns:Z=\"urn:schemas-microsoft-com:\"><D:set><D:prop>" +
            "<Z:Win32CreationTime>Fri, 20 Nov 2026 21:00:00 GMT</Z:Win32CreationTime><Z:Win32LastAccessTime>Fri, 20 Nov 2026 21:00:00 " +
            "GMT</Z:Win32LastAccessTime>" +
            "<Z:Win32LastModifiedTime>Fri, 20 Nov 2026 21:00:00 " +
            "GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000000</Z:Win32FileAttributes>" +
            "</D:prop></D:set></D:propertyupdate>";
        CheckPatched(await server.SendAsync("PROPPATCH", target, Patch, [("If", $"({token})"), .. agent]), 4);
        Assert.Equal(200, await server.StatusAsync("HEAD", target, "", agent));
        Assert.Equal(204, await server.StatusAsync("PUT", target, "what it holds", [("If", $"({token})"), .. agent]));
        CheckPatched(await server.SendAsync("PROPPATCH", target, Patch, [("If", $"({token})"), .. agent]), 4);
        Assert.Equal(204, await server.StatusAsync("UNLOCK", target, "", [("Lock-Token", token), .. agent]));
        Assert.Equal("what it holds", (await server.SendAsync("GET", target, "", agent)).Text);
        Assert.Equal(204, await server.StatusAsync("DELETE", target, "", agent));
    }

    [Theory]
    [InlineData("/dav/s/", "Some%20Show.nzb")]
    public async Task WRT_04_finder_creates_a_file_and_its_companion_file(string folder, string name)
    {
        await using var server = await ScratchServer.StartAsync();
        (string, string)[] agent = [("User-Agent", Finder), ("Accept", "*/*")];
        const string Stat =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:propfind xmlns:D=\"DAV:\">\n<D:prop>\n<D:getlastmodified/>\n<D:getcontentlength/>\n<D:creationdate/>\n<D:resourcetype/>\n</D:prop>\n</D:propfind>\n";
        const string LockInfo =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:lockinfo " +
            "xmlns:D=\"DAV:\">\n<D:lockscope><D:exclusive/></D:lockscope>\n<D:locktype><D:write/></D:locktype>\n" +
            "<D:owner>\n<D:href>http://www.apple.com/webdav_fs/</D:href>\n</D:owner>\n</D:lockinfo>\n";
        Assert.Equal(200, await server.StatusAsync("OPTIONS", folder, "", agent));
        Assert.Equal(207, await server.StatusAsync("PROPFIND", folder, Stat, [("Depth", "0"), .. agent]));
        var quota = Listing.Parse(await server.SendAsync(
            "PROPFIND", folder, "<D:propfind xmlns:D='DAV:'><D:prop><D:quota-available-bytes/><D:quota-used-bytes/><D:quota/><D:quotaused/></D:prop></D:propfind>", [("Depth", "0"), .. agent])).Single();
        Assert.Empty(quota.Found);
        Assert.Equal(4, quota.Missing.Count);

        foreach (var target in (string[])[folder + name, folder + "._" + name])
        {
            Assert.Equal(404, await server.StatusAsync("PROPFIND", target, Stat, [("Depth", "0"), .. agent]));
            var locked = await server.SendAsync("LOCK", target, LockInfo, [("Depth", "0"), ("Timeout", "Second-600"), .. agent]);
            Assert.Equal(201, locked.Status);
            var token = locked["Lock-Token"]!;
            Assert.Equal("0", Listing.Parse(await server.SendAsync("PROPFIND", target, Stat, [("Depth", "0"), .. agent])).Single()
                .Value("getcontentlength"));

            // A chunked body, with the length only in a header of its own.
            Assert.Equal(204, await server.StatusAsync(
                "PUT", target, "5\r\nhello\r\n0\r\n\r\n",
                [("If", $"({token})"), ("Transfer-Encoding", "chunked"), ("X-Expected-Entity-Length", "5"), .. agent]));
            Assert.Equal("5", Listing.Parse(await server.SendAsync("PROPFIND", target, Stat, [("Depth", "0"), .. agent])).Single()
                .Value("getcontentlength"));
            Assert.Equal(200, await server.StatusAsync("LOCK", target, "", [("If", $"({token})"), ("Timeout", "Second-600"), .. agent]));
            Assert.Equal(204, await server.StatusAsync("UNLOCK", target, "", [("Lock-Token", token), .. agent]));
            Assert.Equal("hello", (await server.SendAsync("GET", target, "", agent)).Text);
        }

        // In other folders Finder looks for its own files in vain, and often.
        Assert.Equal(404, await server.StatusAsync("PROPFIND", "/dav/films/._film.mkv", Stat, [("Depth", "0"), .. agent]));
    }

    [Fact]
    public async Task CLI_06_finder_mounts_and_plays()
    {
        await using var server = await ScratchServer.StartAsync();
        (string, string)[] agent = [("User-Agent", Finder)];
        var entries = Listing.Parse(await server.SendAsync("PROPFIND", "/dav/films/", "", [("Depth", "1"), .. agent]));
        Assert.All(entries, entry =>
        {
            // mount_webdav gives up over any of these.
            Assert.StartsWith("/dav/films/", entry.Href, StringComparison.Ordinal);
            Assert.True(
                DateTimeOffset.ParseExact(entry.Value("getlastmodified"), "R", CultureInfo.InvariantCulture) >= DateTimeOffset.UnixEpoch);
            Assert.True(DateTimeOffset.Parse(entry.Value("creationdate"), CultureInfo.InvariantCulture) >= DateTimeOffset.UnixEpoch);
        });

        // Several readers of one file at once.
        var parts = await Task.WhenAll(Enumerable.Range(0, 4).Select(i =>
            server.SendAsync("GET", "/dav/films/film.mkv", "", [("Range", $"bytes={i * 250}-{(i * 250) + 249}"), .. agent])));
        for (var i = 0; i < 4; i++)
            StrictRange.Check(parts[i], i * 250, (i * 250) + 249, 1000);
    }

    [Fact]
    public async Task CLI_06_kodi_lists_and_plays()
    {
        await using var server = await ScratchServer.StartAsync();
        const string Body =
            "<?xml version=\"1.0\" encoding=\"utf-8\" ?>   <D:propfind xmlns:D=\"DAV:\">     <D:prop>       <D:resourcetype/>       " +
            "<D:getcontentlength/>       <D:getlastmodified/>       <D:creationdate/>       <D:displayname/>     </D:prop>   </D:propfind>";
        var answer = await server.SendAsync("PROPFIND", "/dav/films/", Body, ("Depth", "1"),
            ("Content-Type", "text/xml; charset=\"utf-8\""), ("translate", "f"), ("User-Agent", "Kodi/20.2"));
        var entries = Listing.Parse(answer);

        // Reads the text of each first child without checking that there is one, and compares the status as a string.
        foreach (var entry in entries)
        {
            Assert.Empty(entry.Missing);
            Assert.NotEmpty(entry.Value("displayname"));
            Assert.NotEmpty(entry.Value("getcontentlength"));
            Assert.NotEmpty(entry.Value("getlastmodified"));
        }

        Assert.Equal(XName.Get("collection", "DAV:"),
            entries[0].Found.Single(property => property.Name.LocalName == "resourcetype").Elements().Single().Name);
        Assert.Equal(200, await server.StatusAsync("HEAD", entries[1].Href, "", ("User-Agent", "Kodi/20.2")));
        StrictRange.Check(
            await server.SendAsync("GET", entries[1].Href, "", ("Range", "bytes=0-"), ("User-Agent", "Kodi/20.2")), 0, null, 1000);
        StrictRange.Check(
            await server.SendAsync("GET", entries[1].Href, "", ("Range", "bytes=900-"), ("User-Agent", "Kodi/20.2")), 900, null, 1000);
    }

    [Fact]
    public async Task CLI_06_infuse_lists_and_plays()
    {
        await using var server = await ScratchServer.StartAsync();
        Assert.Equal(200, await server.StatusAsync("OPTIONS", "/", "", ("User-Agent", "Infuse-Direct/7.6")));
        const string Body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:propfind xmlns:D=\"DAV:\"><D:prop><D:displayname/><D:getcontentlength/><D:getlastmodified/><D:resourcetype/><D:creationdate/><D:iscollection/><D:getcontenttype/></D:prop></D:propfind>";
        foreach (var entry in Listing.Parse(
            await server.SendAsync("PROPFIND", "/dav/", Body, ("Depth", "1"), ("User-Agent", "Infuse-Direct/7.6"))))
        {
            // A folder with a missing property is shown as a file.
            Assert.Empty(entry.Missing);
            Assert.Equal("1", entry.Value("iscollection"));
        }

        var film = Listing.Parse(
            await server.SendAsync("PROPFIND", "/dav/films", Body, ("Depth", "1"), ("User-Agent", "Infuse-Direct/7.6")))[1];
        Assert.Equal("0", film.Value("iscollection"));

        // The probe of AVPlayer, then many short ranges.
        StrictRange.Check(await server.SendAsync("GET", film.Href, "", ("Range", "bytes=0-1")), 0, 1, 1000);
        for (var at = 0; at < 1000; at += 100)
            StrictRange.Check(await server.SendAsync("GET", film.Href, "", ("Range", $"bytes={at}-{at + 99}")), at, at + 99, 1000);
    }

    [Fact]
    public async Task CLI_06_windows_lists_and_reads()
    {
        await using var server = await ScratchServer.StartAsync();
        (string, string)[] agent = [("User-Agent", Windows), ("translate", "f")];
        var entries = Listing.Parse(
            await server.SendAsync("PROPFIND", "/dav/films", "", [("Depth", "1"), ("Content-Length", "0"), .. agent]));
        Assert.Equal(2, entries.Count);
        Assert.Equal(
            404, await server.StatusAsync("PROPFIND", "/dav/films/desktop.ini", "", [("Depth", "0"), ("Content-Length", "0"), .. agent]));
        Assert.Equal(
            404, await server.StatusAsync("PROPFIND", "/dav/films/AutoRun.inf", "", [("Depth", "0"), ("Content-Length", "0"), .. agent]));
        var got = await server.SendAsync("GET", "/dav/films/film.mkv", "", agent);
        Assert.Equal(StubBytes.Slice(0, 1000), got.Body);
    }

    [Fact]
    public async Task CLI_04_vlc_seeks_with_if_match()
    {
        await using var server = await ScratchServer.StartAsync();
        var first = await server.SendAsync(
            "GET", "/dav/films/film.mkv", "", ("Range", "bytes=0-"), ("User-Agent", "VLC/3.0.20 LibVLC/3.0.20"));
        StrictRange.Check(first, 0, null, 1000);
        Assert.Equal("bytes", first["Accept-Ranges"]);

        // Strips the weak mark and sends the tag with every seek.
        var tag = first["ETag"]!;
        Assert.StartsWith("\"", tag, StringComparison.Ordinal);
        foreach (var at in (int[])[990, 10, 500, 999])
            StrictRange.Check(await server.SendAsync("GET", "/dav/films/film.mkv", "", ("Range", $"bytes={at}-"), ("If-Match", tag),
                ("If-Unmodified-Since", first["Last-Modified"]!)), at, null, 1000);
        var past = await server.SendAsync("GET", "/dav/films/film.mkv", "", ("Range", "bytes=1000-"), ("If-Match", tag));
        Assert.Equal("bytes */1000", past["Content-Range"]);
    }

    [Fact]
    public async Task CLI_02_rclone_reads_one_file_in_parallel_chunks()
    {
        // --vfs-read-chunk-streams 4: equal chunks side by side, each after a PROPFIND of its own, with Depth and Referer on the GET.
        await using var server = await ScratchServer.StartAsync();
        const int Chunk = 130;
        var whole = new byte[1000];
        await Parallel.ForEachAsync(Enumerable.Range(0, 8), new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (i, _) =>
        {
            var stat = Listing.Parse(
                await server.SendAsync("PROPFIND", "/dav/films/film.mkv", "", ("Depth", "0"), ("User-Agent", "rclone/v1.70.0"))).Single();
            var size = long.Parse(stat.Value("getcontentlength"), CultureInfo.InvariantCulture);
            var start = i * Chunk;

            // Off by one at the end of the file, like its range fixer.
            var end = Math.Min(start + Chunk - 1, size);
            var got = await server.SendAsync(
                "GET", "/dav/films/film.mkv", "", ("Range", $"bytes={start}-{end}"), ("Depth", "0"), ("Referer", "http://127.0.0.1/dav/"),
                ("User-Agent", "rclone/v1.70.0"));
            StrictRange.Check(got, start, end, size);
            got.Body.CopyTo(whole, start);
        });
        Assert.Equal(StubBytes.Slice(0, 1000), whole);
    }

    [Fact]
    public async Task CLI_05_davfs2_locks_before_it_writes()
    {
        await using var server = await ScratchServer.StartAsync();
        Assert.Contains("1", (await server.SendAsync("OPTIONS", "/dav/s/"))["DAV"], StringComparison.Ordinal);
        const string LockInfo =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<lockinfo xmlns='DAV:'>\n " +
            "<lockscope><exclusive/></lockscope>\n<locktype><write/></locktype><owner>me@host</owner>\n</lockinfo>\n";
        var locked = await server.SendAsync("LOCK", "/dav/s/new.txt", LockInfo, ("Depth", "0"), ("Timeout", "Second-1800"));
        Assert.Equal(201, locked.Status);
        Assert.Equal(204, await server.StatusAsync(
            "PUT", "/dav/s/new.txt", "bytes", ("If", $"<http://127.0.0.1/dav/s/new.txt> ({locked["Lock-Token"]})")));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "/dav/s/new.txt", "", ("Lock-Token", locked["Lock-Token"]!)));
        Assert.Equal(412, await server.StatusAsync("PUT", "/dav/s/new.txt", "other", ("If-None-Match", "*")));
        var got = await server.SendAsync("GET", "/dav/s/new.txt");
        Assert.Equal("bytes", got.Text);
        Assert.Equal(304, await server.StatusAsync(
            "GET", "/dav/s/new.txt", "", ("If-None-Match", got["ETag"]!), ("If-Modified-Since", got["Last-Modified"]!)));
    }

    [Fact]
    public async Task CLI_05_gvfs_asks_by_name_and_reads_in_ranges()
    {
        await using var server = await ScratchServer.StartAsync();
        const string Body =
            "<?xml version=\"1.0\" encoding=\"utf-8\" ?><D:propfind xmlns:D=\"DAV:\"><D:prop><D:creationdate/><D:displayname/><D:getcontentlength/><D:getcontenttype/><D:getetag/><D:getlastmodified/><D:resourcetype/></D:prop></D:propfind>";
        foreach (var depth in (string[])["0", "1"])
        {
            foreach (var entry in Listing.Parse(
                await server.SendAsync("PROPFIND", "/dav/films", Body, ("Depth", depth), ("User-Agent", "gvfs/1.50.3"))))
                Assert.Empty(entry.Missing);
        }

        Assert.Equal(207, await server.StatusAsync(
            "PROPFIND", "/dav/films",
            "<D:propfind xmlns:D='DAV:'><D:prop><D:quota-available-bytes/><D:quota-used-bytes/></D:prop></D:propfind>",
            ("Depth", "0")));
        StrictRange.Check(await server.SendAsync("GET", "/dav/films/film.mkv", "", ("Range", "bytes=100-355")), 100, 355, 1000);
    }

    private static void CheckPatched(RawResponse answer, int properties)
    {
        Assert.Equal(207, answer.Status);
        var stat = Assert.Single(XDocument.Parse(answer.Text).Descendants(Listing.Dav + "propstat"));
        Assert.Equal("HTTP/1.1 200 OK", stat.Element(Listing.Dav + "status")!.Value);
        Assert.Equal(properties, stat.Element(Listing.Dav + "prop")!.Elements().Count());
        Assert.Equal("application/xml; charset=\"utf-8\"", answer["Content-Type"]);
        Assert.Equal(answer.Body.Length, Encoding.UTF8.GetByteCount(answer.Text));
    }
}
