using System.Text;
using NzbDav.Library.Subtitles;

namespace NzbDav.Library.Tests.Subtitles;

public sealed class WebVttTests
{
    [Fact]
    public void Turns_SubRip_into_WebVTT()
    {
        const string Srt =
            "1\r\n00:00:01,500 --> 00:00:03,000\r\n{\\an8}Tom & Jerry\r\n<font color=\"red\">say " +
            "<I>hi</I></font>\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,250 X1:40 X2:600\r\nI <3 you, 1 < 2 --> 3\r\n";
        Assert.Equal(
            "WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nTom &amp; Jerry\nsay <i>hi</i>\n\n00:01:00.000 --> 00:01:02.250\nI &lt;3 you, 1 " +
            "&lt; 2 --&gt; 3\n",
            Convert(Srt));
    }

    [Fact]
    public void Sorts_cues_and_drops_empty_ones()
    {
        const string Srt =
            "7\n00:00:05,000 --> 00:00:06,000\nlater\n\n8\n00:00:01,000 --> 00:00:02,000\nsooner\n\n9\n00:00:03,000 --> " +
            "00:00:03,000\nnever\n\n10\n00:00:04,000 --> 00:00:05,000\n{\\pos(1,2)}\n";
        Assert.Equal("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nsooner\n\n00:00:05.000 --> 00:00:06.000\nlater\n", Convert(Srt));
    }

    [Theory]
    [InlineData(2.5, "WEBVTT\n\n00:00:03.500 --> 00:00:04.500\na\n\n01:00:03.500 --> 01:00:05.500\nb\n")]
    [InlineData(-1.5, "WEBVTT\n\n00:00:00.000 --> 00:00:00.500\na\n\n00:59:59.500 --> 01:00:01.500\nb\n")]
    [InlineData(-10, "WEBVTT\n\n00:59:51.000 --> 00:59:53.000\nb\n")]
    public void Shifts_times(double seconds, string expected) =>
        Assert.Equal(expected, WebVtt.Convert(
            "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n01:00:01,000 --> 01:00:03,000\nb\n"u8, TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void Reads_every_usual_encoding()
    {
        const string Srt = "1\n00:00:01,000 --> 00:00:02,000\nÄrger für “Zoë”\n";
        const string Expected = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nÄrger für “Zoë”\n";
        var western = CodePagesEncodingProvider.Instance.GetEncoding(1252)!;
        Encoding[] marked = [Encoding.UTF8, Encoding.Unicode, Encoding.BigEndianUnicode];
        byte[][] files = [.. marked.Select(encoding => (byte[])[.. encoding.GetPreamble(), .. encoding.GetBytes(Srt)]),
            .. marked.Append(western).Select(encoding => encoding.GetBytes(Srt))];
        Assert.All(files, file => Assert.Equal(Expected, WebVtt.Convert(file, TimeSpan.Zero)));
    }

    [Fact]
    public void WebVTT_keeps_its_own_markup_and_drops_the_rest()
    {
        const string Vtt =
            "WEBVTT - a title\n\nSTYLE\n::cue { color: red }\n\nNOTE\nnothing --> here\n\nintro\n00:01.000 --> 00:02.000 align:start " +
            "position:10%\n<v Anna>Tom &amp; Jerry & <00:01.500><c.red>co</c></v> <script>x</script>\n";
        Assert.Equal(
            "WEBVTT\n\n00:00:01.000 --> 00:00:02.000 align:start position:10%\n<v Anna>Tom &amp; Jerry &amp; " +
            "<00:01.500><c.red>co</c></v> x\n", Convert(Vtt));
    }

    [Theory]
    [InlineData("1\n0:00:01.5 --> 0:00:02\nx", "00:00:01.500 --> 00:00:02.000\nx")]
    [InlineData("00:01,5-->00:02,25\nx", "00:00:01.500 --> 00:00:02.250\nx")]
    [InlineData("1\n00:00:01,000 --> 00:00:02,000\nx\n2\n00:00:03,000 --> 00:00:04,000\ny",
        "00:00:01.000 --> 00:00:02.000\nx\n\n00:00:03.000 --> 00:00:04.000\ny")]
    [InlineData("1\n00:00:01,000 --> 00:00:02,000\nx\\Ny", "00:00:01.000 --> 00:00:02.000\nx\ny")]
    public void Accepts_common_deviations(string srt, string cues) => Assert.Equal($"WEBVTT\n\n{cues}\n", Convert(srt));

    [Theory]
    [InlineData("")]
    [InlineData("1\n2\n3")]
    [InlineData("-->")]
    [InlineData("00:00 --> \nx")]
    [InlineData("99999999999:00 --> 1:00\nx")]
    public void Text_without_a_cue_gives_nothing(string text) => Assert.Null(Convert(text));

    [Fact]
    public void Truncated_files_and_noise_throw_no_exception()
    {
        var srt = Encoding.UTF8.GetBytes(
            "1\r\n00:00:01,500 --> 00:00:03,000\r\n{\\an8}Tom & <b>Jerry</b>\r\n<font color=\"red\">ß</font>\r\n\r\n");
        for (var length = 0; length < srt.Length; length++)
            WebVtt.Convert(srt.AsSpan(0, length), TimeSpan.Zero);
        for (var seed = 0; seed < 50; seed++)
            WebVtt.Convert(Fakes.SeededBytes.Make(seed, 1_000), TimeSpan.Zero);
    }

    [Theory]
    [InlineData("Film.mkv", "Film.srt", false, true, null)]
    [InlineData("Film.mkv", "Film.en.srt", false, true, "en")]
    [InlineData("Film.mkv", "film.pt-BR.forced.srt", false, true, "pt-BR")]
    [InlineData("Film.mkv", "Film.German.vtt", false, true, "de")]
    [InlineData("Film.mkv", "Film2.srt", false, false, null)]
    [InlineData("Film.mkv", "2_English.srt", true, true, "en")]
    [InlineData("Film.mkv", "2_English.srt", false, false, null)]
    [InlineData("Film.mkv", "Film.ass", true, false, null)]
    [InlineData("Film.1080p.mkv", "Film.1080p.sdh.eng.srt", false, true, "eng")]
    public void Subtitles_are_matched_to_films_by_name(string film, string name, bool isOnly, bool belongs, string? language)
    {
        var match = SubtitleNames.Match(film, name, isOnly);
        Assert.Equal((belongs, language), (match is not null, match?.Language));
    }

    private static string? Convert(string text) => WebVtt.Convert(Encoding.UTF8.GetBytes(text), TimeSpan.Zero);
}
