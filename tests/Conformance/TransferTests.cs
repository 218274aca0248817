using System.Text;

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
