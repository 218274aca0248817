using NzbDav.Content;
using NzbDav.Library.Posts;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Library.Tests.Posts;

public sealed class PostedPartsTests
{
    [Fact]
    public void A_file_across_volumes_has_a_part_for_each()
    {
        // Three volumes of two articles of 100 bytes, of which 90 and 200 and 150 bytes are the file's.
        var layout = PostedParts.Of(Volumes(), Names("part01.rar", "part02.rar", "part03.rar"));

        Assert.Equal(["part01.rar", "part02.rar", "part03.rar"], layout.Parts.Select(part => part.Name));
        Assert.Equal([(0, 190), (190, 200), (390, 150)], layout.Parts.Select(part => ((int)part.Bytes.Start, (int)part.Bytes.Length)));
        Assert.Equal((6, 2), (layout.Articles, layout.Parts[1].Articles));
        Assert.Empty(layout.Holes);
        Assert.Equal("article 2 of part02.rar", layout.Describe(3));
    }

    [Fact]
    public void Without_the_nzb_a_posted_file_begins_where_article_offsets_are_not_contiguous()
    {
        var layout = PostedParts.Of(Volumes(), files: null);

        Assert.Equal([null, null, null], layout.Parts.Select(part => part.Name));
        Assert.Equal([0, 190, 390], layout.Parts.Select(part => (int)part.Bytes.Start));
        Assert.Equal("article 4 of 6", layout.Describe(3));
    }

    [Fact]
    public void Articles_missing_from_the_nzb_are_holes()
    {
        var table = new SegmentTable.Builder();
        for (var i = 0; i < 5; i++)
            table.Add(i is 1 or 2 or 4 ? ArticleIds.Unlisted(i + 1, "a0@x") : $"a{i}@x", i * 100, 100);
        var layout = PostedParts.Of(ExtentMap.OfWholeSegments(table.Build()), files: null);

        Assert.Equal((5, 3), (Assert.Single(layout.Parts).Articles, layout.Parts[0].Missing));
        Assert.Equal([(100L, 200L), (400L, 100L)], layout.Holes.Select(hole => (hole.Bytes.Start, hole.Bytes.Length)));
        Assert.Contains("article 5 of", layout.Holes[1].Reason, StringComparison.Ordinal);
        Assert.Equal(100, Assert.Single(
            PostedParts.Of(ExtentMap.OfWholeSegments(table.Build()), files: null, id => !id.StartsWith(" 5", StringComparison.Ordinal))
            .Holes).Bytes.Length);
    }

    [Theory]
    [InlineData("E2", "E10")]
    [InlineData("e2", "E3")]
    [InlineData("Show 009", "Show 10")]
    [InlineData("a", "a1")]
    [InlineData("A", "b")]
    public void Names_are_sorted_in_natural_order(string first, string second)
    {
        Assert.True(NaturalOrder.Instance.Compare(first, second) < 0);
        Assert.True(NaturalOrder.Instance.Compare(second, first) > 0);
        Assert.Equal(0, NaturalOrder.Instance.Compare(first, first));
    }

    private static ExtentMap Volumes()
    {
        var table = new SegmentTable.Builder();
        for (var i = 0; i < 6; i++)
            table.Add($"v{i / 2}a{i % 2}@x", i % 2 * 100, 100);
        return new ExtentMap([new(0, 0, 10, 90), new(90, 1, 0, 100), new(190, 2, 0, 100), new(290, 3, 0, 100), new(390, 4, 0, 100),
            new(490, 5, 0, 50)], table.Build());
    }

    private static Dictionary<string, NzbFile> Names(params string[] names)
    {
        var nzb = "<nzb>" + string.Concat(names.Select((name, volume) =>
            $"<file poster=\"me\" date=\"1\" subject=\"&quot;{name}&quot; yEnc " +
            $"(1/2)\"><groups><group>a.b</group></groups><segments><segment bytes=\"9\" number=\"1\">v{volume}a0@x</segment><segment " +
            $"bytes=\"9\" number=\"2\">v{volume}a1@x</segment></segments></file>")) + "</nzb>";
        using var stream = new MemoryStream(System.Text.Encoding.UTF8.GetBytes(nzb));
        return NzbReader.Read(stream).Document!.Files.SelectMany(file => file.Segments.Select(segment => (segment.MessageId, file)))
            .ToDictionary(pair => pair.MessageId, pair => pair.file);
    }
}
