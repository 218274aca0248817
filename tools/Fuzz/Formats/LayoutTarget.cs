using System.Text.Json;
using NzbDav.Fuzz.Contract;
using NzbDav.Migration.Nzbdav;

namespace NzbDav.Fuzz.Formats;

/// <summary>Layouts of nzbdav: the first byte selects one of three kinds of blobs, or a row.</summary>
internal sealed class LayoutTarget() : FuzzTarget("layout", "Layouts in nzbdav's database and blobs")
{
    private const string Plain = "0102100f" + Id + "01000000fcffffff03000000614062";
    private const string Parts = "03021041" + Id + "02013dff01000000030f131301000000fcffffff0300000061406202080800000000000000000a0000000000000002080802000000000000000900000000000000";
    private const string Locked = "03021020" + Id + "021904030806070700000000000000020000000000" + "03000000000000" + "00000000";
    private const string Id = "33221100554477668899aabbccddeeff";

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [.. "SegmentIds|RarParts|FileParts|AesParams|SegmentIdByteRange|FilePartByteRange|StartInclusive|EndExclusive|PartSize|Offset|ByteCount|ObfuscationKey|ZSTD:|[]|{}|null|\"a@b\"".Split('|').Select(Text)];

    public override IEnumerable<byte[]> Seeds() =>
    [
        .. new[] { Plain, Parts, Locked }.Select(Convert.FromHexString),
        Text("\u0004[\"a@b\",\"c@d\"]"),
        Text("\u0005[{\"SegmentIds\":[\"a@b\"],\"PartSize\":10,\"Offset\":2,\"ByteCount\":7}]"),
        Text("\u0006{\"AesParams\":null,\"FileParts\":[{\"SegmentIds\":[\"a@b\"],\"SegmentIdByteRange\":{\"StartInclusive\":0,\"EndExclusive\":10},\"FilePartByteRange\":{\"StartInclusive\":2,\"EndExclusive\":9}}]}"),
    ];

    public override object? Run(byte[] input, Cuts cuts)
    {
        if (input.Length == 0)
            return "empty";
        try
        {
            var rest = input[1..];
            var packed = (input[0] % 7) switch
            {
                1 => LayoutReader.Unpack(NzbdavItem.Plain, rest),
                2 => LayoutReader.Unpack(NzbdavItem.Rar, rest),
                3 => LayoutReader.Unpack(NzbdavItem.Multipart, rest),
                4 => LayoutReader.Parse("DavNzbFiles", System.Text.Encoding.UTF8.GetString(rest)),
                5 => LayoutReader.Parse("DavRarFiles", System.Text.Encoding.UTF8.GetString(rest)),
                _ => LayoutReader.Parse("DavMultipartFiles", System.Text.Encoding.UTF8.GetString(rest)),
            };
            var (layout, problem) = LayoutShape.Of(packed, 1000);
            BrokenPromiseException.ThrowUnless(layout is null != problem is null, "Either a layout or a problem.");
            BrokenPromiseException.ThrowUnless(layout is null || layout.Parts.All(
                part => part.Articles.Count > 0 && part.Start >= 0 && part.End >= part.Start), "Parts lie within their posted files.");
            return problem ?? $"{layout!.Parts.Count} {layout.FirstArticle}";
        }
        catch (Exception e) when (e is InvalidDataException or JsonException or FormatException or OverflowException)
        {
            return e.GetType().Name;
        }
    }
}
