using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Content;
using static NzbDav.Conformance.Tests.Files.FilmStore;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>GET with a range, without one, and with an invalid one.</summary>
public sealed class RangeTests
{
    private readonly FilmStore _films = new();

    [Fact]
    public async Task RNG_01_without_a_range_the_whole_file_is_sent()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", Film, ("Accept-Encoding", "gzip, br"));
        CheckWhole(response);
        Assert.Equal("bytes", response["Accept-Ranges"]);
        Assert.Equal(ETag, response["ETag"]);
        Assert.Equal(Modified, response["Last-Modified"]);
        Assert.Equal("video/x-matroska", response["Content-Type"]);
        Assert.Equal((0, Size, ReadIntent.Playback), Assert.Single(_films.Content.Readers));
    }

    [Fact]
    public async Task RNG_02_a_range_from_zero_is_still_206()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=0-")), 0, askedEnd: null, Size);
    }

    [Fact]
    public async Task RNG_03_the_first_two_bytes()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=0-1")), 0, 1, Size);
        Assert.Equal((0, 2, ReadIntent.Probe), Assert.Single(_films.Content.Readers));
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
        await using var server = await WebDavServer.StartAsync(_films.Store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes={start}-{end}")), start, end, Size);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(900_001)]
    [InlineData(Size - 1)]
    public async Task RNG_05_an_open_range_to_the_end(long start)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes={start}-")), start, askedEnd: null, Size);
    }

    [Theory]
    [InlineData(1, Size - 1)]
    [InlineData(65_536, Size - 65_536)]
    [InlineData(Size, 0)]
    [InlineData(Size + 1, 0)]
    public async Task RNG_06_a_suffix(long suffix, long start)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", $"bytes=-{suffix}")), start, askedEnd: null, Size);
    }

    [Theory]
    [InlineData("bytes=-0")]
    [InlineData("bytes=1000003-")]
    [InlineData("bytes=1000003-1000004")]
    [InlineData("bytes=9000000000000000000-")]
    [InlineData("bytes=1000003-,-0")]
    public async Task RNG_07_a_range_outside_the_file_is_416_with_the_size(string range)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", Film, ("Range", range));
        Assert.Equal(416, response.Status);
        Assert.Equal($"bytes */{Size}", response["Content-Range"]);
        Assert.Equal("0", response["Content-Length"]);
        Assert.True(response.IsComplete);
        Assert.Equal(0, _films.File.Opens);
    }

    [Theory]
    [InlineData(null, 200)]
    [InlineData("bytes=0-", 416)]
    [InlineData("bytes=-1", 416)]
    public async Task RNG_08_an_empty_file(string? range, int status)
    {
        var empty = _films.Store.Root.Add(new StubFile("empty.txt", new StubContent(0)));
        await using var server = await WebDavServer.StartAsync(_films.Store);
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
        await using var server = await WebDavServer.StartAsync(_films.Store);
        CheckWhole(await server.SendAsync("GET", Film, ("Range", range)));
    }

    [Fact]
    public async Task RNG_09_two_range_headers_are_ignored()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        CheckWhole(await server.SendAsync("GET", Film, ("Range", "bytes=0-1"), ("Range", "bytes=5-6")));
    }

    [Fact]
    public async Task RNG_10_several_ranges_come_as_multipart_or_merged()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var parts = MultipartBody.Parse(await server.SendAsync("GET", Film, ("Range", "bytes=5-9,0-1, -3")), Size);
        Assert.Equal([(5, 10), (0, 2), (Size - 3, Size)], parts);

        // Overlapping or adjacent ranges become one part; a single part needs no multipart.
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=10-19,0-9,5-12")), 0, 19, Size);

        // Ranges outside the file are dropped.
        StrictRange.Check(await server.SendAsync("GET", Film, ("Range", "bytes=7-8,2000000-")), 7, 8, Size);
    }

    [Theory]
    [InlineData(ContentFault.Missing, 404)]
    [InlineData(ContentFault.Corrupt, 404)]
    [InlineData(ContentFault.Unavailable, 503)]
    public async Task RNG_16_a_fault_before_the_first_byte_has_a_status(ContentFault fault, int status)
    {
        _films.Content.FaultAt = 0;
        _films.Content.Fault = fault;
        _films.Store.Root.Add(new StubFile("unopened.mkv", new StubContent(100)) { OpenFault = fault });
        await using var server = await WebDavServer.StartAsync(_films.Store);
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

        Assert.Equal(0, _films.Content.Open);
    }

    [Fact]
    public async Task RNG_16_a_source_that_does_not_answer_is_503_in_time()
    {
        var slow = new StubContent(Size) { HangAt = 0 };
        _films.Store.Root.Add(new StubFile("slow.mkv", slow));
        await using var server = await WebDavServer.StartAsync(_films.Store);
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
}
