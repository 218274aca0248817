using System.Globalization;
using System.Net;
using NzbDav.Content;

namespace NzbDav.Conformance.Tests;

/// <summary>GET and HEAD of files: ranges and conditions.</summary>
/// <remarks>
/// RNG_01 … 16 are the rows of the table of GET cases in order: 01 no Range, 02 <c>0-</c>, 03 <c>0-1</c>, 04 <c>a-b</c>, 05 <c>a-</c>, 06 <c>-k</c>,
/// 07 a ≥ N, 08 N = 0, 09 malformed, 10 several ranges, 11 If-Range, 12 If-None-Match, 13 If-Modified-Since, 14 If-Match and
/// If-Unmodified-Since, 15 HEAD with Range, 16 source fails or does not answer before the first byte. RNG_17 all of them with HEAD.
/// RNG_18, the strict validator, runs on every 206 (<see cref="StrictRange"/>).
/// </remarks>
public partial class RangeTests
{
    private const long Size = 1_000_003;
    private const string Film = "/dav/film.mkv";
    private const string Modified = "Fri, 01 Mar 2024 08:09:10 GMT";
    private const string ETag = "\"stub-1\"";

    private readonly StubStore _store = new();
    private readonly StubContent _content = new(Size);
    private readonly StubFile _film;

    public RangeTests() => _film = _store.Root.Add(new StubFile("film.mkv", _content));

    [Fact]
    public async Task RNG_01_without_a_range_the_whole_file()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", Film, ("Accept-Encoding", "gzip, br"));
        CheckWhole(response);
        Assert.Equal("bytes", response["Accept-Ranges"]);
        Assert.Equal(ETag, response["ETag"]);
        Assert.Equal(Modified, response["Last-Modified"]);
        Assert.Equal("video/x-matroska", response["Content-Type"]);
        Assert.Equal((0, Size, ReadIntent.Playback), Assert.Single(_content.Readers));
    }

    [Fact]
    public async Task RNG_02_from_zero_on_is_partial()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=0-")), 0, askedEnd: null, Size);
    }

    [Fact]
    public async Task RNG_03_the_first_two_bytes()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=0-1")), 0, 1, Size);
        Assert.Equal((0, 2, ReadIntent.Probe), Assert.Single(_content.Readers));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(100_000, 199_999)]
    [InlineData(99_999, 300_001)]
    [InlineData(500, Size - 1)]
    [InlineData(500, Size)]
    [InlineData(500, Size + 5_000_000_000)]
    [InlineData(Size - 1, Size - 1)]
    public async Task RNG_04_an_exact_range_clamped_to_the_file(long start, long end)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes={start}-{end}")), start, end, Size);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(900_001)]
    [InlineData(Size - 1)]
    public async Task RNG_05_an_open_range_to_the_end(long start)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes={start}-")), start, askedEnd: null, Size);
    }

    [Theory]
    [InlineData(1, Size - 1)]
    [InlineData(65_536, Size - 65_536)]
    [InlineData(Size, 0)]
    [InlineData(Size + 1, 0)]
    public async Task RNG_06_a_suffix(long suffix, long start)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes=-{suffix}")), start, askedEnd: null, Size);
    }

    [Theory]
    [InlineData("bytes=-0")]
    [InlineData("bytes=1000003-")]
    [InlineData("bytes=1000003-1000004")]
    [InlineData("bytes=9000000000000000000-")]
    [InlineData("bytes=1000003-,-0")]
    public async Task RNG_07_outside_the_file_is_416_and_tells_the_size(string range)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", Film, ("Range", range));
        Assert.Equal(416, response.Status);
        Assert.Equal($"bytes */{Size}", response["Content-Range"]);
        Assert.Equal("0", response["Content-Length"]);
        Assert.True(response.IsComplete);
        Assert.Equal(0, _film.Opens);
    }

    [Theory]
    [InlineData(null, 200)]
    [InlineData("bytes=0-", 416)]
    [InlineData("bytes=-1", 416)]
    public async Task RNG_08_an_empty_file(string? range, int status)
    {
        var empty = _store.Root.Add(new StubFile("empty.txt", new StubContent(0)));
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", "/dav/empty.txt", range is null ? [] : [("Range", range)]);
        Assert.Equal(status, response.Status);
        Assert.Equal("0", response["Content-Length"]);
        Assert.Equal(status == 416 ? "bytes */0" : null, response["Content-Range"]);
        Assert.True(response.IsComplete);
        Assert.Equal(0, empty.Opens);
    }

    [Theory]
    [InlineData("bytes=5-2")]
    [InlineData("bytes=abc")]
    [InlineData("bytes=-")]
    [InlineData("bytes=")]
    [InlineData("bytes=,")]
    [InlineData("bytes")]
    [InlineData("bytes=1")]
    [InlineData("bytes=--1")]
    [InlineData("bytes=+1-2")]
    [InlineData("bytes=1-2-3")]
    [InlineData("bytes=0-1,x")]
    [InlineData("bytes=0x10-0x20")]
    [InlineData("bytes=99999999999999999999-")]
    [InlineData("bytes=0-99999999999999999999")]
    [InlineData("bytes=-99999999999999999999")]
    [InlineData("items=0-1")]
    [InlineData("0-1")]
    public async Task RNG_09_a_malformed_range_is_ignored(string range)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        CheckWhole(await server.SendAsync("GET", Film, ("Range", range)));
    }

    [Fact]
    public async Task RNG_09_two_range_headers_are_ignored()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        CheckWhole(await server.SendAsync("GET", Film, ("Range", "bytes=0-1"), ("Range", "bytes=5-6")));
    }

    [Fact]
    public async Task RNG_10_several_ranges_come_as_multipart_or_merged()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var parts = MultipartBody.Parse(await server.SendAsync("GET", Film, ("Range", "bytes=5-9,0-1, -3")), Size);
        Assert.Equal([(5, 10), (0, 2), (Size - 3, Size)], parts);

        // What overlaps or touches is one part; one part needs no multipart.
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=10-19,0-9,5-12")), 0, 19, Size);

        // What lies outside is left out.
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=7-8,2000000-")), 7, 8, Size);
    }

    [Theory]
    [InlineData(ETag, 206)]
    [InlineData("\"stub-2\"", 200)]
    [InlineData("W/\"stub-1\"", 200)]
    [InlineData("*", 200)]
    [InlineData(Modified, 206)]
    [InlineData("Fri, 01 Mar 2024 08:09:11 GMT", 200)]
    [InlineData("Fri, 01 Mar 2024 08:09:09 GMT", 200)]
    [InlineData("garbage", 200)]
    public async Task RNG_11_if_range(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", Film, ("Range", "bytes=3-4"), ("If-Range", value));
        if (status == 206)
            StrictRange.Check(response, 3, 4, Size);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData(ETag, 304)]
    [InlineData("*", 304)]
    [InlineData("W/\"stub-1\"", 304)]
    [InlineData("\"a\", \"b,c\" ,\"stub-1\"", 304)]
    [InlineData("\"a\", W/\"stub-1\"", 304)]
    [InlineData("\"a\", \"b\"", 200)]
    [InlineData("\"stub-1", 200)]
    public async Task RNG_12_if_none_match(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);

        // If-Modified-Since alone would say the opposite each time.
        var response = await server.SendAsync(
            "GET", Film, ("If-None-Match", value), ("If-Modified-Since", status == 304 ? "Sat, 01 Jan 2000 00:00:00 GMT" : Modified));
        if (status == 304)
            CheckNotModified(response);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData(Modified, 304)]
    [InlineData("Sat, 01 Mar 2025 00:00:00 GMT", 304)]
    [InlineData("Friday, 01-Mar-24 08:09:10 GMT", 304)]
    [InlineData("Fri, 01 Mar 2024 08:09:09 GMT", 200)]
    [InlineData("yesterday", 200)]
    public async Task RNG_13_if_modified_since(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", Film, ("If-Modified-Since", value));
        if (status == 304)
            CheckNotModified(response);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData("If-Match", ETag, 206)]
    [InlineData("If-Match", "*", 206)]
    [InlineData("If-Match", "\"x\", \"stub-1\"", 206)]
    [InlineData("If-Match", "stub-1", 206)]
    [InlineData("If-Match", "\"x\"", 412)]
    [InlineData("If-Match", "W/\"stub-1\"", 412)]
    [InlineData("If-Unmodified-Since", Modified, 206)]
    [InlineData("If-Unmodified-Since", "Sat, 01 Mar 2025 00:00:00 GMT", 206)]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", 412)]
    [InlineData("If-Unmodified-Since", "garbage", 206)]
    public async Task RNG_14_if_match_and_if_unmodified_since(string header, string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("GET", Film, ("Range", "bytes=7-"), (header, value));
        if (status == 206)
        {
            StrictRange.Check(response, 7, askedEnd: null, Size);
            return;
        }

        Assert.Equal(412, response.Status);
        Assert.True(response.IsComplete);
        Assert.Equal(0, _film.Opens);
    }

    [Fact]
    public async Task RNG_14_if_match_precedes_if_unmodified_since()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        CheckWhole(await server.SendAsync("GET", Film, ("If-Match", ETag), ("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")));
    }

    [Fact]
    public async Task RNG_15_head_ignores_the_range()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        CheckHead(await server.SendAsync("HEAD", Film, ("Range", "bytes=0-1")), 200);
    }

    [Theory]
    [InlineData(ContentFault.Missing, 404)]
    [InlineData(ContentFault.Corrupt, 404)]
    [InlineData(ContentFault.Unavailable, 503)]
    public async Task RNG_16_a_fault_before_the_first_byte_has_a_status(ContentFault fault, int status)
    {
        _content.FaultAt = 0;
        _content.Fault = fault;
        _store.Root.Add(new StubFile("unopened.mkv", new StubContent(100)) { OpenFault = fault });
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var path in (string[])[Film, "/dav/unopened.mkv"])
        {
            var response = await server.SendAsync("GET", path, ("Range", "bytes=5-"));
            Assert.Equal(status, response.Status);
            Assert.StartsWith("text/plain", response["Content-Type"], StringComparison.Ordinal);
            Assert.Contains("stubbed", response.Text, StringComparison.Ordinal);
            Assert.Equal(status == 503 ? "5" : null, response["Retry-After"]);
            Assert.Null(response["Content-Range"]);
            Assert.True(response.IsComplete);
        }

        Assert.Equal(0, _content.Open);
    }

    [Fact]
    public async Task RNG_16_a_source_that_does_not_answer_is_503_in_time()
    {
        var slow = new StubContent(Size) { HangAt = 0 };
        _store.Root.Add(new StubFile("slow.mkv", slow));
        await using var server = await WebDavServer.StartAsync(_store);
        var sending = server.SendAsync("GET", "/dav/slow.mkv");
        await slow.Hanging.WaitAsync();
        server.Clock.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal(1, slow.Open);
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        var response = await sending;
        Assert.Equal(503, response.Status);
        Assert.Equal("5", response["Retry-After"]);
        Assert.Equal(0, slow.Open);
    }

    [Theory]
    [InlineData("Range", "bytes=0-", 200)]
    [InlineData("Range", "bytes=0-1", 200)]
    [InlineData("Range", "bytes=-5", 200)]
    [InlineData("Range", "bytes=2000000-", 200)]
    [InlineData("Range", "bytes=abc", 200)]
    [InlineData("Range", "bytes=0-1,5-9", 200)]
    [InlineData("If-Range", ETag, 200)]
    [InlineData("If-None-Match", ETag, 304)]
    [InlineData("If-None-Match", "\"x\"", 200)]
    [InlineData("If-Modified-Since", Modified, 304)]
    [InlineData("If-Match", ETag, 200)]
    [InlineData("If-Match", "\"x\"", 412)]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", 412)]
    [InlineData("Depth", "0", 200)]
    public async Task RNG_17_head_opens_nothing(string header, string value, int status)
    {
        _content.FaultAt = 0;
        await using var server = await WebDavServer.StartAsync(_store);
        CheckHead(await server.SendAsync("HEAD", Film, (header, value)), status);
        CheckHead(await server.SendAsync("HEAD", Film), 200);
    }

    [Fact]
    public async Task RNG_19_listing_head_and_content_range_agree_on_the_size()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var listed = Listing.Parse(await server.SendAsync("PROPFIND", Film, ("Depth", "0"))).Single();
        var head = await server.SendAsync("HEAD", Film);
        var partial = await server.SendAsync("GET", Film, ("Range", "bytes=0-"));
        var size = Size.ToString(CultureInfo.InvariantCulture);
        Assert.Equal(size, listed.Value("getcontentlength"));
        Assert.Equal(size, head["Content-Length"]);
        Assert.Equal(size, partial["Content-Range"]!.Split('/')[1]);
        Assert.Equal(listed.Value("getetag"), head["ETag"]);
        Assert.Equal(listed.Value("getlastmodified"), head["Last-Modified"]);
        Assert.Equal(listed.Value("getcontenttype"), head["Content-Type"]);
    }

    private static void CheckWhole(RawResponse response)
    {
        Assert.Equal(200, response.Status);
        Assert.Equal(Size.ToString(CultureInfo.InvariantCulture), response["Content-Length"]);
        Assert.Null(response["Content-Range"]);
        Assert.Null(response["Content-Encoding"]);
        Assert.True(response.IsComplete);
        Assert.Equal(StubBytes.Slice(0, Size), response.Body);
    }

    private void CheckNotModified(RawResponse response)
    {
        Assert.Equal(304, response.Status);
        Assert.Equal(ETag, response["ETag"]);
        Assert.Empty(response.Body);
        Assert.True(response["Content-Length"] is null or "0");
        Assert.Equal(0, _film.Opens);
    }

    private void CheckHead(RawResponse response, int status)
    {
        Assert.Equal(status, response.Status);
        Assert.Empty(response.Body);
        Assert.Null(response["Content-Range"]);
        Assert.Equal(0, _film.Opens);
        Assert.Equal(0, _content.Opened);
        if (status == 200)
        {
            Assert.Equal(Size.ToString(CultureInfo.InvariantCulture), response["Content-Length"]);
            Assert.Equal(ETag, response["ETag"]);
            Assert.Equal(Modified, response["Last-Modified"]);
            Assert.Equal("bytes", response["Accept-Ranges"]);
            Assert.Equal("video/x-matroska", response["Content-Type"]);
        }
    }
}
