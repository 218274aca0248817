using System.Text;
using NzbDav.Content;
using NzbDav.Import.Probing;
using NzbDav.Import.Steps;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Tests.Steps;

public sealed class NameStepTests
{
    [Theory]
    [InlineData("movie.mkv", "\"other.mkv\" yEnc (1/3)", "movie.mkv")]
    [InlineData("a1b2c3d4", "\"movie.mkv\" yEnc (1/3)", "movie.mkv")]
    [InlineData("a1b2c3d4", "a1b2c3d4 yEnc (1/3)", "a1b2c3d4")]
    [InlineData("", "\"movie.mkv\" yEnc (1/3)", "movie.mkv")]
    [InlineData("../../movie.mkv", "", "movie.mkv")]
    [InlineData("...", "", "Job (1)")]
    [InlineData("", "", "Job (1)")]
    [InlineData("b0a1b2c3d4e5f60718293a4b5c6d7e8f.mkv", "The Movie (2020).mkv yEnc (1/3)", "The Movie (2020).mkv")]
    [InlineData(
        "b0a1b2c3d4e5f60718293a4b5c6d7e8f.mkv", "f8e7d6c5b4a3928170f6e5d4c3b2a190 yEnc (1/3)", "b0a1b2c3d4e5f60718293a4b5c6d7e8f.mkv")]
    [InlineData("name.averyverylongextension", "\"movie.mkv\" yEnc (1/3)", "movie.mkv")]
    public void A_file_is_named_by_its_header_or_subject_or_job(string header, string subject, string expected) =>
        Assert.Equal(expected, Name(header, subject));

    [Fact]
    public void A_name_that_the_bytes_contradict_is_not_used() =>
        Assert.Equal("movie.mkv", Name("invoice.pdf", "\"movie.mkv\" yEnc (1/3)", [0x1A, 0x45, 0xDF, 0xA3]));

    // Shift-JIS for "あ 5話" read as Latin-1, as a yEnc header comes that is not UTF-8.
    [Theory]
    [InlineData("\u0082\u00a0 5\u0098b.mkv", "\"あ 5話.mkv\" yEnc (1/3)", "あ 5話.mkv")]
    [InlineData("\u0082\u00a0 5\u0098b.mkv", "a1b2c3d4e5f60718293a4b5c6d7e8f90 yEnc (1/3)", "a1b2c3d4e5f60718293a4b5c6d7e8f90")]
    [InlineData("café 5.mkv", "other.mkv yEnc (1/3)", "café 5.mkv")]
    public void The_subject_is_used_when_the_header_is_in_another_charset(string header, string subject, string expected) =>
        Assert.Equal(expected, Name(header, subject));

    private static string Name(string header, string subject, byte[]? head = null)
    {
        var table = new SegmentTable.Builder();
        table.Add("a@b", 0, 1);
        return NameStep.Choose("Job", new ProbedFile(
            Posted(subject), new ArticleHeader(header, 1, 1, 1, 0, 1), ExtentMap.OfWholeSegments(table.Build()))
        { Head = head ?? [] }, 0);
    }

    private static NzbFile Posted(string subject)
    {
        var nzb =
            $"<nzb><file subject=\"{System.Security.SecurityElement.Escape(subject)}\"><segments><segment bytes=\"1\" " +
            $"number=\"1\">a@b</segment></segments></file></nzb>";
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(nzb));
        return NzbReader.Read(stream).Document!.Files[0];
    }
}
