using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace NzbDav.Conformance.Tests.Locks;

/// <summary>LOCK and UNLOCK requests and their answers: owners, timeouts, refreshes, and invalid requests.</summary>
public sealed class LockRequestTests
{
    private static readonly XNamespace Dav = "DAV:";

    [Theory]
    [InlineData("<owner>plain text</owner>", "<owner xmlns=\"DAV:\">plain text</owner>")]
    [InlineData("<owner><href>http://me/</href></owner>", "<owner xmlns=\"DAV:\"><href>http://me/</href></owner>")]
    [InlineData("<owner><x xmlns='urn:x' a='1'>&amp;</x></owner>", "<owner xmlns=\"DAV:\"><x xmlns=\"urn:x\" a=\"1\">&amp;</x></owner>")]
    [InlineData("", "")]
    public async Task WRT_05_lock_owners_of_every_form_are_returned(string owner, string shown)
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
        var answer = await server.SendAsync(
            "LOCK", "f", ScratchServer.LockBody("exclusive"), timeout is null ? [] : [("Timeout", timeout)]);
        Assert.Equal(201, answer.Status);
        Assert.Equal(seconds, SecondsLeft(answer));

        // The lock expires on time, and not before.
        server.Clock.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromTicks(1));
        Assert.Equal(423, await server.StatusAsync("PUT", "f", "x"));
        server.Clock.Advance(TimeSpan.FromTicks(1));
        Assert.DoesNotContain("activelock", (await server.FindAsync("f", "<D:lockdiscovery/>")).Text, StringComparison.Ordinal);
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "x"));
        await server.LockAsync("f");
    }

    [Fact]
    public async Task WRT_05_a_refresh_restarts_the_timeout()
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
    [InlineData(
        "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner><xmlns:a/></owner></lockinfo>")]
    [InlineData("<lockinfo xmlns='DAV:'/>")]
    [InlineData(
        "<!DOCTYPE a [<!ENTITY b 'c'>]><lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>")]
    [InlineData("no xml")]
    public async Task Invalid_lock_bodies_are_400(string body)
    {
        await using var server = await ScratchServer.StartAsync();
        Assert.Equal(400, await server.StatusAsync("LOCK", "f", body));
        Assert.Equal(404, await server.StatusAsync("GET", "f"));
        Assert.Equal(400, await server.StatusAsync("LOCK", "f", ScratchServer.LockBody("exclusive"), ("Depth", "1")));
    }

    [Fact]
    public async Task Unlock_requires_a_lock_of_that_resource()
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

    private static int SecondsLeft(RawResponse answer) =>
        int.Parse(Regex.Match(answer.Text, "<D:timeout>Second-([0-9]+)</D:timeout>", RegexOptions.None,
            TimeSpan.FromSeconds(1)).Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    private sealed class SameXml : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => XNode.DeepEquals(Plain(x!), Plain(y!));

        public int GetHashCode(string obj) => 0;

        // The client may choose its own prefixes.
        private static XElement Plain(string xml)
        {
            var element = XElement.Parse(xml);
            foreach (var declaration in element.DescendantsAndSelf().Attributes().Where(attribute => attribute.IsNamespaceDeclaration)
                .ToList())
                declaration.Remove();
            return element;
        }
    }
}
