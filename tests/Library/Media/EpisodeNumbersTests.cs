using NzbDav.Library.Media;

namespace NzbDav.Library.Tests.Media;

public sealed class EpisodeNumbersTests
{
    [Theory]
    [InlineData("Show.Name.S01E02.1080p.WEB.h264-GRP.mkv", 1, 2, 2)]
    [InlineData("show name - s1e2 - title.mkv", 1, 2, 2)]
    [InlineData("Show.S03E04E05.720p.mkv", 3, 4, 5)]
    [InlineData("Show.S03E04-E06.mkv", 3, 4, 6)]
    [InlineData("Show.S03E04-06.mkv", 3, 4, 6)]
    [InlineData("Show S03.E04.mkv", 3, 4, 4)]
    [InlineData("Show.S00E01.Special.mkv", 0, 1, 1)]
    [InlineData("Show.1x02.mkv", 1, 2, 2)]
    [InlineData("Show.S01E100.mkv", 1, 100, 100)]
    [InlineData("Show.S01E02-720p.mkv", 1, 2, 2)]
    [InlineData("Show S01E05 - 10 Things.mkv", 1, 5, 5)]
    [InlineData("Show S01E05 - E06.mkv", 1, 5, 6)]
    public void A_name_tells_season_and_episodes(string name, int season, int first, int last) =>
        Assert.Equal(new EpisodeNumbers(season, first, last), EpisodeNumbers.Find(name));

    [Theory]
    [InlineData("Film.2024.1920x1080.mkv")]
    [InlineData("Film.1080p.DTS5.1.mkv")]
    [InlineData("Class3e4.mkv")]
    [InlineData("Show.S\u0660\u0661E\u0660\u0662.mkv")]
    public void Other_names_tell_none(string name) => Assert.Null(EpisodeNumbers.Find(name));

    [Fact]
    public void A_file_has_the_episodes_in_its_range()
    {
        var numbers = new EpisodeNumbers(2, 3, 5);
        Assert.True(numbers.Has(2, 4));
        Assert.True(numbers.Has(null, 5));
        Assert.True(numbers.Has(2, null));
        Assert.False(numbers.Has(2, 6));
        Assert.False(numbers.Has(1, 4));
    }

    [Theory]
    [InlineData("[Group] Show - 05 [1080p].mkv", 5, true)]
    [InlineData("[Group] Show - 05v2 (1080p).mkv", 5, true)]
    [InlineData("Show.E12.720p.mkv", 12, true)]
    [InlineData("Show Episode 112.mkv", 112, true)]
    [InlineData("[Group] Show 2 - 05 [1080p].mkv", 2, false)]
    [InlineData("Show.1080p.mkv", 1080, false)]
    public void A_name_may_count_episodes_alone(string name, int episode, bool has) =>
        Assert.Equal(has, EpisodeNumbers.FindAbsolute(name, out _) == episode);

    [Fact]
    public void The_title_before_such_a_number_has_no_group()
    {
        Assert.Equal(("Some Show", 5), (ReleaseName.FindAbsolute("[Group] Some Show - 05 [1080p]", out var episode), episode));
        Assert.Equal(("Show", 12), (ReleaseName.FindAbsolute("Show.E12.720p", out episode), episode));
        Assert.Null(ReleaseName.FindAbsolute("Some.Film.2026", out _));
    }

    [Theory]
    [InlineData("Some.Show.S01E02.1080p.WEB", "Some Show", null, 2, false)]
    [InlineData("Some Show (2019) - S01E02", "Some Show (2019)", null, 2, false)]
    [InlineData("Some.Show.S01.1080p", "Some Show", null, null, true)]
    [InlineData("Some.Show.Season.1.720p", "Some Show", null, null, true)]
    [InlineData("Some.Film.2026.2160p.WEB", "Some Film", 2026, null, false)]
    [InlineData("2001.A.Space.Odyssey.1968", "2001 A Space Odyssey", 1968, null, false)]
    public void A_release_s_name_tells_title_year_and_episode(string name, string title, int? year, int? episode, bool season)
    {
        var read = ReleaseName.Find(name)!;
        Assert.Equal((title, year, episode, season), (read.Title, read.Year, read.Episode?.First, read.IsSeason));
    }

    [Fact]
    public void Titles_are_the_same_but_for_signs_case_and_a_year()
    {
        Assert.True(ReleaseName.AreSame("Schindler's List", "schindlers list"));
        Assert.True(ReleaseName.AreSame("Some Show (2019)", "Some.Show"));
        Assert.False(ReleaseName.AreSame("1923", ""));
        Assert.False(ReleaseName.AreSame("Some Show 2", "Some Show"));
        Assert.Null(ReleaseName.Find("a home video"));
        Assert.Null(ReleaseName.Find("Film.19\u0663\u0663.1080p"));
    }
}
