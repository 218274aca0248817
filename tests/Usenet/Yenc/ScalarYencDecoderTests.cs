using System.Text;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

public sealed class ScalarYencDecoderTests
{
    // Encoded text, what stops the decoder, the bytes consumed, and the decoded bytes with 42 added again ("escaped" ones written as sent
    // minus 64).
    [Theory]
    [InlineData("", YencScan.NeedMore, 0, "")]
    [InlineData("abc", YencScan.NeedMore, 3, "abc")]
    [InlineData("ab\r\ncd\r\n", YencScan.NeedMore, 8, "abcd")]
    [InlineData("ab\ncd\n\r\r\n", YencScan.NeedMore, 9, "abcd")]
    [InlineData("a=}b=n", YencScan.NeedMore, 6, "a=b.")]
    [InlineData("==}", YencScan.NeedMore, 3, "\u00FD}")] // The second '=' is the escaped one.
    [InlineData("a===}", YencScan.NeedMore, 5, "a\u00FD=")]
    [InlineData(".", YencScan.NeedMore, 1, "")]
    [InlineData("..", YencScan.NeedMore, 2, ".")]
    [InlineData("..\r\nx", YencScan.NeedMore, 5, ".x")]
    [InlineData("a\r\n..b", YencScan.NeedMore, 6, "a.b")]
    [InlineData("a\r\n.b", YencScan.NeedMore, 5, "ab")] // RFC 3977, 3.1.1: a dot at the start of a line goes, whatever follows.
    [InlineData("a\n.b", YencScan.NeedMore, 4, "a.b")] // LF alone begins no NNTP line.
    [InlineData("a.\r\nb.", YencScan.NeedMore, 6, "a.b.")]
    [InlineData(".\r\nrest", YencScan.ArticleEnd, 3, "")]
    [InlineData("a\r\n.\r\nrest", YencScan.ArticleEnd, 6, "a")]
    [InlineData("a\r\n.\rb", YencScan.NeedMore, 6, "ab")]
    [InlineData("a\r\n.\r\r\n.\r\n", YencScan.ArticleEnd, 10, "a")]
    [InlineData("a\r\n.\nb", YencScan.NeedMore, 6, "ab")]
    [InlineData("a\n.\r\nb", YencScan.NeedMore, 6, "a.b")]
    [InlineData("a\r\n..\r\nb", YencScan.NeedMore, 8, "a.b")]
    [InlineData("=yend", YencScan.ControlLine, 2, "")]
    [InlineData("a\r\n=yend", YencScan.ControlLine, 5, "a")]
    [InlineData("a\n=yend", YencScan.ControlLine, 4, "a")]
    [InlineData("a\r\n.=yend", YencScan.ControlLine, 6, "a")]
    [InlineData("a\r\n..=yb", YencScan.NeedMore, 8, "a.9b")]
    [InlineData("a\r=yb", YencScan.NeedMore, 5, "a9b")]
    [InlineData("a=yb", YencScan.NeedMore, 4, "a9b")]
    [InlineData("a\r\n=}b", YencScan.NeedMore, 6, "a=b")]
    [InlineData("a\r\n==y", YencScan.NeedMore, 6, "a\u00FDy")]
    [InlineData("a=\r\nb", YencScan.NeedMore, 5, "a\u00CDb")] // The escaped CR is data and half a line end.
    [InlineData("a=\r\n.\r\n", YencScan.ArticleEnd, 7, "a\u00CD")]
    [InlineData("a=\r\n=yend", YencScan.ControlLine, 6, "a\u00CD")]
    [InlineData("a=\n=yend", YencScan.ControlLine, 5, "a\u00CA")]
    [InlineData("a\r=\n.\r\n", YencScan.NeedMore, 7, "a\u00CA.")]
    internal void ReadsLines(string encoded, YencScan result, int consumed, string decoded)
    {
        var source = Encoding.Latin1.GetBytes(encoded);
        var expected = Encoding.Latin1.GetBytes(decoded).Select(static value => (byte)(value - 42)).ToArray();

        var state = default(YencDecoderState);
        var destination = new byte[source.Length];
        Assert.Equal(result, ScalarYencDecoder.Decode(ref state, source, destination, out var read, out var written));
        Assert.Equal(consumed, read);
        Assert.Equal(expected, destination[..written]);
    }

    [Fact]
    public void StopsBeforeTheByteThatHasNoRoom()
    {
        var state = default(YencDecoderState);
        var destination = new byte[2];
        Assert.Equal(
            YencScan.DestinationFull, ScalarYencDecoder.Decode(ref state, "ab\r\n=}x"u8, destination, out var read, out var written));
        Assert.Equal((5, 2), (read, written));
        Assert.Equal(YencScan.NeedMore, ScalarYencDecoder.Decode(ref state, "}x"u8, destination, out read, out written));
        Assert.Equal((2, 2), (read, written));
        Assert.Equal((byte)('=' - 42), destination[0]);
    }

    [Fact]
    public void DoesNotAskForRoomWhenOnlyALineEndIsLeft()
    {
        var state = default(YencDecoderState);
        Assert.Equal(YencScan.ArticleEnd, ScalarYencDecoder.Decode(ref state, "ab\r\n.\r\n"u8, new byte[2], out var read, out var written));
        Assert.Equal((7, 2), (read, written));
    }

    [Fact]
    public void DecodesWhatTheEncoderMade()
    {
        var data = YencArticle.RandomBytes(100_000);
        var state = default(YencDecoderState);
        var destination = new byte[data.Length];
        Assert.Equal(
            YencScan.NeedMore, ScalarYencDecoder.Decode(ref state, YencArticle.EncodeLines(data), destination, out _, out var written));
        Assert.Equal(data, destination[..written]);
    }
}
