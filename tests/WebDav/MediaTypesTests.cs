using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Tests;

public class MediaTypesTests
{
    [Theory]
    [InlineData("a.mkv", "video/x-matroska")]
    [InlineData("A.B.M2TS", "video/mp2t")]
    [InlineData("x.html", MediaTypes.Default)]
    [InlineData("x.svg", MediaTypes.Default)]
    [InlineData("none", MediaTypes.Default)]
    [InlineData("dot.", MediaTypes.Default)]
    [InlineData("", MediaTypes.Default)]
    public void The_media_type_follows_the_extension(string name, string expected) => Assert.Equal(expected, MediaTypes.FromName(name));
}
