using System.Text;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Steps;

namespace NzbDav.Import.Tests.Steps;

public sealed class FinalNamesTests
{
    [Fact]
    public void Duplicate_names_get_a_number_ignoring_case() => Assert.Equal(
        ["Movie.mkv", "movie (2).MKV", "movie (2) (2).mkv", "MOVIE (3).mkv"],
        Names("Job", File("Movie.mkv"), File("movie.MKV"), File("movie (2).mkv"), File("MOVIE.mkv")));

    [Fact]
    public void Hundreds_of_equal_longest_names_stay_distinct_and_short_enough()
    {
        var name = SafeName.Of(new string('ä', 300) + ".mkv")!;
        var names = Names("Job", [.. Enumerable.Repeat(name, 300).Select(one => File(one))]);
        Assert.Equal(300, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, one => Assert.InRange(Encoding.UTF8.GetByteCount(one), 1, 255));
    }

    [Fact]
    public void The_biggest_file_and_those_sharing_its_noise_stem_get_the_jobs_name() => Assert.Equal(
        ["Some Movie (2020).en.srt", "Some Movie (2020).mkv", "info.nfo", "9f86d081884c7d659a2feaa0c55ad015.mkv"],
        Names(
            "Some Movie (2020)",
            File("b94d27b9934d3e08a52e52d7da7dabfa.en.srt", 10),
            File("b94d27b9934d3e08a52e52d7da7dabfa.mkv", 1000),
            File("info.nfo", 5),
            File("9f86d081884c7d659a2feaa0c55ad015.mkv", 900)));

    [Fact]
    public void Files_of_a_disc_are_renamed_with_it() => Assert.Equal(
        ["Some Movie/BDMV/index.bdmv", "b94d27b9934d3e08a52e52d7da7dabfb/a.mkv", "Some Movie.iso"],
        Names(
            "Some Movie",
            File("b94d27b9934d3e08a52e52d7da7dabfa/BDMV/index.bdmv", 10),
            File("b94d27b9934d3e08a52e52d7da7dabfb/a.mkv", 20),
            File("b94d27b9934d3e08a52e52d7da7dabfa", 1000, ".iso") with { Type = FileType.Disc }));

    [Fact]
    public void A_meaningful_name_is_kept() =>
        Assert.Equal(["The.Movie.2020.1080p.mkv"], Names("Other name", File("The.Movie.2020.1080p.mkv")));

    [Fact]
    public void A_job_whose_name_is_noise_renames_nothing() =>
        Assert.Equal(["b94d27b9934d3e08a52e52d7da7dabfa.mkv"],
            Names("9f86d081884c7d659a2feaa0c55ad015", File("b94d27b9934d3e08a52e52d7da7dabfa.mkv")));

    [Fact]
    public void A_missing_extension_is_derived_from_the_bytes_and_others_are_kept() => Assert.Equal(
        ["Some Movie.mkv", "other.mp4", "text.nfo"],
        Names("Some Movie", File("b94d27b9934d3e08a52e52d7da7dabfa", 1000, ".mkv") with { Type = FileType.Video },
            File("other.mp4", 1, ".mkv") with { Type = FileType.Video }, File("text.nfo")));

    /// <summary>Players and the *arrs decide by the extension.</summary>
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
    public void A_video_gets_a_video_extension(string name, FileType type, string extension, string expected) =>
        Assert.Equal([expected], Names("Job", File(name, 1, extension) with { Type = type }));

    [Fact]
    public void Subtitles_that_begin_like_a_video_stay_subtitles() =>
        Assert.Equal([FileType.Subtitle, FileType.Video, FileType.Video], new[] { FileExtension.Resolve("Film.sub", FileType.Video),
            FileExtension.Resolve("Film.rar", FileType.Video), FileExtension.Resolve("Film.mkv", FileType.Unknown) });

    [Fact]
    public void Folders_that_differ_only_in_case_are_merged_and_conflicting_files_renamed() => Assert.Equal(
        ["Disc/a.mkv", "Disc/b.mkv", "DISC (2)"],
        Names("Job", File("Disc/a.mkv"), File("disc/b.mkv"), File("DISC")));

    private static string[] Names(string job, params ContentFile[] files) =>
        [.. FinalNames.Run(job, files).Select(file => string.Join('/', file.Path))];

    private static ContentFile File(string path, long size = 1, string extension = "")
    {
        var table = new SegmentTable.Builder();
        table.Add("a@b", 0, 1);
        return new ContentFile(path.Split('/'), ExtentMap.OfWholeSegments(table.Build()), size) { Extension = extension };
    }
}
