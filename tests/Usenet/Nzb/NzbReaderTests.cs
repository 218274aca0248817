using System.Text;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

public sealed class NzbReaderTests
{
    [Fact]
    public void A_well_formed_document_is_read_completely()
    {
        var result = NzbSamples.Read(NzbSamples.WellFormed);

        Assert.True(result.Succeeded, result.Error?.ToString());
        Assert.Empty(result.Warnings);
        var document = result.Document;
        Assert.Equal("Some & thing", document.FirstMeta("title"));
        Assert.Equal(["s3cret", "other"], document.Meta["PASSWORD"].AsEnumerable());
        Assert.Null(document.FirstMeta("category"));
        Assert.Equal(3, document.SegmentCount);
        Assert.Equal(739811 + 239811 + 5, document.Bytes);

        Assert.Equal(2, document.Files.Length);
        var file = document.Files[0];
        Assert.Equal("[1/2] - \"name.part1.rar\" yEnc (1/2)", file.Subject);
        Assert.Equal("name.part1.rar", file.FileName);
        Assert.Equal("Joe <joe@example.com>", file.Poster);
        Assert.Equal(DateTimeOffset.FromUnixTimeSeconds(1700000000), file.Date);
        Assert.Equal(["alt.binaries.test", "alt.binaries.other"], file.Groups.AsEnumerable());
        Assert.Equal(739811 + 239811, file.Bytes);
        Assert.Equal((1, 739811, "abc$1@news.example"), (file.Segments[0].Number, file.Segments[0].Bytes, file.Segments[0].MessageId));
        Assert.Equal((2, 239811, "abc$2@news.example"), (file.Segments[1].Number, file.Segments[1].Bytes, file.Segments[1].MessageId));
        Assert.Equal("abc$3@news.example"u8, document.Files[1].Segments[0].MessageIdUtf8.Span);
    }

    [Fact]
    public void The_same_bytes_give_the_same_result_however_the_stream_cuts_them()
    {
        var bytes = Encoding.UTF8.GetBytes(NzbSamples.WellFormed);
        using var trickle = new TrickleStream(bytes);

        Assert.Equal(NzbSamples.Describe(NzbSamples.Read(bytes)), NzbSamples.Describe(NzbReader.Read(trickle)));
    }

    [Fact]
    public void Fifty_thousand_segments_keep_every_value()
    {
        const int Files = 50, PerFile = 1000;
        var text = new StringBuilder("<?xml version=\"1.0\"?>\n<nzb xmlns=\"http://www.newzbin.com/DTD/2003/nzb\">\n");
        for (var f = 0; f < Files; f++)
        {
            text.Append(
                $"<file poster=\"p{f}\" date=\"{1_600_000_000 + f}\" subject=\"&quot;f{f}.bin&quot; yEnc " +
                $"(1/{PerFile})\">\n<groups><group>g{f % 3}</group></groups>\n<segments>\n");
            for (var s = 1; s <= PerFile; s++)
                text.Append($"<segment bytes=\"{(f * PerFile) + s}\" number=\"{s}\">part{s}.of.{f}@host{(f * 31) + s}</segment>\n");
            text.Append("</segments>\n</file>\n");
        }

        var result = NzbSamples.Read(text.Append("</nzb>\n").ToString());

        Assert.True(result.Succeeded, result.Error?.ToString());
        Assert.Empty(result.Warnings);
        Assert.Equal(Files * PerFile, result.Document.SegmentCount);
        for (var f = 0; f < Files; f++)
        {
            var file = result.Document.Files[f];
            Assert.Equal(($"f{f}.bin", $"p{f}", $"g{f % 3}"), (file.FileName, file.Poster, file.Groups.Single()));
            Assert.Equal(1_600_000_000 + f, file.Date.ToUnixTimeSeconds());
            for (var s = 1; s <= PerFile; s++)
            {
                var segment = file.Segments[s - 1];
                Assert.Equal(
                    (s, (f * PerFile) + s, $"part{s}.of.{f}@host{(f * 31) + s}"), (segment.Number, segment.Bytes, segment.MessageId));
            }
        }
    }

    [Fact]
    public void Cancellation_throws()
    {
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();

        Assert.ThrowsAny<OperationCanceledException>(() => NzbReader.Read(new MemoryStream([1]), cancellationToken: cancelled.Token));
    }

    [Theory]
    [InlineData("1700000000", 1700000000)]
    [InlineData(" 1700000000 ", 1700000000)]
    [InlineData("1700000000123", 1700000000)]
    [InlineData("Tue, 14 Nov 2023 22:13:20 GMT", 1700000000)]
    [InlineData("", 0)]
    [InlineData("-5", 0)]
    [InlineData("soon", 0)]
    [InlineData("99999999999999999999999", 0)]
    [InlineData("9223372036854775807", 0)]
    public void An_invalid_date_is_the_epoch(string date, long seconds)
    {
        var file = NzbSamples.Document(NzbSamples.WithAttributes($"subject=\"s\" date=\"{date}\"")).Files.Single();

        Assert.Equal(seconds, file.Date.ToUnixTimeSeconds());
        Assert.Equal(TimeSpan.Zero, file.Date.Offset);
    }

    [Fact]
    public void Missing_attributes_are_empty()
    {
        var file = NzbSamples.Document(NzbSamples.WithAttributes(string.Empty)).Files.Single();

        Assert.Equal((string.Empty, string.Empty, DateTimeOffset.UnixEpoch), (file.Subject, file.Poster, file.Date));
        Assert.Null(file.FileName);
        Assert.Empty(file.Groups);
    }
}
