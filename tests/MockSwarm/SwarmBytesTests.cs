using NzbDav.MockSwarm.Contents;

namespace NzbDav.MockSwarm.Tests;

public sealed class SwarmBytesTests
{
    [Theory]
    [InlineData(1_000_003, 30_001)]
    [InlineData(1_000_003, 65_536)]
    [InlineData(5, 16)]
    public void Bytes_from_any_offset_match_the_content(int length, int pieceLength)
    {
        var content = SwarmContent.Make(9, pieceLength, new SwarmFile("a", length));
        var bytes = new SwarmBytes(9, pieceLength, length);
        var random = new Random(4);
        for (var i = 0; i < 200; i++)
        {
            var start = random.Next(length);
            var (expected, made) = (new byte[random.Next(length - start + 1)], new byte[length]);
            content.Fill(start, expected);
            bytes.Fill(start, made.AsSpan(0, expected.Length));
            Assert.True(expected.AsSpan().SequenceEqual(made.AsSpan(0, expected.Length)), $"{start} + {expected.Length}");
        }
    }

    [Fact]
    public void Reading_beyond_the_end_throws() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new SwarmBytes(1, 16, 5).Fill(3, new byte[3]));
}
