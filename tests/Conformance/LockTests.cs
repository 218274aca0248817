using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace NzbDav.Conformance.Tests;

/// <summary>LOCK, UNLOCK and the If header: the rules of the locks suite of litmus and those behind them.</summary>
public class LockTests
{
    private static readonly XNamespace Dav = "DAV:";

    [Fact]
    public async Task WRT_02_an_exclusive_lock_keeps_writers_without_its_token_out()
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

        // Reading and copying from it are free.
        Assert.Equal(200, await server.StatusAsync("GET", "f"));
        Assert.Equal(207, await server.StatusAsync("PROPFIND", "f", "", ("Depth", "0")));
        Assert.Equal(201, await server.TransferAsync("COPY", "f", "copy"));

        Assert.Equal(204, await server.StatusAsync("PUT", "f", "y", ("If", $"(<{token}>)")));
        Assert.Equal(207, await server.StatusAsync("PROPPATCH", "f", Patch, ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.TransferAsync("COPY", "other", "f", ("If", $"</dav/s/f> (<{token}>)")));

        // Still locked: a lock is on the URL. A move takes it away with the item.
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "z"));
        Assert.Equal(201, await server.TransferAsync("MOVE", "f", "g", ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("PUT", "g", "z"));
        Assert.Equal(201, await server.StatusAsync("PUT", "f", "z"));
    }

    [Fact]
    public async Task WRT_02_the_answer_names_what_is_locked()
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
        Assert.Equal("/dav/s/a%20b/", XDocument.Parse(answer.Text).Root!.Element(Dav + "no-conflicting-lock")!.Element(Dav + "href")!.Value);
    }

    [Fact]
    public async Task WRT_02_shared_locks_suffer_each_other()
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
    public async Task WRT_02_a_deep_lock_holds_for_all_below()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("d/", "d/e/", "d/e/f", "d2/");
        var token = await server.LockAsync("d", depth: "infinity");
        foreach (var (method, name) in ((string, string)[])[("PUT", "d/e/f"), ("PUT", "d/new"), ("DELETE", "d/e/"), ("MKCOL", "d/x"), ("DELETE", "d/")])
        {
            Assert.Equal(423, await server.StatusAsync(method, name, method == "PUT" ? "x" : ""));
            Assert.Equal(412, await server.StatusAsync(method, name, method == "PUT" ? "x" : "", ("If", "(<opaquelocktoken:wrong>)")));
        }

        Assert.Equal(423, await server.StatusAsync("LOCK", "d/e/f", ScratchServer.LockBody("exclusive")));
        Assert.Equal(201, await server.StatusAsync("PUT", "d2/free", "x"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/new", "x", ("If", $"(<{token}>)")));

        // It is found, refreshed and freed by way of what it covers.
        Assert.Contains(token, (await server.FindAsync("d/e/f", "<D:lockdiscovery/>")).Text, StringComparison.Ordinal);
        Assert.Equal(200, await server.StatusAsync("LOCK", "d/e/f", "", ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "d/e", "", ("Lock-Token", $"<{token}>")));
        Assert.Equal(204, await server.StatusAsync("PUT", "d/e/f", "x"));
    }

    [Fact]
    public async Task WRT_02_a_flat_lock_holds_the_list_of_members()
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

        // A lock inside stands against a deep one above, and against deleting the whole.
        var inner = await server.LockAsync("d/e/g");
        Assert.Equal(423, await server.StatusAsync("LOCK", "", ScratchServer.LockBody("exclusive")));
        Assert.Equal(423, await server.StatusAsync("DELETE", "d/", "", ("If", $"</dav/s/d/> (<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("DELETE", "d/", "", ("If", $"</dav/s/d/> (<{token}>) </dav/s/d/e/g> (<{inner}>)")));
        Assert.Equal(201, await server.StatusAsync("MKCOL", "d"));
        Assert.Equal(201, await server.StatusAsync("PUT", "d/new", "x"));
    }

    [Fact]
    public async Task WRT_02_a_lock_on_nothing_makes_an_empty_file()
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

    [Theory]
    [InlineData("<owner>plain text</owner>", "<owner xmlns=\"DAV:\">plain text</owner>")]
    [InlineData("<owner><href>http://me/</href></owner>", "<owner xmlns=\"DAV:\"><href>http://me/</href></owner>")]
    [InlineData("<owner><x xmlns='urn:x' a='1'>&amp;</x></owner>", "<owner xmlns=\"DAV:\"><x xmlns=\"urn:x\" a=\"1\">&amp;</x></owner>")]
    [InlineData("", "")]
    public async Task WRT_05_owners_of_every_form_come_back(string owner, string shown)
    {
        await using var server = await ScratchServer.StartAsync();
        var answer = await server.SendAsync("LOCK", "f", ScratchServer.LockBody("exclusive", owner));
        Assert.Equal(201, answer.Status);
        var active = XDocument.Parse(answer.Text).Root!.Element(Dav + "lockdiscovery")!.Element(Dav + "activelock")!;
        Assert.Equal(
            shown.Length == 0 ? [] : [XElement.Parse(shown).ToString()],
            active.Elements(Dav + "owner").Select(element => XElement.Parse(element.ToString()).ToString()).ToArray(), new SameXml());
        Assert.Equal(["write"], active.Element(Dav + "locktype")!.Elements().Select(element => element.Name.LocalName));
        Assert.Equal(["exclusive"], active.Element(Dav + "lockscope")!.Elements().Select(element => element.Name.LocalName));
        Assert.Equal("infinity", active.Element(Dav + "depth")!.Value);
        Assert.Equal("/dav/s/f", active.Element(Dav + "lockroot")!.Element(Dav + "href")!.Value);
        Assert.Equal(answer["Lock-Token"], $"<{active.Element(Dav + "locktoken")!.Element(Dav + "href")!.Value}>");
    }

    [Theory]
    [InlineData(null, 3600)]
    [InlineData("Infinite", 3600)]
    [InlineData("Second-4100000000", 3600)]
    [InlineData("Infinite, Second-4100000000", 3600)]
    [InlineData("Second-99999999999999999999999", 3600)]
    [InlineData("Second-600", 600)]
    [InlineData("second-600", 600)]
    [InlineData("Extended-5, Second-30", 30)]
    [InlineData("Second-0", 1)]
    [InlineData("Second--5", 3600)]
    [InlineData("tomorrow", 3600)]
    public async Task WRT_05_timeouts_are_granted_within_bounds(string? timeout, int seconds)
    {
        await using var server = await ScratchServer.StartAsync();
        var answer = await server.SendAsync("LOCK", "f", ScratchServer.LockBody("exclusive"), timeout is null ? [] : [("Timeout", timeout)]);
        Assert.Equal(201, answer.Status);
        Assert.Equal(seconds, SecondsLeft(answer));

        // It ends on time, and not before.
        server.Clock.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromTicks(1));
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        server.Clock.Advance(TimeSpan.FromTicks(1));
        Assert.DoesNotContain("activelock", (await server.FindAsync("f", "<D:lockdiscovery/>")).Text, StringComparison.Ordinal);
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "x"));
        await server.LockAsync("f");
    }

    [Fact]
    public async Task WRT_05_a_refresh_begins_the_time_anew()
    {
        await using var server = await ScratchServer.StartAsync();
        var token = await server.LockAsync("f", status: 201);
        server.Clock.Advance(TimeSpan.FromSeconds(3000));
        Assert.Equal(600, SecondsLeft(await server.FindAsync("f", "<D:lockdiscovery/>")));
        var answer = await server.SendAsync("LOCK", "f", "", ("If", $"(<{token}>)"), ("Timeout", "Second-1000"));
        Assert.Equal(200, answer.Status);
        Assert.Equal(1000, SecondsLeft(answer));
        server.Clock.Advance(TimeSpan.FromSeconds(999));
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(412, await server.StatusAsync("LOCK", "f", "", ("If", $"(<{token}>)")));
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "x"));
        Assert.Equal(400, await server.StatusAsync("LOCK", "f"));
        Assert.Equal(412, await server.StatusAsync("LOCK", "other", "", ("If", $"(<{token}>)")));
    }

    [Theory]
    [InlineData("<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope></lockinfo>")]
    [InlineData("<lockinfo xmlns='DAV:'><lockscope/><locktype><write/></locktype></lockinfo>")]
    [InlineData("<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><read/></locktype></lockinfo>")]
    [InlineData("<lockinfo><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>")]
    [InlineData("<lockinfo xmlns='DAV:'/>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b 'c'>]><lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>")]
    [InlineData("no xml")]
    public async Task Lock_bodies_that_make_no_sense_are_400(string body)
    {
        await using var server = await ScratchServer.StartAsync();
        Assert.Equal(400, await server.StatusAsync("LOCK", "f", body));
        Assert.Equal(404, await server.StatusAsync("GET", "f"));
        Assert.Equal(400, await server.StatusAsync("LOCK", "f", ScratchServer.LockBody("exclusive"), ("Depth", "1")));
    }

    [Fact]
    public async Task Unlock_names_a_lock_of_that_place()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "g");
        var token = await server.LockAsync("f");
        Assert.Equal(400, await server.StatusAsync("UNLOCK", "f"));
        Assert.Equal(400, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", token)));
        Assert.Equal(409, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", "<opaquelocktoken:bogus>")));
        Assert.Equal(409, await server.StatusAsync("UNLOCK", "g", "", ("Lock-Token", $"<{token}>")));
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        Assert.Equal(204, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", $"<{token}>")));
        Assert.Equal(409, await server.StatusAsync("UNLOCK", "f", "", ("Lock-Token", $"<{token}>")));
    }

    [Fact]
    public async Task The_if_header_decides_by_tokens_and_tags()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "g");
        var token = await server.LockAsync("f");
        var f = await TagAsync("f");
        var g = await TagAsync("g");

        // What holds, with and without the token that is needed.
        Assert.Equal(204, await PutAsync($"(<{token}> [{f}])"));
        f = await TagAsync("f");
        Assert.Equal(204, await PutAsync($"(<{token}> [\"x\"]) (Not <DAV:no-lock> [{f}])"));
        f = await TagAsync("f");
        Assert.Equal(423, await PutAsync($"([{f}])"));
        Assert.Equal(423, await PutAsync("(Not <DAV:no-lock>)"));
        Assert.Equal(204, await PutAsync($"(<{token}>) (Not <DAV:no-lock>)"));
        Assert.Equal(423, await PutAsync($"</dav/s/g> ([{g}])"));
        Assert.Equal(204, await PutAsync($"</dav/s/g> ([\"x\"]) </dav/s/f> (<{token}>)"));
        Assert.Equal(204, await PutAsync($"<http://127.0.0.1/dav/s/f> (<{token}>)"));

        // What does not.
        f = await TagAsync("f");
        Assert.Equal(412, await PutAsync($"(<{token}> [\"x\"])"));
        Assert.Equal(412, await PutAsync($"(Not <{token}>)"));
        Assert.Equal(412, await PutAsync($"(<{token}x> [{f}])"));
        Assert.Equal(412, await PutAsync($"(<{token}> <DAV:no-lock>)"));
        Assert.Equal(412, await PutAsync($"(Not [{f}])"));
        Assert.Equal(412, await PutAsync($"</dav/s/g> (<{token}>)"));
        Assert.Equal(412, await PutAsync($"<http://elsewhere/dav/s/f> (<{token}>)"));
        Assert.Equal(412, await PutAsync($"(<{token}> [W/{f}])"));

        // What is no such header.
        foreach (var nonsense in (string[])["", "()", "(", "<>", "</dav/s/f>", "(<a>", "(Not)", "([\"x\")", "(<a>) x", "(<a>) </dav/s/f> (<b>)", "token"])
            Assert.Equal(400, await PutAsync(nonsense));
        Assert.Equal(f, await TagAsync("f"));

        async Task<string> TagAsync(string name) => (await server.SendAsync("HEAD", name))["ETag"]!;

        Task<int> PutAsync(string condition) => server.StatusAsync("PUT", "f", "x", ("If", condition));
    }

    [Fact]
    public async Task Locks_show_in_listings()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "g");
        var token = await server.LockAsync("f", depth: "0");
        var entries = Listing.Parse(await server.FindAsync("", "<D:lockdiscovery/><D:supportedlock/>", "1"));
        Assert.Equal(["/dav/s/", "/dav/s/f", "/dav/s/g"], entries.Select(entry => entry.Href));
        Assert.Equal([0, 1, 0], entries.Select(entry => entry.Found.Single(property => property.Name == Dav + "lockdiscovery").Elements().Count()));
        Assert.Contains(token, entries[1].Value("lockdiscovery"), StringComparison.Ordinal);
        Assert.All(entries, entry => Assert.Equal(2, entry.Found.Single(property => property.Name == Dav + "supportedlock").Elements(Dav + "lockentry").Count()));
    }

    private static int SecondsLeft(RawResponse answer) =>
        int.Parse(Regex.Match(answer.Text, "<D:timeout>Second-([0-9]+)</D:timeout>", RegexOptions.None, TimeSpan.FromSeconds(1)).Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    private sealed class SameXml : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => XNode.DeepEquals(Plain(x!), Plain(y!));

        public int GetHashCode(string obj) => 0;

        // Prefixes are the writer's business.
        private static XElement Plain(string xml)
        {
            var element = XElement.Parse(xml);
            foreach (var declaration in element.DescendantsAndSelf().Attributes().Where(attribute => attribute.IsNamespaceDeclaration).ToList())
                declaration.Remove();
            return element;
        }
    }
}
