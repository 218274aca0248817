using System.Text;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Tests;

public sealed class Crc32Tests
{
    [Theory]
    [InlineData("", 0x00000000u)]
    [InlineData("a", 0xE8B7BE43u)]
    [InlineData("123456789", 0xCBF43926u)]
    [InlineData("The quick brown fox jumps over the lazy dog", 0x414FA339u)]
    public void Gives_the_published_values(string text, uint crc) => Assert.Equal(crc, Crc32.Of(Encoding.ASCII.GetBytes(text)));

    [Fact]
    public void Agrees_with_the_definition_at_every_length_and_alignment()
    {
        var data = new byte[300];
        new Random(1).NextBytes(data);
        for (var start = 0; start < 17; start++)
        {
            for (var length = 0; length < 200; length++)
                Assert.Equal(PlainYenc.Crc(data.AsSpan(start, length)), Crc32.Of(data.AsSpan(start, length)));
        }
    }
}
