using System.Text;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

public sealed class YencHeaderTests
{
    [Theory]
    [InlineData("=ybegin part=3 total=10 line=128 size=7168000 name=a b  c.bin\r\n", 3, 10, 128, 7168000, "a b  c.bin")]
    [InlineData("=ybegin   total=10\t size=0007168000 part=03  line=128   name=  a.bin  ", 3, 10, 128, 7168000, "a.bin")]
    [InlineData("=ybegin size=5000000000000 name=\"quoted name.mkv\"\n", 0, 0, 0, 5000000000000, "quoted name.mkv")]
    [InlineData("=ybegin SIZE=1 Line=2 NAME=x", 0, 0, 2, 1, "x")]
    [InlineData("=ybegin size=1 name=", 0, 0, 0, 1, "")]
    [InlineData("=ybegin size=1 name=\"", 0, 0, 0, 1, "\"")]
    [InlineData("=ybegin size=1 name=\"\"", 0, 0, 0, 1, "")]
    [InlineData("=ybegin size=1 what ever=1 =x name=size=2 part=3", 0, 0, 0, 1, "size=2 part=3")]
    [InlineData("=ybegin", 0, 0, 0, -1, "")]
    public void ReadsBegin(string line, int part, int total, int lineLength, long size, string name)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin(Encoding.Latin1.GetBytes(line)));
        Assert.Equal(
            (part, total, lineLength, size, name), (header.Part, header.TotalParts, header.LineLength, header.FileSize, header.Name));
        Assert.Equal((false, 0L, size), (header.HasRange, header.Begin, header.PartSize));
    }

    [Theory]
    [InlineData("")]
    [InlineData("=ybeginx size=1")]
    [InlineData("=ypart begin=1 end=1")]
    [InlineData("=ybegin size=-1 name=a")]
    [InlineData("=ybegin size= name=a")]
    [InlineData("=ybegin size=12a name=a")]
    [InlineData("=ybegin size=9223372036854775808 name=a")]
    [InlineData("=ybegin size=1 part=2147483648 name=a")]
    [InlineData("=ybegin size=1 total=x name=a")]
    public void RefusesWhatIsNoBegin(string line)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin("=ybegin size=3 name=old"u8));
        Assert.False(header.TryReadBegin(Encoding.Latin1.GetBytes(line)));
        Assert.Equal((-1, ""), (header.FileSize, header.Name));
    }

    [Fact]
    public void TakesTheLargestNumber()
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin("=ybegin size=9223372036854775807 part=2147483647 name=a"u8));
        Assert.Equal((long.MaxValue, int.MaxValue), (header.FileSize, header.Part));
    }

    [Fact]
    public void ReadsNamesAsUtf8OrElseLatin1()
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin([.. "=ybegin size=1 name="u8, .. "Füße 日本.mkv"u8]));
        Assert.Equal("Füße 日本.mkv", header.Name);
        Assert.True(header.TryReadBegin([.. "=ybegin size=1 name="u8, .. Encoding.Latin1.GetBytes("Füße.mkv")]));
        Assert.Equal("Füße.mkv", header.Name);
        Assert.Equal(Encoding.Latin1.GetBytes("Füße.mkv"), header.NameBytes.ToArray());
    }

    [Theory]
    [InlineData("=ybegin part=2 size=9 name=a b =ypart begin=4 end=6\r\n", "a b", 3, 3)]
    [InlineData("=ybegin part=2 size=9 name=\"a b\" =ypart begin=4 end=6\r\n", "a b", 3, 3)]
    [InlineData("=ybegin part=2 size=9 =ypart begin=4 end=6 name=a", "a", 3, 3)]
    [InlineData("=ybegin part=2 size=9 begin=0 end=6 name=a", "a", 0, 7)]
    public void Reads_both_lines_in_one(string line, string name, long begin, long size)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin(Encoding.Latin1.GetBytes(line)));
        Assert.Equal((name, true, begin, size), (header.Name, header.HasRange, header.Begin, header.PartSize));
        Assert.Equal((2, 9), (header.Part, header.FileSize));
    }

    [Theory]
    [InlineData("=ybegin size=9 name=a =ypart begin=4")]
    [InlineData("=ybegin size=9 name=a =ypart.mkv")]
    [InlineData("=ybegin size=9 name==ypart begin=1 end=2")]
    public void A_name_may_hold_the_word_of_the_other_line(string line)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin(Encoding.Latin1.GetBytes(line)));
        Assert.Equal((line[(line.IndexOf("name=", StringComparison.Ordinal) + 5)..], false), (header.Name, header.HasRange));
    }

    [Theory]
    [InlineData("=ypart begin=1 end=716800\r\n", 0, 716800)]
    [InlineData("=ypart begin=0 end=1", 0, 2)]
    [InlineData("=ypart  end=5000000000001  begin=5000000000000", 4999999999999, 2)]
    [InlineData("=ypart begin=01 x=y end=1", 0, 1)]
    public void ReadsPart(string line, long begin, long size)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin("=ybegin part=1 size=99 name=a"u8));
        Assert.True(header.TryReadPart(Encoding.Latin1.GetBytes(line)));
        Assert.Equal((true, begin, size), (header.HasRange, header.Begin, header.PartSize));
    }

    [Theory]
    [InlineData("=ypart")]
    [InlineData("=ypart begin=1")]
    [InlineData("=ypart end=1")]
    [InlineData("=ypart begin=0")]
    [InlineData("=ypart begin=2 end=1")]
    [InlineData("=ypart begin=-1 end=1")]
    [InlineData("=ypart begin=1 end=9223372036854775808")]
    [InlineData("=yend begin=1 end=2")]
    public void RefusesWhatIsNoPart(string line)
    {
        var header = new YencHeader();
        Assert.True(header.TryReadBegin("=ybegin part=1 size=99 name=a"u8));
        Assert.False(header.TryReadPart(Encoding.Latin1.GetBytes(line)));
        Assert.Equal((false, 0L, 99L), (header.HasRange, header.Begin, header.PartSize));
    }

    [Theory]
    [InlineData("=yend size=716800 part=3 pcrc32=A1b2C3d4 crc32=0e5f6071\r\n", 716800L, 3, 0xA1B2C3D4u, 0x0E5F6071u)]
    [InlineData("=yend  crc32=1   size=5", 5L, null, null, 1u)]
    [InlineData("=yend pcrc32=ffffffffa1b2c3d4", null, null, 0xA1B2C3D4u, null)]
    [InlineData("=yend", null, null, null, null)]
    public void ReadsTrailer(string line, long? size, int? part, uint? partCrc, uint? fileCrc)
    {
        Assert.True(YencTrailer.TryRead(Encoding.Latin1.GetBytes(line), out var trailer));
        Assert.Equal(new YencTrailer(size, part, partCrc, fileCrc), trailer);
    }

    [Theory]
    [InlineData("=yendsize=1")]
    [InlineData("=ybegin size=1")]
    [InlineData("=yend size=x")]
    [InlineData("=yend size=1 crc32=")]
    [InlineData("=yend size=1 crc32=xyz")]
    [InlineData("=yend size=1 pcrc32=00000000000000000")]
    [InlineData("=yend part=99999999999")]
    public void RefusesWhatIsNoTrailer(string line) => Assert.False(YencTrailer.TryRead(Encoding.Latin1.GetBytes(line), out _));

    [Fact]
    public void NeverThrowsOnJunk()
    {
        var header = new YencHeader();
        var alphabet = Encoding.Latin1.GetBytes(" =\t\r\n\"0123456789abcxyzname size part begin end crc32\u00FF");
        for (var seed = 0; seed < 5000; seed++)
        {
            var random = new Random(seed);
            var junk = new byte[random.Next(60)];
            for (var i = 0; i < junk.Length; i++)
                junk[i] = alphabet[random.Next(alphabet.Length)];
            header.TryReadBegin([.. "=ybegin"u8, .. junk]);
            header.TryReadPart([.. "=ypart"u8, .. junk]);
            YencTrailer.TryRead([.. "=yend"u8, .. junk], out _);
            Assert.NotNull(header.Name);
        }
    }
}
