using System.Text;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

/// <summary>Real damage is a value with a place and words that a person understands.</summary>
public sealed class NzbDamageTests
{
    [Theory]
    [InlineData("", NzbErrorKind.NotXml, "The file is empty.")]
    [InlineData(" \n ", NzbErrorKind.NotXml, "no XML")]
    [InlineData("hello, 1 < 2", NzbErrorKind.NotXml, "no XML")]
    [InlineData("PK\u0003\u0004xyz", NzbErrorKind.NotXml, "zip")]
    [InlineData("Rar!\u001A\a", NzbErrorKind.NotXml, "RAR")]
    [InlineData("d8:announce3:abce", NzbErrorKind.NotXml, "torrent")]
    [InlineData("{\"error\":1}", NzbErrorKind.NotXml, "JSON")]
    [InlineData("<?xml version=\"1.0\"?>\n<error code=\"100\" description=\"Incorrect user credentials\"/>", NzbErrorKind.NoRoot,
        "Incorrect user credentials (code 100)")]
    [InlineData("<!DOCTYPE html>\n<html><body>Log in</body></html>", NzbErrorKind.NoRoot, "web page")]
    [InlineData("<rss></rss>", NzbErrorKind.NoRoot, "RSS")]
    [InlineData("<foo><bar/></foo>", NzbErrorKind.NoRoot, "<foo>")]
    [InlineData("<nzbs><file/></nzbs>", NzbErrorKind.NoRoot, "<nzbs>")]
    [InlineData("<nzb/>", NzbErrorKind.NoFiles, "no files")]
    [InlineData("<nzb></nzb>", NzbErrorKind.NoFiles, "no files")]
    [InlineData("<nzb><segments><segment>a</segment></segments></nzb>", NzbErrorKind.NoFiles, "no files")]
    [InlineData("<nzb><file subject=\"x\"/></nzb>", NzbErrorKind.NoSegments, "No file")]
    [InlineData("<nzb><file subject=\"x\"><segments><segment/></segments></file></nzb>", NzbErrorKind.NoSegments, "No file")]
    [InlineData("<nzb><!-- never closed <file>", NzbErrorKind.Truncated, "breaks off")]
    [InlineData("<nzb><file subject=\"never closed></file></nzb>", NzbErrorKind.Truncated, "breaks off")]
    [InlineData(
        "<nzb><file><segments><segment><![CDATA[never closed</segment></segments></file></nzb>", NzbErrorKind.Truncated, "breaks off")]
    [InlineData("<!DOCTYPE nzb [ <!ENTITY a \"never closed", NzbErrorKind.NotXml, "no XML")]
    public void Damage_is_reported_with_its_kind_and_a_message(string nzb, NzbErrorKind kind, string words)
    {
        var error = NzbSamples.Error(nzb);

        Assert.Equal(kind, error.Kind);
        Assert.Contains(words, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Gzip_is_reported_by_name() =>
        Assert.Contains("gzip", NzbSamples.Error([0x1F, 0x8B, 8, 0, 0, 0]).Message, StringComparison.Ordinal);

    [Fact]
    public void A_truncated_document_is_reported_with_the_position_of_its_end()
    {
        var error = NzbSamples.Error(
            "<?xml version=\"1.0\"?>\n<nzb>\n<file subject=\"ä\"><segments><segment>a</segment></segments></file>\nää<fi");

        Assert.Equal((NzbErrorKind.Truncated, 4, 6), (error.Kind, error.Line, error.Column));
        Assert.Contains("opened at line 2", error.Message, StringComparison.Ordinal);
        Assert.Contains("Complete files before this point: 1", error.Message, StringComparison.Ordinal);
        Assert.StartsWith("Line 4, column 6: ", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Positions_are_right_far_into_a_document()
    {
        var filler = string.Concat(Enumerable.Repeat("<!-- ä -->\n", 100_000));

        var error = NzbSamples.Error($"{filler}<nzb>{filler}  <file subject=\"x\"/></nzb>");

        Assert.Equal((NzbErrorKind.NoSegments, 200_001, 3), (error.Kind, error.Line, error.Column));
    }

    [Fact]
    public void Positions_are_right_in_a_document_of_one_line()
    {
        var filler = string.Concat(Enumerable.Repeat("<!-- ä -->", 100_000));

        Assert.Equal(1_000_006, NzbSamples.Error($"<nzb>{filler}<file subject=\"x\"/></nzb>").Column);
    }

    [Fact]
    public void The_size_of_a_document_is_limited()
    {
        var nzb = Encoding.UTF8.GetBytes(NzbSamples.WellFormed);

        Assert.True(NzbSamples.Read(nzb, new NzbReaderOptions { MaxBytes = nzb.Length }).Succeeded);
        Assert.Equal(NzbErrorKind.LimitExceeded, NzbSamples.Error(nzb, new NzbReaderOptions { MaxBytes = nzb.Length - 1 }).Kind);
    }

    [Fact]
    public void An_endless_stream_ends_at_the_size_limit()
    {
        using var endless = new EndlessStream("<nzb><file subject=\"x\"><segments>", "<segment></segment>");

        Assert.Equal(NzbErrorKind.LimitExceeded, NzbReader.Read(endless, new NzbReaderOptions { MaxBytes = 5 << 20 }).Error!.Kind);
    }

    [Fact]
    public void The_number_of_files_and_segments_is_limited()
    {
        Assert.Contains("2 segments", NzbSamples.Error(NzbSamples.WellFormed, new NzbReaderOptions { MaxSegments = 2 }).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "1 files", NzbSamples.Error(NzbSamples.WellFormed, new NzbReaderOptions { MaxFiles = 1 }).Message, StringComparison.Ordinal);
        Assert.True(NzbSamples.Read(NzbSamples.WellFormed, new NzbReaderOptions { MaxFiles = 2, MaxSegments = 3 }).Succeeded);
    }

    [Fact]
    public void The_nesting_depth_is_limited()
    {
        Assert.Equal(NzbErrorKind.LimitExceeded, NzbSamples.Error($"<nzb>{string.Concat(Enumerable.Repeat("<x>", 100))}").Kind);
        Assert.Equal(NzbErrorKind.LimitExceeded, NzbSamples.Error($"<nzb>{string.Concat(Enumerable.Repeat("<x>", 1_000_000))}").Kind);
    }

    [Theory]
    [InlineData("<nzb><file subject=\"", "x")]
    [InlineData("<nzb><file subject=", "x")]
    [InlineData("<nzb><file subject='", "' a ")]
    [InlineData("<nzb><file ", "a=\"b\" ")]
    [InlineData("<nzb ", "a=\"b\" ")]
    [InlineData("<nzb a=\"", "x")]
    [InlineData("<nzb><", "x")]
    [InlineData("<nzb><file ", " ")]
    [InlineData("<nzb><file><segments><segment>", "x")]
    [InlineData("<nzb><file><segments><segment><![CDATA[", "x")]
    [InlineData("<nzb><head><meta type=\"a\">", "&amp;")]
    public void The_length_of_tags_and_texts_is_limited(string head, string filler)
    {
        using var endless = new EndlessStream(head, filler);

        var error = NzbReader.Read(endless).Error!;

        Assert.Equal((NzbErrorKind.LimitExceeded, 1), (error.Kind, error.Line));
        Assert.True(endless.BytesGiven < 2 << 20, $"read {endless.BytesGiven} bytes");
    }

    [Fact]
    public void The_longest_attribute_is_read()
    {
        var longest = new string('x', 64 << 10);

        Assert.Equal(longest, NzbSamples.Document(NzbSamples.WithAttributes($"subject=\"{longest}\"")).Files.Single().Subject);
        Assert.Equal(NzbErrorKind.LimitExceeded, NzbSamples.Error(NzbSamples.WithAttributes($"subject=\"{longest}x\"")).Kind);
    }
}
