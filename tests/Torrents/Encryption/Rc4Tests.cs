using System.Text;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Encryption;

public sealed class Rc4Tests
{
    [Theory]
    [InlineData("0102030405", 0, "b2396305f03dc027ccc3524a0a1118a8")]
    [InlineData("0102030405", 1_024, "30abbcc7c20b01609f23ee2d5f6bb7df")]
    [InlineData("0102030405060708090a0b0c0d0e0f10", 0, "9ac7cc9a609d1ef7b2932899cde41b97")]
    [InlineData("0102030405060708090a0b0c0d0e0f10", 1_024, "bdf0324e6083dcc6d3cedd3ca8c53c16")]
    public void The_key_stream_matches_RFC_6229(string key, int offset, string expected)
    {
        var bytes = new byte[16];
        new Rc4(Convert.FromHexString(key), offset).Process(bytes);
        Assert.Equal(expected, Convert.ToHexStringLower(bytes));
    }

    [Fact]
    public void The_first_1024_bytes_are_dropped_by_default()
    {
        var bytes = new byte[16];
        new Rc4(Convert.FromHexString("0102030405")).Process(bytes);
        Assert.Equal("30abbcc7c20b01609f23ee2d5f6bb7df", Convert.ToHexStringLower(bytes));
    }

    [Fact]
    public void Bytes_can_be_processed_in_parts_of_any_length()
    {
        var key = Encoding.ASCII.GetBytes("twenty bytes of key!");
        var whole = new byte[5_000];
        new Rc4(key).Process(whole);
        var random = new Random(1);
        var parts = new byte[5_000];
        var cipher = new Rc4(key);
        for (var at = 0; at < parts.Length;)
        {
            var length = Math.Min(random.Next(0, 40), parts.Length - at);
            cipher.Process(parts.AsSpan(at, length));
            at += length;
        }

        Assert.Equal(whole, parts);
    }
}
