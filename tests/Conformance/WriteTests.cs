using System.Text;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests;

/// <summary>PUT, DELETE and MKCOL; and the answers of read-only trees.</summary>
public class WriteTests
{
    private readonly StubStore _store = new();
    private readonly StubCollection _drop;
    private readonly StubCollection _archive;

    public WriteTests()
    {
        _drop = _store.Root.Add(new StubCollection("drop"));
        _archive = _store.Root.Add(new StubCollection("archive") { ReadOnly = true });
        _archive.Add(new StubFile("film.mkv", new StubContent(10)));
    }

    [Theory]
    [InlineData("/dav/archive/new.nzb")]
    [InlineData("/dav/archive/film.mkv")]
    public async Task WRT_01_a_put_to_a_read_only_folder_is_403_before_the_body(string target)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("PUT", target, [("Content-Length", $"{1L << 30}")]);

        // No byte of the body is ever sent.
        var answer = RawResponse.Parse(await ReadHeadAndBodyAsync(connection), isHead: false);
        Assert.Equal(403, answer.Status);
        Assert.Equal("close", answer["Connection"]);
        Assert.Empty(_archive.Written);
    }

    [Fact]
    public async Task WRT_01_the_refusal_reaches_a_client_that_keeps_sending()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        const int Size = 64 << 20;
        await connection.SendHeadAsync("PUT", "/dav/archive/new.nzb", [("Content-Length", $"{Size}")]);
        await connection.WriteAsync(new byte[Size]);
        Assert.Equal(403, RawResponse.Parse(await connection.ReadToEndAsync(), isHead: false).Status);
    }

    [Fact]
    public async Task WRT_01_a_delete_in_a_read_only_folder_is_403()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(403, (await server.SendAsync("DELETE", "/dav/archive/film.mkv")).Status);
        Assert.Equal(403, (await server.SendAsync("DELETE", "/dav/")).Status);
        Assert.Equal(200, (await server.SendAsync("GET", "/dav/archive/film.mkv")).Status);
    }

    [Fact]
    public async Task WRT_01_every_other_write_to_a_read_only_folder_is_403()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        const string Lock = "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>";
        const string Patch = "<propertyupdate xmlns='DAV:'><set><prop><x xmlns='urn:x'>1</x></prop></set></propertyupdate>";
        (string Method, string Target, string Body, string? Destination)[] writes =
        [
            ("MKCOL", "/dav/archive/new", "", null),
            ("COPY", "/dav/archive/film.mkv", "", "/dav/archive/copy.mkv"),
            ("COPY", "/dav/drop/f", "", "/dav/archive/copy.mkv"),
            ("MOVE", "/dav/archive/film.mkv", "", "/dav/drop/film.mkv"),
            ("MOVE", "/dav/drop/f", "", "/dav/archive/f"),
            ("LOCK", "/dav/archive/film.mkv", Lock, null),
            ("LOCK", "/dav/archive/new.mkv", Lock, null),
            ("PROPPATCH", "/dav/archive/film.mkv", Patch, null),
        ];
        _drop.Add(new StubFile("f", new StubContent(1)));
        foreach (var (method, target, body, destination) in writes)
        {
            var answer = await server.SendAsync(
                method, target, Encoding.UTF8.GetBytes(body), destination is null ? [] : [("Destination", destination)]);

            // Of PROPPATCH each property is refused by itself.
            Assert.True(answer.Status == (method == "PROPPATCH" ? 207 : 403), $"{method} {target}: {answer.Status}");
            Assert.True(method != "PROPPATCH" || (answer.Text.Contains("403 Forbidden", StringComparison.Ordinal)
                && !answer.Text.Contains("200 OK", StringComparison.Ordinal)), answer.Text);
            Assert.True(answer.IsComplete);
        }

        Assert.Equal(200, (await server.SendAsync("GET", "/dav/archive/film.mkv")).Status);
        Assert.Equal(404, (await server.SendAsync("GET", "/dav/archive/new.mkv")).Status);
        Assert.Equal(200, (await server.SendAsync("GET", "/dav/drop/f")).Status);

        // OPTIONS promises no locks there, but does for the whole: without it Finder mounts read-only.
        Assert.Equal("1", (await server.SendAsync("OPTIONS", "/dav/archive/"))["DAV"]);
        Assert.Equal("1, 2", (await server.SendAsync("OPTIONS", "/dav/"))["DAV"]);
    }

    [Theory]
    [InlineData("/dav/drop/new", 201)]
    [InlineData("/dav/drop/new/", 201)]
    [InlineData("/dav/drop/", 405)]
    [InlineData("/dav/", 405)]
    [InlineData("/dav/archive/film.mkv", 405)]
    [InlineData("/dav/none/new", 409)]
    [InlineData("/dav/archive/film.mkv/new", 409)]
    public async Task Mkcol_creates_a_folder_where_one_may_be(string target, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(status, (await server.SendAsync("MKCOL", target)).Status);
        if (status != 201)
            return;
        Assert.Equal("/dav/drop/new/", Listing.Parse(await server.SendAsync("PROPFIND", "/dav/drop/new", ("Depth", "0"))).Single().Href);
        Assert.Equal(405, (await server.SendAsync("MKCOL", target)).Status);
    }

    [Fact]
    public async Task Mkcol_takes_no_body()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(415, (await server.SendAsync("MKCOL", "/dav/drop/new", "x"u8.ToArray())).Status);
        Assert.Equal(415,
            (await server.SendAsync("MKCOL", "/dav/drop/new", "1\r\nx\r\n0\r\n\r\n"u8.ToArray(), ("Transfer-Encoding", "chunked"))).Status);
        Assert.Equal(404, (await server.SendAsync("GET", "/dav/drop/new")).Status);
        Assert.Equal(
            201, (await server.SendAsync("MKCOL", "/dav/drop/new", "0\r\n\r\n"u8.ToArray(), ("Transfer-Encoding", "chunked"))).Status);
    }

    [Fact]
    public async Task Put_creates_then_replaces()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var body = StubBytes.Slice(0, 3_000_000);
        Assert.Equal(201, (await server.SendAsync("PUT", "/dav/drop/a%20b.nzb", body)).Status);
        Assert.Equal(body, _drop.Written["a b.nzb"]);
        Assert.Equal(body, (await server.SendAsync("GET", "/dav/drop/a%20b.nzb")).Body);
        Assert.Equal(204, (await server.SendAsync("PUT", "/dav/drop/a%20b.nzb", "x"u8.ToArray())).Status);
        Assert.Equal(201, (await server.SendAsync("PUT", "/dav/drop/empty", ("Content-Length", "0"))).Status);
        Assert.Empty(_drop.Written["empty"]);
    }

    [Fact]
    public async Task Put_accepts_a_chunked_body()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var chunks = Encoding.ASCII.GetBytes("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
        Assert.Equal(201, (await server.SendAsync("PUT", "/dav/drop/c", chunks, ("Transfer-Encoding", "chunked"))).Status);
        Assert.Equal("hello world", Encoding.ASCII.GetString(_drop.Written["c"]));
    }

    [Fact]
    public async Task Put_sends_100_continue_only_if_the_body_is_accepted()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        await using var wanted = await RawConnection.OpenAsync(server.Port);
        await wanted.SendHeadAsync("PUT", "/dav/drop/d", [("Content-Length", "4"), ("Expect", "100-continue"), ("Connection", "close")]);
        Assert.StartsWith("HTTP/1.1 100 ", Encoding.ASCII.GetString(await wanted.ReadAtLeastAsync(1)), StringComparison.Ordinal);
        await wanted.WriteAsync("body"u8.ToArray());
        Assert.StartsWith("HTTP/1.1 201 ", Encoding.ASCII.GetString(await wanted.ReadToEndAsync()), StringComparison.Ordinal);

        await using var refused = await RawConnection.OpenAsync(server.Port);
        await refused.SendHeadAsync("PUT", "/dav/archive/d", [("Content-Length", "400000"), ("Expect", "100-continue")]);
        Assert.StartsWith("HTTP/1.1 403 ", Encoding.ASCII.GetString(await refused.ReadAtLeastAsync(1)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/dav/none/x", 409)]
    [InlineData("/dav/archive/film.mkv/x", 409)]
    [InlineData("/dav/drop", 405)]
    [InlineData("/dav/drop/", 405)]
    [InlineData("/dav/drop/new/", 405)]
    [InlineData("/dav/", 405)]
    public async Task Put_needs_an_existing_parent_and_a_file_target(string target, int status)
    {
        await using var server = await WebDavServer.StartAsync(_store);
        var response = await server.SendAsync("PUT", target, "x"u8.ToArray());
        Assert.Equal(status, response.Status);
        Assert.Equal(status == 405, response["Allow"] is not null);
    }

    [Fact]
    public async Task Put_evaluates_conditions()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(412, await PutAsync("If-Match", "*"));
        Assert.Equal(201, await PutAsync("If-None-Match", "*"));
        Assert.Equal(412, await PutAsync("If-None-Match", "*"));
        var etag = (await server.SendAsync("HEAD", "/dav/drop/e"))["ETag"]!;
        Assert.Equal(412, await PutAsync("If-Match", "\"other\""));
        Assert.Equal(204, await PutAsync("If-Match", etag));
        Assert.Equal(412, await PutAsync("If-Match", etag));
        Assert.Equal(400, await PutAsync("Content-Range", "bytes 0-0/5"));
        Assert.NotEqual(etag, (await server.SendAsync("HEAD", "/dav/drop/e"))["ETag"]);

        async Task<int> PutAsync(string header, string value) =>
            (await server.SendAsync("PUT", "/dav/drop/e", "x"u8.ToArray(), (header, value))).Status;
    }

    public static TheoryData<StoreWriteStatus, int> Answers => new()
    {
        { StoreWriteStatus.Forbidden, 403 },
        { StoreWriteStatus.NotFound, 404 },
        { StoreWriteStatus.Conflict, 409 },
        { StoreWriteStatus.Invalid, 422 },
        { StoreWriteStatus.TooLarge, 413 },
        { StoreWriteStatus.InsufficientStorage, 507 },
        { StoreWriteStatus.Unavailable, 503 },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task Every_refusal_of_a_store_has_its_status(StoreWriteStatus answer, int status)
    {
        _drop.Answer = new StoreWriteResult(answer, "line 7: not an NZB");
        _drop.Add(new StubFile("f", new StubContent(1)));
        await using var server = await WebDavServer.StartAsync(_store);
        foreach (var response in (RawResponse[])[await server.SendAsync("PUT", "/dav/drop/f", "x"u8.ToArray()),
            await server.SendAsync("DELETE", "/dav/drop/f")])
        {
            Assert.Equal(status, response.Status);
            Assert.Contains("line 7", response.Text, StringComparison.Ordinal);
            Assert.Equal(status == 503 ? "5" : null, response["Retry-After"]);
        }
    }

    [Fact]
    public async Task A_body_over_the_limit_is_413()
    {
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(413, (await server.SendAsync("PUT", "/dav/drop/huge", ("Content-Length", $"{2L << 30}"))).Status);
    }

    [Fact]
    public async Task Delete_removes_a_resource_and_is_404_the_second_time()
    {
        _drop.Add(new StubFile("f", new StubContent(1)));
        _drop.Add(new StubCollection("sub")).Add(new StubFile("g", new StubContent(1)));
        await using var server = await WebDavServer.StartAsync(_store);
        Assert.Equal(412, (await server.SendAsync("DELETE", "/dav/drop/f", ("If-Match", "\"x\""))).Status);
        Assert.Equal(400, (await server.SendAsync("DELETE", "/dav/drop/f#ment")).Status);
        Assert.Equal(404, (await server.SendAsync("DELETE", "/dav/drop/f/")).Status);
        Assert.Equal(204, (await server.SendAsync("DELETE", "/dav/drop/f")).Status);
        Assert.Equal(404, (await server.SendAsync("DELETE", "/dav/drop/f")).Status);
        Assert.Equal(204, (await server.SendAsync("DELETE", "/dav/drop/sub/")).Status);
        Assert.Equal(404, (await server.SendAsync("GET", "/dav/drop/sub/g")).Status);
    }

    private static async Task<byte[]> ReadHeadAndBodyAsync(RawConnection connection)
    {
        var read = new List<byte>();
        while (true)
        {
            var text = Encoding.ASCII.GetString([.. read]);
            if (text.Contains("\r\n\r\n", StringComparison.Ordinal) && RawResponse.Parse([.. read], isHead: false).IsComplete)
                return [.. read];
            var more = await connection.ReadAtLeastAsync(1);
            Assert.NotEmpty(more);
            read.AddRange(more);
        }
    }
}
