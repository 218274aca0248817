using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace NzbDav.Conformance.Tests;

/// <summary>One response element of a multistatus, parsed as strictly as the strictest client does.</summary>
internal sealed record Listing(string Href, IReadOnlyList<XElement> Found, IReadOnlyList<XElement> Missing)
{
    public static readonly XNamespace Dav = "DAV:";

    public string Value(string name) => Value(Dav + name);

    public string Value(XName name) => Found.Single(property => property.Name == name).Value;

    public static List<Listing> Parse(RawResponse response)
    {
        Assert.Equal(207, response.Status);
        Assert.True(response.IsComplete);
        Assert.Equal("application/xml; charset=\"utf-8\"", response["Content-Type"]);
        Assert.Null(response["Set-Cookie"]);
        Assert.StartsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>", response.Text, StringComparison.Ordinal);
        using var xml = XmlReader.Create(new MemoryStream(response.Body), new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit });
        var root = XDocument.Load(xml).Root!;
        Assert.Equal(Dav + "multistatus", root.Name);
        Assert.Equal("D", root.GetPrefixOfNamespace(Dav));
        return [.. root.Elements().Select(Read)];
    }

    private static Listing Read(XElement element)
    {
        Assert.Equal(Dav + "response", element.Name);
        Assert.Equal(Dav + "href", element.Elements().First().Name);
        var href = element.Elements().First().Value;
        Assert.StartsWith("/", href, StringComparison.Ordinal);
        Assert.True(Ascii.IsValid(href));
        Assert.DoesNotContain(href, c => c is ' ' or '?' or '#' or '[' or ']' or ';' or '&' or '"' or '<');

        // First a 200, then at most one 404, with the literal status strings.
        var propstats = element.Elements().Skip(1).ToList();
        Assert.All(propstats, propstat => Assert.Equal([Dav + "prop", Dav + "status"], propstat.Elements().Select(child => child.Name)));
        var statuses = propstats.Select(propstat => propstat.Element(Dav + "status")!.Value).ToList();
        string[] order = ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found"];
        Assert.NotEmpty(statuses);
        Assert.Equal(order.Where(statuses.Contains), statuses);
        return new(href, Of(order[0]), Of(order[1]));

        List<XElement> Of(string status) =>
            [.. propstats.Where(propstat => propstat.Element(Dav + "status")!.Value == status)
                .SelectMany(propstat => propstat.Element(Dav + "prop")!.Elements())];
    }
}
