using NzbDav.Migration.Nzbdav;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Tests;

public sealed class LayoutTests
{
    private const string Id = "33221100554477668899aabbccddeeff";

    [Fact]
    public void A_blob_of_a_plain_file_is_read()
    {
        var plain = Assert.IsType<PackedPlain>(
            LayoutReader.Unpack(NzbdavItem.Plain, Convert.FromHexString($"02100f{Id}01000000fcffffff03000000614062")));
        Assert.Equal("a@b", Assert.Single(plain.SegmentIds!));
    }

    [Fact]
    public void A_blob_of_a_file_in_volumes_is_read()
    {
        var meta = Assert.IsType<PackedMeta>(LayoutReader.Unpack(
            NzbdavItem.Multipart,
            Convert.FromHexString($"021041{Id}02013dff01000000030f131301000000fcffffff0300000061406202080800000000000000000a0000000000000002080802000000000000000900000000000000")));
        Assert.Null(meta.AesParams);
        var part = Assert.Single(meta.FileParts!)!;
        Assert.Equal("a@b", Assert.Single(part.SegmentIds!));
        Assert.Equal((0, 10, 2, 9), (part.SegmentIdByteRange!.StartInclusive, part.SegmentIdByteRange.EndExclusive,
            part.FilePartByteRange!.StartInclusive, part.FilePartByteRange.EndExclusive));
    }

    [Fact]
    public void A_blob_of_an_encrypted_file_is_read()
    {
        var meta = Assert.IsType<PackedMeta>(LayoutReader.Unpack(NzbdavItem.Multipart,
            Convert.FromHexString($"021020{Id}021904030806070700000000000000020000000000" + "03000000000000" + "00000000")));
        Assert.Equal((7, 2, 3), (meta.AesParams!.DecodedSize, meta.AesParams.Iv!.Length, meta.AesParams.Key!.Length));
        Assert.Empty(meta.FileParts!);
    }

    [Fact]
    public void A_length_beyond_the_blob_is_refused()
    {
        // A text of two thousand million bytes, and an array of as many entries.
        foreach (var tail in (string[])["01000000000000800300000061", "ffffff7ffcffffff03000000614062"])
            Assert.Throws<InvalidDataException>(
                () => LayoutReader.Unpack(NzbdavItem.Plain, Convert.FromHexString($"0210{tail.Length / 2:x2}{Id}{tail}")));
        Assert.Throws<InvalidDataException>(() => LayoutReader.Unpack(NzbdavItem.Multipart, Convert.FromHexString($"021082ffffff7f{Id}")));
    }

    [Fact]
    public void A_posted_file_of_negative_size_is_refused()
    {
        var packed = LayoutReader.Parse("DavRarFiles", """[{"SegmentIds":["a@b","c@d"],"PartSize":-5,"Offset":2,"ByteCount":7}]""");
        Assert.Equal((null, "its layout contradicts itself"), LayoutShape.Of(packed, 7));
    }

    [Theory]
    [InlineData(3, 2500, 0, 0)]
    [InlineData(3, 2500, 900, null)]
    [InlineData(3, 3000, 500, 0)]
    [InlineData(3, 2500, 1300, 1)]
    [InlineData(1, 500, 400, 0)]
    [InlineData(2, 0, 2, null)]
    [InlineData(2, long.MaxValue, 2, 0)]
    public void The_first_article_is_named_only_if_it_is_unambiguous(int articles, long size, long start, int? expected)
    {
        var part = new PostPart([.. Enumerable.Range(0, articles).Select(number => $"{number}@b")], size, start, size);
        Assert.Equal(expected is null ? null : $"{expected}@b", new FileLayout([part], IsPlain: false, IsEncrypted: false).FirstArticle);
    }
}
