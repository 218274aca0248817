using System.Globalization;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.MockUsenet.Tests;

public sealed class NzbWriterTests
{
    private static readonly XNamespace Nzb = "http://www.newzbin.com/DTD/2003/nzb";

    [Fact]
    public async Task The_nzb_has_everything_a_client_needs()
    {
        var store = new ArticleStore();
        var options = new PostOptions { ArticleSize = 400, Poster = "a <b@c> & d" };
        var files = store.AddPost([("x & y.mkv", new SeededSource(1, "x", 1_000)), ("z.nfo", new SeededSource(1, "z", 10))], options);
        await store.EncodeAllAsync();
        var document = Parse(NzbWriter.ToBytes(files, new NzbOptions { Meta = [new("title", "T"), new("password", "<secret>")] }));

        Assert.Equal(Nzb + "nzb", document.Root!.Name);
        Assert.Equal("-//newzBin//DTD NZB 1.1//EN", document.DocumentType!.PublicId);
        var meta = document.Root.Element(Nzb + "head")!.Elements(Nzb + "meta").ToDictionary(e => e.Attribute("type")!.Value, e => e.Value);
        Assert.Equal("<secret>", meta["password"]);
        var listed = document.Root.Elements(Nzb + "file").ToList();
        Assert.Equal(2, listed.Count);
        Assert.Equal("[1/2] - \"x & y.mkv\" yEnc (1/3)", listed[0].Attribute("subject")!.Value);
        Assert.Equal("a <b@c> & d", listed[0].Attribute("poster")!.Value);
        Assert.Equal("1705320000", listed[0].Attribute("date")!.Value);
        Assert.Equal(options.Groups, listed[0].Element(Nzb + "groups")!.Elements(Nzb + "group").Select(e => e.Value));
        var segments = Segments(listed[0]);
        Assert.Equal(files[0].Segments.Select(s => (s.Number, s.MessageId, s.EncodedSize)), segments);
    }

    [Fact]
    public void Segments_can_be_shuffled_and_left_out()
    {
        var file = Post.Seeded(out _);
        var document = Parse(NzbWriter.ToBytes([file], new NzbOptions { ShuffleSegments = 1, Include = segment => segment.Index != 4 }));
        Assert.Null(document.Root!.Element(Nzb + "head"));
        var numbers = Segments(document.Root.Element(Nzb + "file")!).Select(segment => segment.Number).ToList();
        Assert.Equal([1, 2, 3, 4, 6, 7, 8, 9], numbers.Order());
        Assert.NotEqual(numbers.Order(), numbers);
    }

    private static List<(int Number, string Id, int Bytes)> Segments(XElement file) =>
    [
        .. file.Element(Nzb + "segments")!.Elements(Nzb + "segment").Select(e => (
            int.Parse(e.Attribute("number")!.Value, CultureInfo.InvariantCulture), e.Value,
            int.Parse(e.Attribute("bytes")!.Value, CultureInfo.InvariantCulture))),
    ];

    private static XDocument Parse(byte[] nzb)
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Parse, XmlResolver = null };
        using var reader = XmlReader.Create(new StringReader(Encoding.UTF8.GetString(nzb)), settings);
        return XDocument.Load(reader);
    }
}
