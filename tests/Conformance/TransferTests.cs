using System.Text;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests;

/// <summary>COPY and MOVE: the rules of the copymove suite of litmus and those behind them.</summary>
public class TransferTests
{
    [Theory]
    [InlineData("COPY")]
    [InlineData("MOVE")]
    public async Task WRT_02_files_are_copied_and_moved_onto_free_and_existing_targets(string method)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a", "b", "d/", "d/x");
        Assert.Equal(412, await server.TransferAsync(method, "a", "b", ("Overwrite", "F")));
        Assert.Equal("the bytes of b", (await server.SendAsync("GET", "b")).Text);
        Assert.Equal(201, await server.TransferAsync(method, "a", "c", ("Overwrite", "F")));
        Assert.Equal("the bytes of a", (await server.SendAsync("GET", "c")).Text);
        Assert.Equal(method == "COPY" ? 200 : 404, await server.StatusAsync("GET", "a"));
        Assert.Equal(204, await server.TransferAsync(method, "c", "b", ("Overwrite", "T")));
        Assert.Equal("the bytes of a", (await server.SendAsync("GET", "b")).Text);

        // A file replaces a folder, which is deleted with its contents.
        Assert.Equal(204, await server.TransferAsync(method, "b", "d"));
        Assert.Equal("the bytes of a", (await server.SendAsync("GET", "d")).Text);
        Assert.Equal(404, await server.StatusAsync("GET", "d/x"));
    }

    [Theory]
    [InlineData("COPY")]
    [InlineData("MOVE")]
    public async Task WRT_02_folders_are_copied_and_moved_with_their_contents(string method)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a/", "a/f", "a/b/", "a/b/g", "z");
        Assert.Equal(201, await server.TransferAsync(method, "a/", "c/"));
        Assert.Equal("the bytes of a/b/g", (await server.SendAsync("GET", "c/b/g")).Text);
        Assert.Equal(method == "COPY" ? 200 : 404, await server.StatusAsync("GET", "a/f"));
        Assert.Equal(204, await server.TransferAsync(method, "c", "z"));
        Assert.Equal("the bytes of a/f", (await server.SendAsync("GET", "z/f")).Text);
    }

    [Fact]
    public async Task WRT_02_a_depth_0_copy_of_a_folder_is_empty()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a/", "a/f");
        Assert.Equal(201, await server.TransferAsync("COPY", "a", "c", ("Depth", "0")));
        Assert.Equal(200, await server.StatusAsync("GET", "c"));
        Assert.Equal(404, await server.StatusAsync("GET", "c/f"));
        Assert.Equal(400, await server.TransferAsync("COPY", "a", "e", ("Depth", "1")));
        Assert.Equal(400, await server.TransferAsync("MOVE", "a", "e", ("Depth", "0")));
        Assert.Equal(400, await server.TransferAsync("COPY", "a", "e", ("Overwrite", "perhaps")));
    }

    [Theory]
    [InlineData("http://127.0.0.1/dav/s/b", 201)]
    [InlineData("http://127.0.0.1:80/dav/s/b", 201)]
    [InlineData("https://127.0.0.1:443/dav/s/b", 201)]
    [InlineData("http://me:pw@127.0.0.1/dav/s/b", 201)]
    [InlineData("/dav/s/b", 201)]
    [InlineData("/dav/s/b/", 201)]
    [InlineData("/dav/s/%62", 201)]
    [InlineData("/dav/s/a%20%25%23", 201)]
    [InlineData("http://elsewhere.example/dav/s/b", 502)]
    [InlineData("http://127.0.0.1:81/dav/s/b", 502)]
    [InlineData("http://127.0.0.1/other/b", 502)]
    [InlineData("/b", 502)]
    [InlineData("/dav/s/a", 403)]
    [InlineData("/dav/s/a/", 403)]
    [InlineData("/dav/s/%61", 403)]
    [InlineData("/dav/", 403)]
    [InlineData("/dav/s", 403)]
    [InlineData("/dav/s/none/b", 409)]
    [InlineData("/dav/s/f/b", 409)]
    [InlineData("/dav/films/b", 403)]
    [InlineData("b", 400)]
    [InlineData("", 400)]
    [InlineData("/dav/s/../b", 400)]
    [InlineData("/dav/s/%2e%2e/b", 400)]
    [InlineData("/dav/s/a%2Fb", 400)]
    [InlineData("/dav/s/%zz", 400)]
    [InlineData("/dav/s/b#c", 400)]
    public async Task Valid_destinations_are_accepted_and_others_refused(string destination, int status)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a", "f");
        foreach (var method in (string[])["COPY", "MOVE"])
        {
            Assert.Equal(status, await server.StatusAsync(method, "a", "", ("Destination", destination)));
            if (status == 201)
            {
                var path = destination[destination.IndexOf("/dav/", StringComparison.Ordinal)..].TrimEnd('/');
                Assert.Equal("the bytes of a", (await server.SendAsync("GET", path)).Text);
                Assert.Equal(204, await server.StatusAsync("DELETE", path));
            }
            else
            {
                Assert.Equal(200, await server.StatusAsync("GET", "a"));
            }
        }
    }

    [Theory]
    [InlineData("MOVE")]
    [InlineData("COPY")]
    public async Task What_was_to_be_replaced_is_not_lost_when_that_fails(string method)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a/", "a/new", "b/", "b/old");
        server.Folder.Faults["a"] = StoreWriteResult.InsufficientStorage;
        Assert.Equal(507, await server.TransferAsync(method, "a", "b"));
        await CheckAsync();

        // Nor when it must stay.
        server.Folder.Faults.Clear();
        server.Folder.KeepsReplaced = StoreWriteResult.Forbidden;
        Assert.Equal(403, await server.TransferAsync(method, "a", "b"));
        await CheckAsync();

        server.Folder.KeepsReplaced = null;
        Assert.Equal(204, await server.TransferAsync(method, "a", "b"));
        Assert.Equal("the bytes of a/new", (await server.SendAsync("GET", "b/new")).Text);
        Assert.Equal(404, await server.StatusAsync("GET", "b/old"));
        Assert.Equal(method == "MOVE" ? 2 : 3, Listing.Parse(await server.FindAsync("", "<D:resourcetype/>", "1")).Count);

        async Task CheckAsync()
        {
            Assert.Equal("the bytes of b/old", (await server.SendAsync("GET", "b/old")).Text);
            Assert.Equal("the bytes of a/new", (await server.SendAsync("GET", "a/new")).Text);
            Assert.Equal(404, await server.StatusAsync("GET", "b/new"));
            Assert.Equal(3, Listing.Parse(await server.FindAsync("", "<D:resourcetype/>", "1")).Count);
        }
    }

    /// <summary>
    /// nginx with <c>proxy_set_header Host $host</c>, as nginx Proxy Manager writes it, on a port that is not the default.
    /// </summary>
    [Theory]
    [InlineData("https://films.example:8443/dav/s/b", 201, "X-Forwarded-Scheme", "https", "X-Forwarded-Proto", "https", "X-Forwarded-For",
        "192.0.2.7", "X-Real-IP", "192.0.2.7")]
    [InlineData("https://films.example:8443/dav/s/b", 201, "X-Forwarded-Port", "8443")]
    [InlineData("https://films.example:9000/dav/s/b", 502, "X-Forwarded-Port", "8443")]
    [InlineData("https://other.example:8443/dav/s/b", 502, "X-Forwarded-For", "192.0.2.7")]
    [InlineData("https://outside.example:8443/dav/s/b", 201, "X-Forwarded-Host", "outside.example:8443")]
    [InlineData("https://films.example:8443/dav/s/b", 502)]
    public async Task A_destination_behind_a_proxy_has_the_name_that_browser_and_proxy_agree_on(
        string destination, int status, params string[] headers)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a");
        var sent = headers.Chunk(2).Select(header => (header[0], header[1]));
        Assert.Equal(status, await server.StatusAsync("MOVE", "a", "", [("Host", "films.example"), ("Destination", destination), .. sent]));
    }

    [Fact]
    public async Task A_copy_or_move_into_itself_or_over_its_parent_is_refused()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a/", "a/b/", "a/b/f");
        foreach (var method in (string[])["COPY", "MOVE"])
        {
            Assert.Equal(403, await server.TransferAsync(method, "a", "a/b/c"));
            Assert.Equal(403, await server.TransferAsync(method, "a/b", "a"));
            Assert.Equal(404, await server.TransferAsync(method, "none", "x"));
            Assert.Equal(403, await server.StatusAsync(method, "/dav/", "", ("Destination", "/dav/s/x")));
            Assert.Equal(400, await server.StatusAsync(method, "a"));
        }

        Assert.Equal(200, await server.StatusAsync("GET", "a/b/f"));
    }

    [Fact]
    public async Task A_refused_move_leaves_what_is_at_the_destination()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a/", "a/f");
        Assert.Equal(403, await server.TransferAsync("MOVE", "/dav/films/film.mkv", "a"));
        Assert.Equal("the bytes of a/f", (await server.SendAsync("GET", "a/f")).Text);
    }

    [Fact]
    public async Task Conditions_of_a_move_apply_to_the_source()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a");
        var tag = (await server.SendAsync("HEAD", "a"))["ETag"]!;
        Assert.Equal(412, await server.TransferAsync("MOVE", "a", "b", ("If-Match", "\"other\"")));
        Assert.Equal(201, await server.TransferAsync("MOVE", "a", "b", ("If-Match", tag)));
        Assert.Equal(Encoding.UTF8.GetBytes("the bytes of a"), (await server.SendAsync("GET", "b")).Body);
    }
}
