using System.Text;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class NntpStatusLineTests
{
    [Theory]
    [InlineData("200 hello\r\n", 200, "200 hello")]
    [InlineData("430\r\n", 430, "430")]
    [InlineData("430 \r\n", 430, "430 ")]
    [InlineData("222 0 <a@b>\n", 222, "222 0 <a@b>")]
    [InlineData("111 20260101120000\r\nrest", 111, "111 20260101120000")]
    [InlineData("599 x\r\r\n", 599, "599 x")]
    [InlineData("100 x\r\n", 100, "100 x")]
    public void A_status_line_is_parsed(string text, int code, string line)
    {
        var source = Encoding.Latin1.GetBytes(text);
        Assert.Equal(code, NntpStatusLine.Scan(source, out var found, out var consumed));
        Assert.Equal(line, Encoding.Latin1.GetString(found));
        Assert.Equal(text.IndexOf('\n', StringComparison.Ordinal) + 1, consumed);
    }

    [Theory]
    [InlineData("\r\n")]
    [InlineData("20\r\n")]
    [InlineData("2000 x\r\n")]
    [InlineData("200-x\r\n")]
    [InlineData(" 200 x\r\n")]
    [InlineData("2a0 x\r\n")]
    [InlineData("099 x\r\n")]
    [InlineData("600 x\r\n")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n")]
    [InlineData("=ybegin part=1\r\n")]
    [InlineData("２００ x\r\n")]
    [InlineData("-20 x\r\n")]
    [InlineData("+20 x\r\n")]
    public void An_invalid_status_line_is_reported_as_invalid(string text) =>
        Assert.Equal(0, NntpStatusLine.Scan(Encoding.UTF8.GetBytes(text), out _, out _));

    [Fact]
    public void A_line_truncated_anywhere_needs_more()
    {
        var whole = "222 0 <part1of9.abc@news.example> body follows\r\n"u8.ToArray();
        for (var length = 0; length < whole.Length; length++)
        {
            Assert.Equal(-1, NntpStatusLine.Scan(whole.AsSpan(0, length), out var line, out var consumed));
            Assert.True(line.IsEmpty);
            Assert.Equal(0, consumed);
        }

        Assert.Equal(222, NntpStatusLine.Scan(whole, out _, out var all));
        Assert.Equal(whole.Length, all);
    }

    [Fact]
    public void An_endless_line_is_given_up()
    {
        var endless = new byte[NntpStatusLine.MaxLength + 1];
        endless.AsSpan().Fill((byte)'2');
        Assert.Equal(-1, NntpStatusLine.Scan(endless.AsSpan(0, NntpStatusLine.MaxLength), out _, out _));
        Assert.Equal(0, NntpStatusLine.Scan(endless, out _, out _));
    }

    [Fact]
    public void Random_bytes_never_throw_and_consume_at_most_a_line()
    {
        var random = new Random(4);
        var source = new byte[64];
        for (var i = 0; i < 20_000; i++)
        {
            random.NextBytes(source);
            var length = random.Next(source.Length);
            var code = NntpStatusLine.Scan(source.AsSpan(0, length), out var line, out var consumed);
            Assert.True(code is -1 or 0 or (>= 100 and <= 599));
            Assert.InRange(consumed, 0, length);
            Assert.True(code != -1 || consumed == 0);
            Assert.DoesNotContain(NntpStatusLine.TextOf(line), char.IsControl);
        }
    }

    [Fact]
    public void Log_text_has_no_control_characters_and_a_limited_length()
    {
        Assert.Equal("502  [31mred  x", NntpStatusLine.TextOf(Encoding.Latin1.GetBytes("502 \u001b[31mred\r\u0085x")));
        Assert.Equal(300, NntpStatusLine.TextOf(new byte[4000]).Length);
    }
}
