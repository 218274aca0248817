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
}
