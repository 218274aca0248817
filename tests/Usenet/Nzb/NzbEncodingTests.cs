using System.Text;

namespace NzbDav.Usenet.Tests.Nzb;

public sealed class NzbEncodingTests
{
    private const string Umlauts = "Größe – ёж 日本";

    public static TheoryData<string, bool> Unicode => new()
    {
        { "utf-8", true },
        { "utf-16", true },
        { "utf-16", false },
        { "utf-16BE", true },
        { "utf-16BE", false },
        { "utf-32", true },
        { "utf-32BE", true },
    };

    [Theory]
    [MemberData(nameof(Unicode))]
    public void Unicode_is_recognised_whatever_the_declaration_says(string name, bool bom)
    {
        var encoding = Encoding.GetEncoding(name);
        var nzb = $"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n{NzbSamples.WithAttributes($"subject=\"{Umlauts}\"")}";

        var file = NzbSamples.Document([.. bom ? encoding.GetPreamble() : [], .. encoding.GetBytes(nzb)]).Files.Single();

        Assert.Equal(Umlauts, file.Subject);
        Assert.Equal("id@x", file.Segments.Single().MessageId);
    }

    [Fact]
    public void A_long_UTF_16_document_is_read_across_block_borders()
    {
        var segments = string.Concat(Enumerable.Range(1, 20_000).Select(i => $"<segment bytes=\"1\" number=\"{i}\">ж{i}@x</segment>"));

        var file = NzbSamples.Document(Encoding.Unicode.GetBytes(NzbSamples.WithSegments(segments))).Files.Single();

        Assert.Equal(Enumerable.Range(1, 20_000).Select(i => $"ж{i}@x"), file.Segments.Select(s => s.MessageId));
    }

    [Theory]
    [InlineData("<?xml version=\"1.0\" encoding=\"utf-16\"?>")]
    [InlineData("<?xml version=\"1.0\" encoding=\"iso-8859-1\" ?>")]
    [InlineData("<?xml version='1.0' encoding='no-such-thing'?>")]
    [InlineData("<?xml encoding=?>")]
    [InlineData("\uFEFF\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>")]
    [InlineData("")]
    public void UTF_8_is_recognised_whatever_the_declaration_says(string declaration) =>
        Assert.Equal(
            Umlauts, NzbSamples.Document(declaration + NzbSamples.WithAttributes($"subject=\"{Umlauts}\"")).Files.Single().Subject);

    [Theory]
    [InlineData("utf-8", "windows-1252", "Größe – €")]
    [InlineData("iso-8859-1", "windows-1252", "Größe – €")]
    [InlineData("windows-1251", "windows-1251", "Ёжик")]
    [InlineData("shift_jis", "shift_jis", "日本")]
    [InlineData("utf-7", "windows-1252", "Größe")]
    public void Other_8_bit_text_is_read_as_declared_or_as_windows_1252(string declared, string written, string subject)
    {
        Encoding.RegisterProvider(CodePagesEncodingProvider.Instance);
        var nzb = $"<?xml version=\"1.0\" encoding=\"{declared}\"?>{NzbSamples.WithAttributes($"subject=\"{subject}\"")}";

        Assert.Equal(subject, NzbSamples.Document(Encoding.GetEncoding(written).GetBytes(nzb)).Files.Single().Subject);
    }

    [Fact]
    public void The_encoding_of_each_value_is_detected_separately()
    {
        byte[] nzb =
        [
            .. "<?xml version=\"1.0\" encoding=\"UTF-8\"?><nzb><head><meta type=\"title\">"u8, .. "é"u8,
            .. "</meta></head><file subject=\""u8, 0xE9,
            .. "\" poster=\""u8, .. "é"u8, .. "\"><segments><segment number=\"1\">"u8, 0xE9, .. "@x</segment></segments></file></nzb>"u8,
        ];

        var document = NzbSamples.Document(nzb);

        Assert.Equal("é", document.FirstMeta("title"));
        Assert.Equal(("é", "é", "é@x"), (document.Files[0].Subject, document.Files[0].Poster, document.Files[0].Segments[0].MessageId));
    }
}
