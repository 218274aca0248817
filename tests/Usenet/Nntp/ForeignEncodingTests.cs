using System.Text;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class ForeignEncodingTests
{
    private static readonly string UuLine = "M" + new string('A', 60);
    private static readonly string MimeLine = new('a', 76);

    [Theory]
    [InlineData("begin 644 film.avi\r\nM", "uuencode")]
    [InlineData("some words\r\n\r\nbegin 0644 film.avi\n", "uuencode")]
    [InlineData("begin the day\r\nwith text\r\n", null)]
    [InlineData("Content-Transfer-Encoding: BASE64\r\n", "MIME (base64)")]
    [InlineData("Content-Transfer-Encoding: 8bit\r\n", null)]
    [InlineData("no line end", null)]
    [InlineData("", null)]
    public void A_foreign_encoding_is_recognised_by_its_first_lines(string text, string? encoding) =>
        Assert.Equal(encoding, ForeignEncoding.Of(Encoding.Latin1.GetBytes(text)));

    [Fact]
    public void A_foreign_encoding_is_recognised_by_its_data_in_later_parts()
    {
        Assert.Equal("uuencode", ForeignEncoding.Of(Lines(UuLine, UuLine, UuLine)));
        Assert.Equal("MIME (base64)", ForeignEncoding.Of(Lines(MimeLine, MimeLine, MimeLine)));
        Assert.Null(ForeignEncoding.Of(Lines(UuLine, MimeLine, UuLine, MimeLine)));
    }

    private static byte[] Lines(params string[] lines) => Encoding.Latin1.GetBytes(string.Concat(lines.Select(line => line + "\r\n")));
}
