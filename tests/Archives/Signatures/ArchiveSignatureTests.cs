using NzbDav.Archives.Signatures;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Signatures;

public sealed class ArchiveSignatureTests
{
    [Theory]
    [InlineData("526172211A070100", FileKind.Rar5)]
    [InlineData("526172211A0700CF90", FileKind.Rar4)]
    [InlineData("526172211A0702", FileKind.Unknown)]
    [InlineData("377ABCAF271C0004", FileKind.SevenZip)]
    [InlineData("504B030414", FileKind.Zip)]
    [InlineData("1F8B0800", FileKind.Gzip)]
    [InlineData("425A6839", FileKind.Bzip2)]
    [InlineData("425A6830", FileKind.Unknown)]
    [InlineData("FD377A585A00", FileKind.Xz)]
    [InlineData("1A45DFA3A3", FileKind.Matroska)]
    [InlineData("00000020667479706D703432", FileKind.Mp4)]
    [InlineData("524946460000000041564920", FileKind.Avi)]
    [InlineData("524946460000000057415645", FileKind.Wave)]
    [InlineData("000001BA44", FileKind.MpegPs)]
    [InlineData("3026B2758E66CF11", FileKind.Asf)]
    [InlineData("464C5601", FileKind.Flv)]
    [InlineData("4F67675300", FileKind.Ogg)]
    [InlineData("664C6143", FileKind.Flac)]
    [InlineData("49443303", FileKind.Mp3)]
    [InlineData("FFD8FFE0", FileKind.Jpeg)]
    [InlineData("89504E470D0A1A0A", FileKind.Png)]
    [InlineData("255044462D", FileKind.Pdf)]
    [InlineData("5041523200504B54", FileKind.Par2)]
    [InlineData("4D5A90", FileKind.Program)]
    [InlineData("7F454C46", FileKind.Program)]
    [InlineData("", FileKind.Unknown)]
    public void First_bytes_identify_the_file_type(string hex, FileKind kind)
    {
        var bytes = Convert.FromHexString(hex);

        Assert.Equal(kind, ArchiveSignature.Detect(bytes));

        // No type is recognised from a beginning that is too short, and none reads past the end.
        for (var length = 0; length < bytes.Length; length++)
            ArchiveSignature.Detect(bytes.AsSpan(0, length));
    }

    [Theory]
    [InlineData("<?xml version=\"1.0\"?>\n<!DOCTYPE nzb>\n<nzb xmlns=\"x\">", FileKind.Nzb)]
    [InlineData("\uFEFF  <nzb>", FileKind.Nzb)]
    [InlineData("<?xml version=\"1.0\"?><rss>", FileKind.Xml)]
    [InlineData("nzb", FileKind.Unknown)]
    public void Text_is_recognised(string text, FileKind kind) =>
        Assert.Equal(kind, ArchiveSignature.Detect(System.Text.Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Transport_streams_are_recognised_by_their_packets()
    {
        foreach (var (first, step) in ((int, int)[])[(0, 188), (4, 192)])
        {
            var bytes = new byte[1024];
            for (var at = first; at < bytes.Length; at += step)
                bytes[at] = 0x47;
            Assert.Equal(FileKind.MpegTs, ArchiveSignature.Detect(bytes));
            bytes[first + (2 * step)] = 0;
            Assert.Equal(FileKind.Unknown, ArchiveSignature.Detect(bytes));
        }
    }

    [Fact]
    public void Discs_are_recognised_by_their_descriptors()
    {
        var image = new UdfWriter().Write(new PackedFile("a", [1]));
        Assert.Equal(FileKind.Udf, ArchiveSignature.Detect(image.AsSpan(0, ArchiveSignature.FullLength)));
        Assert.Equal(FileKind.Unknown, ArchiveSignature.Detect(image.AsSpan(0, ArchiveSignature.ShortLength)));
    }

    [Fact]
    public void Random_bytes_are_rarely_recognised_as_a_type()
    {
        var known = 0;
        for (var seed = 0; seed < 2000; seed++)
            known += ArchiveSignature.Detect(SeededBytes.Make(seed, 4096)) == FileKind.Unknown ? 0 : 1;
        Assert.InRange(known, 0, 2);
    }
}
