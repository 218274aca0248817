using System.Text;
using NzbDav.Library.Export;

namespace NzbDav.Library.Tests.Export;

/// <summary>Names that a file system cannot store, or cannot store twice.</summary>
public sealed class ExportNamesTests
{
    [Theory]
    [InlineData("Film: Part \"One\"?", "Film_ Part _One__")]
    [InlineData("a\\b|c<d>e*f", "a_b_c_d_e_f")]
    [InlineData("line\nfeed\u0001", "line_feed_")]
    [InlineData("ends with a dot.", "ends with a dot_")]
    [InlineData("ends with a blank ", "ends with a blank_")]
    [InlineData("nul", "_nul")]
    [InlineData("COM1.mkv", "_COM1.mkv")]
    [InlineData("COM1 and more.mkv", "COM1 and more.mkv")]
    [InlineData("common.mkv", "common.mkv")]
    [InlineData(".nzbdav-export", "_.nzbdav-export")]
    [InlineData("Überfilm 映画.mkv", "Überfilm 映画.mkv")]
    public void Names_are_valid_on_Windows(string name, string expected) => Assert.Equal(expected, new ExportNames().Claim(name, 7, ""));

    [Fact]
    public void Only_the_first_of_names_that_differ_by_case_stays_unchanged()
    {
        var names = new ExportNames();
        Assert.Equal("Film.mkv", names.Claim("Film.mkv", 0x1_0000_0001, ""));
        Assert.Equal("FILM ~00000002.mkv", names.Claim("FILM.mkv", 0x1_0000_0002, ""));
        Assert.Equal("Film.strm", names.Claim("Film", 3, ".strm"));
        Assert.Equal("film ~00000004.strm", names.Claim("film", 4, ".strm"));
        Assert.False(names.TryClaim("FILM.STRM"));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData(".mkv", "")]
    [InlineData("", ".strm")]
    public void A_name_over_255_bytes_is_cut_between_characters_and_keeps_its_extension(string own, string extension)
    {
        var names = new ExportNames();
        var one = names.Claim(new string('映', 100) + "1" + own, 1, extension);
        var two = names.Claim(new string('映', 100) + "2" + own, 2, extension);
        Assert.InRange(Encoding.UTF8.GetByteCount(one), 250, 255);
        Assert.NotEqual(one, two);
        Assert.EndsWith(own + extension, one, StringComparison.Ordinal);
        Assert.DoesNotContain('\ufffd', one);
        Assert.Equal(one, new ExportNames().Claim(new string('映', 100) + "1" + own, 1, extension));
    }

    [Theory]
    [InlineData(
        "The.Show.S02E05.1080p.mkv", "<episodedetails>\n  <showtitle>The Show</showtitle>\n  <season>2</season>\n  <episode>5</episode>\n")]
    [InlineData("2001.A.Space.Odyssey.1968.mkv", "<movie>\n  <title>2001 A Space Odyssey</title>\n  <year>1968</year>\n")]
    [InlineData("Tom & <Jerry> (1992).mkv", "<movie>\n  <title>Tom &amp; &lt;Jerry&gt;</title>\n  <year>1992</year>\n")]
    [InlineData("something.mkv",
        "<movie>\n  <dateadded>2026-01-02 03:04:05</dateadded>\n  <original_filename>something.mkv</original_filename>\n</movie>\n")]
    [InlineData("1917.mkv", "<movie>\n  <dateadded>")]
    public void Details_hold_only_what_the_name_states_unambiguously(string name, string expected)
    {
        var text = NfoText.Of(name, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero));
        Assert.Contains(expected, text, StringComparison.Ordinal);
        System.Xml.Linq.XDocument.Parse(text);
    }
}
