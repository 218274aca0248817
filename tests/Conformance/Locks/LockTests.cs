using System.Xml.Linq;

namespace NzbDav.Conformance.Tests.Locks;

/// <summary>What a lock blocks and which resources it covers: the rules of the locks suite of litmus and those behind them.</summary>
public sealed class LockTests
{
    private static readonly XNamespace Dav = "DAV:";

    [Fact]
    public async Task WRT_02_an_exclusive_lock_blocks_writers_without_its_token()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "other");
        var token = await server.LockAsync("f");
        const string Patch = "<propertyupdate xmlns='DAV:'><set><prop><x xmlns='urn:x'/></prop></set></propertyupdate>";
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        Assert.Equal(423, await server.StatusAsync("DELETE", "f"));
        Assert.Equal(423, await server.StatusAsync("PROPPATCH", "f", Patch));
        Assert.Equal(423, await server.TransferAsync("MOVE", "f", "g"));
        Assert.Equal(423, await server.TransferAsync("COPY", "other", "f"));
        Assert.Equal(423, await server.TransferAsync("MOVE", "other", "f"));
        Assert.Equal(423, await server.StatusAsync("LOCK", "f", ScratchServer.LockBody("exclusive")));
        Assert.Equal(423, await server.StatusAsync("LOCK", "f", ScratchServer.LockBody("shared")));

        // Reading and copying from it are allowed.
        Assert.Equal(200, await server.StatusAsync("GET", "f"));
        Assert.Equal(207, await server.StatusAsync("PROPFIND", "f", "", ("Depth", "0")));
        Assert.Equal(201, await server.TransferAsync("COPY", "f", "copy"));

        Assert.Equal(204, await server.StatusAsync("PUT", "f", "y", ("If", $"(<{token}>)")));
        Assert.Equal(207, await server.StatusAsync("PROPPATCH", "f", Patch, ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.TransferAsync("COPY", "other", "f", ("If", $"</dav/s/f> (<{token}>)")));

        // Still locked: a lock is on the URL. A move removes it together with the item.
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "z"));
        Assert.Equal(201, await server.TransferAsync("MOVE", "f", "g", ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("PUT", "g", "z"));
        Assert.Equal(201, await server.StatusAsync("PUT", "f", "z"));
    }

    [Fact]
    public async Task WRT_02_the_error_names_the_locked_resource()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("a%20b/");
        await server.LockAsync("a%20b/");
        var answer = await server.SendAsync("PUT", "a%20b/f", "x");
        Assert.Equal(423, answer.Status);
        var error = XDocument.Parse(answer.Text).Root!;
        Assert.Equal(Dav + "error", error.Name);
        Assert.Equal("/dav/s/a%20b/", error.Element(Dav + "lock-token-submitted")!.Element(Dav + "href")!.Value);
        answer = await server.SendAsync("LOCK", "a%20b/", ScratchServer.LockBody("exclusive"));
        Assert.Equal(
            "/dav/s/a%20b/", XDocument.Parse(answer.Text).Root!.Element(Dav + "no-conflicting-lock")!.Element(Dav + "href")!.Value);
    }

    [Fact]
    public async Task WRT_02_shared_locks_coexist()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        var mine = await server.LockAsync("f", "shared");
        var yours = await server.LockAsync("f", "shared");
        Assert.NotEqual(mine, yours);
        Assert.Equal(423, await server.StatusAsync("LOCK", "f", ScratchServer.LockBody("exclusive")));
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "x", ("If", $"(<{yours}>)")));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", $"<{mine}>")));
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "x", ("If", $"(<{yours}>)")));
        Assert.Equal(412, await server.StatusAsync("PUT", "f", "x", ("If", $"(<{mine}>)")));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", $"<{yours}>")));
        await server.LockAsync("f");
    }

    [Fact]
    public async Task WRT_02_a_deep_lock_covers_all_descendants()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("d/", "d/e/", "d/e/f", "d2/");
        var token = await server.LockAsync("d", depth: "infinity");
        foreach (var (method, name) in ((string, string)[])[("PUT", "d/e/f"), ("PUT", "d/new"), ("DELETE", "d/e/"), ("MKCOL", "d/x"),
            ("DELETE", "d/")])
        {
            Assert.Equal(423, await server.StatusAsync(method, name, method == "PUT" ? "x" : ""));
            Assert.Equal(412, await server.StatusAsync(method, name, method == "PUT" ? "x" : "", ("If", "(<opaquelocktoken:wrong>)")));
        }

        Assert.Equal(423, await server.StatusAsync("LOCK", "d/e/f", ScratchServer.LockBody("exclusive")));
        Assert.Equal(201, await server.StatusAsync("PUT", "d2/free", "x"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/new", "x", ("If", $"(<{token}>)")));

        // The lock can be found, refreshed and removed through the resources it covers.
        Assert.Contains(token, (await server.FindAsync("d/e/f", "<D:lockdiscovery/>")).Text, StringComparison.Ordinal);
        Assert.Equal(200, await server.StatusAsync("LOCK", "d/e/f", "", ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "d/e", "", ("Lock-Token", $"<{token}>")));
        Assert.Equal(204, await server.StatusAsync("PUT", "d/e/f", "x"));
    }

    [Fact]
    public async Task WRT_02_a_depth_0_lock_protects_the_member_list()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("d/", "d/f", "d/e/", "d/e/g");
        var token = await server.LockAsync("d/", depth: "0");
        Assert.Equal(423, await server.StatusAsync("PUT", "d/new", "x"));
        Assert.Equal(423, await server.StatusAsync("LOCK", "d/new", ScratchServer.LockBody("exclusive")));
        Assert.Equal(423, await server.StatusAsync("DELETE", "d/f"));
        Assert.Equal(423, await server.TransferAsync("MOVE", "d/f", "f"));
        Assert.Equal(204, await server.StatusAsync("PUT", "d/f", "x"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/e/new", "x"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/new", "x", ("If", $"</dav/s/d/> (<{token}>)")));

        // A lock inside prevents a deep lock above it and the deletion of the parent.
        var inner = await server.LockAsync("d/e/g");
        Assert.Equal(423, await server.StatusAsync("LOCK", "", ScratchServer.LockBody("exclusive")));
        Assert.Equal(423, await server.StatusAsync("DELETE", "d/", "", ("If", $"</dav/s/d/> (<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("DELETE", "d/", "", ("If", $"</dav/s/d/> (<{token}>) </dav/s/d/e/g> (<{inner}>)")));
        Assert.Equal(201, await server.StatusAsync("MKCOL", "d"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/new", "x"));
    }

    [Fact]
    public async Task WRT_02_locking_a_missing_resource_creates_an_empty_file()
    {
        await using var server = await ScratchServer.StartAsync();
        var token = await server.LockAsync("new.txt", status: 201);
        var got = await server.SendAsync("GET", "new.txt");
        Assert.Equal(200, got.Status);
        Assert.Empty(got.Body);
        Assert.Contains("/dav/s/new.txt", (await server.SendAsync("PROPFIND", "", "", ("Depth", "1"))).Text, StringComparison.Ordinal);
        Assert.Equal(423, await server.StatusAsync("PUT", "new.txt", "x"));
        Assert.Equal(204, await server.StatusAsync("PUT", "new.txt", "x", ("If", $"(<{token}>)")));
        Assert.Equal(409, await server.StatusAsync("LOCK", "none/new.txt", ScratchServer.LockBody("exclusive")));
        Assert.Equal(404, await server.StatusAsync("GET", "none/new.txt"));
    }

    [Fact]
    public async Task Listings_show_locks()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "g");
        var token = await server.LockAsync("f", depth: "0");
        var entries = Listing.Parse(await server.FindAsync("", "<D:lockdiscovery/><D:supportedlock/>", "1"));
        Assert.Equal(["/dav/s/", "/dav/s/f", "/dav/s/g"], entries.Select(entry => entry.Href));
        Assert.Equal(
            [0, 1, 0], entries.Select(entry => entry.Found.Single(property => property.Name == Dav + "lockdiscovery").Elements().Count()));
        Assert.Contains(token, entries[1].Value("lockdiscovery"), StringComparison.Ordinal);
        Assert.All(entries, entry =>
            Assert.Equal(2, entry.Found.Single(property => property.Name == Dav + "supportedlock").Elements(Dav + "lockentry").Count()));
    }
}
