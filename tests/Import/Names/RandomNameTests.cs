using NzbDav.Import.Names;

namespace NzbDav.Import.Tests.Names;

public sealed class RandomNameTests
{
    [Theory]
    [InlineData("b94d27b9934d3e08a52e52d7da7dabfa.mkv")]
    [InlineData("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")]
    [InlineData("550e8400-e29b-41d4-a716-446655440000.mkv")]
    [InlineData("aB3xK9pQ2mZ7vL4n.mkv")]
    [InlineData("qk8ZpL0xvT3mW9sJ")]
    [InlineData("bkqrtzxwvplmhg.mp4")]
    [InlineData("0a1b2c3d4e5f6a7b.7c8d9e0f1a2b3c4d.mkv")]
    [InlineData("")]
    public void Random_names_are_recognised_as_noise(string name) => Assert.True(RandomName.Is(name), name);

    [Theory]
    [InlineData("The.Movie.2020.1080p.BluRay.x264-GROUP.mkv")]
    [InlineData("Show S01E02.mkv")]
    [InlineData("show.s01e02.720p.web.h264.mkv")]
    [InlineData("TheMatrixReloaded.mkv")]
    [InlineData("e01.mkv")]
    [InlineData("Ünïcödé – 日本語.mkv")]
    [InlineData("2001 A Space Odyssey (1968).mkv")]
    [InlineData("disturbia.2007.mkv")]
    [InlineData("Big_Buck_Bunny_1080p_surround_FrostWire.com.avi")]
    [InlineData("ubuntu-24.04-desktop-amd64.iso")]
    [InlineData("The Job (2024)")]
    public void Meaningful_names_are_not_noise(string name) => Assert.False(RandomName.Is(name), name);
}
