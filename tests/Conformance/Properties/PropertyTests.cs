using System.Xml.Linq;

namespace NzbDav.Conformance.Tests.Properties;

/// <summary>PROPPATCH and what PROPFIND shows of it: the rules of the props suite of litmus and those behind them.</summary>
public class PropertyTests
{
    private static readonly XNamespace Own = "urn:own";

    [Fact]
    public async Task WRT_02_properties_are_set_replaced_and_removed_in_order()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        await PatchAsync(server, "f", "<D:set><D:prop><a xmlns='urn:own'>1</a><b xmlns='urn:own'>2</b></D:prop></D:set>");
        Assert.Equal(["a=1", "b=2"], await OwnAsync(server, "f"));
        await PatchAsync(server, "f",
            "<D:remove><D:prop><a xmlns='urn:own'/></D:prop></D:remove><D:set><D:prop><b xmlns='urn:own'>3</b></D:prop></D:set>");
        Assert.Equal(["b=3"], await OwnAsync(server, "f"));
        await PatchAsync(server, "f",
            "<D:remove><D:prop><c xmlns='urn:own'/></D:prop></D:remove><D:set><D:prop><c xmlns='urn:own'>4</c></D:prop></D:set>");
        await PatchAsync(server, "f",
            "<D:set><D:prop><d xmlns='urn:own'>5</d></D:prop></D:set><D:remove><D:prop><d xmlns='urn:own'/></D:prop></D:remove>");
        Assert.Equal(["b=3", "c=4"], await OwnAsync(server, "f"));

        // The same path, another file.
        Assert.Equal(204, await server.StatusAsync("PUT", "f", "new bytes"));
        Assert.Equal(["b=3", "c=4"], await OwnAsync(server, "f"));
        Assert.Equal(204, await server.StatusAsync("DELETE", "f"));
        await server.PutAsync("f");
        Assert.Empty(await OwnAsync(server, "f"));
    }

    [Fact]
    public async Task WRT_02_properties_are_copied_and_moved_with_their_resource()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("d/", "d/f", "x");
        await PatchAsync(server, "d", "<D:set><D:prop><a xmlns='urn:own'>d</a></D:prop></D:set>");
        await PatchAsync(server, "d/f", "<D:set><D:prop><a xmlns='urn:own'>f</a></D:prop></D:set>");
        await PatchAsync(server, "x", "<D:set><D:prop><old xmlns='urn:own'>x</old></D:prop></D:set>");
        Assert.Equal(201, await server.TransferAsync("COPY", "d", "e"));
        Assert.Equal(["a=d"], await OwnAsync(server, "e"));
        Assert.Equal(["a=f"], await OwnAsync(server, "e/f"));
        Assert.Equal(201, await server.TransferAsync("COPY", "d", "shallow", ("Depth", "0")));
        Assert.Equal(["a=d"], await OwnAsync(server, "shallow"));
        Assert.Equal(201, await server.TransferAsync("MOVE", "d", "g"));
        Assert.Equal(["a=f"], await OwnAsync(server, "g/f"));
        Assert.Equal(204, await server.TransferAsync("MOVE", "g/f", "x"));
        Assert.Equal(["a=f"], await OwnAsync(server, "x"));
        await server.PutAsync("g/f");
        Assert.Empty(await OwnAsync(server, "g/f"));

        // A listing shows the properties of each child.
        var entries = Listing.Parse(await server.FindAsync("", "<a xmlns='urn:own'/>", "1"));
        Assert.Equal(
            ["/dav/s/ ", "/dav/s/e/ d", "/dav/s/g/ d", "/dav/s/shallow/ d", "/dav/s/x f"],
            entries.Select(entry => $"{entry.Href} {string.Concat(entry.Found.Select(property => property.Value))}"));
    }

    [Theory]
    [InlineData("<v xmlns='urn:own'>text &amp; &lt;more&gt; \U0001F600 &#65536;</v>")]
    [InlineData("<v xmlns='urn:own'>  white\n space\t</v>")]
    [InlineData("<v xmlns='urn:own'><in xmlns='urn:inner' k='v'>x</in><plain xmlns=''/>tail</v>")]
    [InlineData("<p:v xmlns:p='urn:own' p:attribute='1'><p:w/></p:v>")]
    [InlineData("<v xmlns='urn:own' xml:lang='de'>Wert</v>")]
    [InlineData("<v xmlns='urn:own'/>")]
    [InlineData("<v xmlns=''>none</v>")]
    public async Task WRT_02_property_values_round_trip(string xml)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        await PatchAsync(server, "f", $"<D:set><D:prop>{xml}</D:prop></D:set>");
        var sent = XElement.Parse(xml, LoadOptions.PreserveWhitespace);
        var entry = Listing.Parse(await server.FindAsync("f", $"<v xmlns='{sent.Name.NamespaceName}'/><D:getetag/>")).Single();
        Assert.Empty(entry.Missing);
        var got = entry.Found.Single(property => property.Name == sent.Name);
        Assert.Equal(sent.Value, got.Value);
        Assert.Equal(sent.Attribute(XNamespace.Xml + "lang")?.Value, got.Attribute(XNamespace.Xml + "lang")?.Value);
        Assert.Equal(
            sent.DescendantsAndSelf().SelectMany(Attributes), got.DescendantsAndSelf().SelectMany(Attributes));
        Assert.Equal(sent.Descendants().Select(element => element.Name), got.Descendants().Select(element => element.Name));

        static IEnumerable<string> Attributes(XElement element) =>
            element.Attributes().Where(attribute => !attribute.IsNamespaceDeclaration)
                .Select(attribute => $"{element.Name} {attribute.Name}={attribute.Value}");
    }

    [Fact]
    public async Task An_inherited_xml_lang_is_kept()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        await PatchAsync(server, "f", "<D:set><D:prop xml:lang='fr'><a xmlns='urn:own'>mot</a></D:prop></D:set>");
        var entry = Listing.Parse(await server.FindAsync("f", "<a xmlns='urn:own'/>")).Single();
        Assert.Equal("fr", entry.Found.Single().Attribute(XNamespace.Xml + "lang")!.Value);
    }

    [Fact]
    public async Task WRT_02_a_proppatch_applies_all_or_nothing()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        var tag = (await server.SendAsync("HEAD", "f"))["ETag"];
        var answer = await server.SendAsync("PROPPATCH", "f", Body(
            "<D:set><D:prop><a xmlns='urn:own'>1</a><D:getetag>mine</D:getetag></D:prop></D:set><D:remove><D:prop><D:resourcetype/></D:prop></D:remove>"));
        Assert.Equal(207, answer.Status);
        var stats = XDocument.Load(new MemoryStream(answer.Body)).Descendants(Listing.Dav + "propstat").ToList();
        Assert.Equal(["HTTP/1.1 403 Forbidden", "HTTP/1.1 424 Failed Dependency"],
            stats.Select(stat => stat.Element(Listing.Dav + "status")!.Value));
        Assert.Equal(
            ["getetag", "resourcetype"], stats[0].Element(Listing.Dav + "prop")!.Elements().Select(property => property.Name.LocalName));
        Assert.NotNull(stats[0].Element(Listing.Dav + "error")!.Element(Listing.Dav + "cannot-modify-protected-property"));
        Assert.Equal([Own + "a"], stats[1].Element(Listing.Dav + "prop")!.Elements().Select(property => property.Name));
        Assert.Empty(await OwnAsync(server, "f"));
        Assert.Equal(tag, (await server.SendAsync("HEAD", "f"))["ETag"]);
    }

    [Fact]
    public async Task Too_many_properties_are_refused_as_a_whole()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        for (var batch = 0; batch < 2; batch++)
        {
            var props = string.Concat(Enumerable.Range(0, 600).Select(i => $"<p{batch}-{i} xmlns='urn:own'/>"));
            var answer = await server.SendAsync("PROPPATCH", "f", Body($"<D:set><D:prop>{props}</D:prop></D:set>"));
            Assert.Contains(batch == 0 ? "HTTP/1.1 200 OK" : "HTTP/1.1 507 Insufficient Storage", answer.Text, StringComparison.Ordinal);
        }

        Assert.Equal(600, (await OwnAsync(server, "f")).Count);
    }

    [Fact]
    public async Task Names_with_reserved_prefixes_are_answered_well_formed_or_refused()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        Assert.Equal(400, (await server.FindAsync("f", "<xmlns:a/>")).Status);
        var answer = await server.FindAsync("f", "<xml:a/>");
        Assert.Equal(207, answer.Status);
        Assert.Single(XDocument.Load(new MemoryStream(answer.Body)).Descendants(XNamespace.Xml + "a"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("no xml")]
    [InlineData("<propertyupdate xmlns='DAV:'/>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set/></propertyupdate>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set><prop/></set></propertyupdate>")]
    [InlineData("<propfind xmlns='DAV:'><prop><a xmlns='urn:x'/></prop></propfind>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set><prop><a:b xmlns:a=''>x</a:b></prop></set></propertyupdate>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set><prop><a xmlns='urn:x'>&#1;</a></prop></set></propertyupdate>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set><prop><xmlns:a/></prop></set></propertyupdate>")]
    [InlineData("<propertyupdate xmlns='DAV:'><remove><prop><xmlns:a/></prop></remove></propertyupdate>")]
    [InlineData("<propertyupdate xmlns='DAV:'><set><prop><a xmlns='urn:x'><xmlns:b/></a></prop></set></propertyupdate>")]
    [InlineData(
        "<!DOCTYPE a [<!ENTITY b 'c'>]><propertyupdate xmlns='DAV:'><set><prop><a xmlns='urn:x'>&b;</a></prop></set></propertyupdate>")]
    public async Task Invalid_proppatch_bodies_are_400(string body)
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f");
        Assert.Equal(400, await server.StatusAsync("PROPPATCH", "f", body));
    }

    [Fact]
    public async Task A_missing_resource_has_no_properties()
    {
        await using var server = await ScratchServer.StartAsync();
        Assert.Equal(404, await server.StatusAsync("PROPPATCH", "none", Body("<D:set><D:prop><a xmlns='urn:own'/></D:prop></D:set>")));
        await server.PutAsync("f");
        var names = Listing.Parse(await server.SendAsync("PROPFIND", "f", "<propfind xmlns='DAV:'><propname/></propfind>", ("Depth", "0")))
            .Single();
        Assert.DoesNotContain(names.Found, property => property.Name.Namespace == Own);
        await PatchAsync(server, "f", "<D:set><D:prop><a xmlns='urn:own'>1</a></D:prop></D:set>");
        names = Listing.Parse(await server.SendAsync("PROPFIND", "f", "<propfind xmlns='DAV:'><propname/></propfind>", ("Depth", "0")))
            .Single();
        Assert.Empty(names.Found.Single(property => property.Name == Own + "a").Value);
        var all = Listing.Parse(await server.SendAsync("PROPFIND", "f", "", ("Depth", "0"))).Single();
        Assert.Equal("1", all.Value(Own + "a"));
        Assert.Empty(all.Missing);
        var some = Listing.Parse(await server.FindAsync("f", "<a xmlns='urn:own'/><b xmlns='urn:own'/><D:getetag/>")).Single();
        Assert.Equal(["b"], some.Missing.Select(property => property.Name.LocalName));
    }

    private static string Body(string instructions) =>
        $"<?xml version='1.0'?><D:propertyupdate xmlns:D='DAV:'>{instructions}</D:propertyupdate>";

    private static async Task PatchAsync(ScratchServer server, string name, string instructions)
    {
        var answer = await server.SendAsync("PROPPATCH", name, Body(instructions));
        Assert.Equal(207, answer.Status);
        Assert.All(XDocument.Load(new MemoryStream(answer.Body)).Descendants(Listing.Dav + "status"),
            status => Assert.Equal("HTTP/1.1 200 OK", status.Value));
    }

    private static async Task<List<string>> OwnAsync(ScratchServer server, string name) =>
        [.. Listing.Parse(await server.SendAsync("PROPFIND", name, "<propfind xmlns='DAV:'><allprop/></propfind>", ("Depth", "0")))
            .Single().Found
            .Where(property => property.Name.Namespace == Own).Select(property => $"{property.Name.LocalName}={property.Value}")
                .Order(StringComparer.Ordinal)];
}
