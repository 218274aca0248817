using System.Text;
using NzbDav.Content;

namespace NzbDav.Import.Tests;

public sealed class FinalNamesTests
{
    [Fact]
    public void Names_that_are_taken_get_a_number_without_regard_to_case() => Assert.Equal(
        ["Movie.mkv", "movie (2).MKV", "movie (2) (2).mkv", "MOVIE (3).mkv"],
        Names("Job", File("Movie.mkv"), File("movie.MKV"), File("movie (2).mkv"), File("MOVIE.mkv")));

    [Fact]
    public void Hundreds_of_the_longest_name_stay_different_and_short_enough()
    {
        var name = SafeName.Of(new string('ä', 300) + ".mkv")!;
        var names = Names("Job", [.. Enumerable.Repeat(name, 300).Select(one => File(one))]);
        Assert.Equal(300, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, one => Assert.InRange(Encoding.UTF8.GetByteCount(one), 1, 255));
    }

    [Fact]
    public void The_job_names_the_biggest_file_when_its_name_is_noise_and_what_shares_its_stem() => Assert.Equal(
        ["Some Movie (2020).en.srt", "Some Movie (2020).mkv", "info.nfo", "9f86d081884c7d659a2feaa0c55ad015.mkv"],
        Names(
            "Some Movie (2020)",
            File("b94d27b9934d3e08a52e52d7da7dabfa.en.srt", 10),
            File("b94d27b9934d3e08a52e52d7da7dabfa.mkv", 1000),
            File("info.nfo", 5),
            File("9f86d081884c7d659a2feaa0c55ad015.mkv", 900)));

    [Fact]
    public void What_is_inside_a_disc_goes_with_it() => Assert.Equal(
        ["Some Movie/BDMV/index.bdmv", "b94d27b9934d3e08a52e52d7da7dabfb/a.mkv", "Some Movie.iso"],
        Names(
            "Some Movie",
            File("b94d27b9934d3e08a52e52d7da7dabfa/BDMV/index.bdmv", 10),
            File("b94d27b9934d3e08a52e52d7da7dabfb/a.mkv", 20),
            File("b94d27b9934d3e08a52e52d7da7dabfa", 1000, ".iso") with { Type = FileType.Disc }));

    [Fact]
    public void A_name_that_means_something_stays() =>
        Assert.Equal(["The.Movie.2020.1080p.mkv"], Names("Other name", File("The.Movie.2020.1080p.mkv")));

    [Fact]
    public void A_job_whose_own_name_is_noise_names_nothing() =>
        Assert.Equal(["b94d27b9934d3e08a52e52d7da7dabfa.mkv"], Names("9f86d081884c7d659a2feaa0c55ad015", File("b94d27b9934d3e08a52e52d7da7dabfa.mkv")));

    [Fact]
    public void The_bytes_give_an_extension_to_what_has_none_and_leave_others_alone() => Assert.Equal(
        ["Some Movie.mkv", "other.mp4", "text.nfo"],
        Names("Some Movie", File("b94d27b9934d3e08a52e52d7da7dabfa", 1000, ".mkv") with { Type = FileType.Video }, File("other.mp4", 1, ".mkv") with { Type = FileType.Video }, File("text.nfo")));

    /// <summary>Players and the *arrs go by the name.</summary>
    [Theory]
    [InlineData("Film.2024.rar", FileType.Video, ".mkv", "Film.2024.mkv")]
    [InlineData("Film.2024.bin", FileType.Video, ".mkv", "Film.2024.mkv")]
    [InlineData("Film.2024.mkv.001", FileType.Video, ".mkv", "Film.2024.mkv")]
    [InlineData("Film.2024.001", FileType.Video, ".mp4", "Film.2024.mp4")]
    [InlineData("show.s01e01.hdtv", FileType.Video, ".mkv", "show.s01e01.hdtv.mkv")]
    [InlineData("Song.jpg", FileType.Audio, ".flac", "Song.flac")]
    [InlineData("Film.m2ts", FileType.Video, ".ts", "Film.m2ts")]
    [InlineData("Film.sub", FileType.Subtitle, ".mpg", "Film.sub")]
    [InlineData("cover.tbn", FileType.Image, ".jpg", "cover.tbn")]
    [InlineData("volume.r07", FileType.Archive, ".rar", "volume.r07")]
    public void A_film_is_called_a_film(string name, FileType type, string extension, string expected) =>
        Assert.Equal([expected], Names("Job", File(name, 1, extension) with { Type = type }));

    [Fact]
    public void Subtitles_that_begin_as_a_film_are_subtitles() =>
        Assert.Equal([FileType.Subtitle, FileType.Video, FileType.Video], new[] { FileExtension.Judge("Film.sub", FileType.Video), FileExtension.Judge("Film.rar", FileType.Video), FileExtension.Judge("Film.mkv", FileType.Unknown) });

    [Fact]
    public void Folders_of_one_name_in_different_case_become_one_and_no_file_stands_in_their_way() => Assert.Equal(
        ["Disc/a.mkv", "Disc/b.mkv", "DISC (2)"],
        Names("Job", File("Disc/a.mkv"), File("disc/b.mkv"), File("DISC")));

    private static string[] Names(string job, params ContentFile[] files) => [.. FinalNames.Run(job, files).Select(file => string.Join('/', file.Path))];

    private static ContentFile File(string path, long size = 1, string extension = "")
    {
        var table = new SegmentTable.Builder();
        table.Add("a@b", 0, 1);
        return new ContentFile(path.Split('/'), ExtentMap.OfWholeSegments(table.Build()), size) { Extension = extension };
    }
}
