using System.Text;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Tests;

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
    [InlineData("name.averyverylongextension", "\"movie.mkv\" yEnc (1/3)", "movie.mkv")]
    public void The_header_names_the_file_else_the_subject_else_the_job(string header, string subject, string expected) =>
        Assert.Equal([expected], Names((header, subject)));

    [Fact]
    public void Names_that_are_taken_get_a_number_without_regard_to_case() => Assert.Equal(
        ["Movie.mkv", "movie (2).MKV", "movie (2) (2).mkv", "MOVIE (3).mkv"],
        Names(("Movie.mkv", ""), ("movie.MKV", ""), ("movie (2).mkv", ""), ("MOVIE.mkv", "")));

    [Fact]
    public void Files_without_a_name_are_numbered_by_their_place() =>
        Assert.Equal(["Job (1)", "a.mkv", "Job (3)"], Names(("", ""), ("a.mkv", ""), ("", "")));

    [Fact]
    public void Hundreds_of_the_longest_name_stay_different_and_short_enough()
    {
        var names = Names([.. Enumerable.Repeat((new string('ä', 300) + ".mkv", ""), 300)]);
        Assert.Equal(300, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, name => Assert.InRange(Encoding.UTF8.GetByteCount(name), 1, 255));
    }

    private static IReadOnlyList<string> Names(params (string Header, string Subject)[] files)
    {
        var table = new SegmentTable.Builder();
        table.Add("a@b", 0, 1);
        var map = ExtentMap.OfWholeSegments(table.Build());
        return NameStep.Run("Job", [.. files.Select(file => new ProbedFile(Posted(file.Subject), new ArticleHeader(file.Header, 1, 1, 1, 0, 1), map))]);
    }

    private static NzbFile Posted(string subject)
    {
        var nzb = $"<nzb><file subject=\"{System.Security.SecurityElement.Escape(subject)}\"><segments><segment bytes=\"1\" number=\"1\">a@b</segment></segments></file></nzb>";
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(nzb));
        return NzbReader.Read(stream).Document!.Files[0];
    }
}
