using NzbDav.Fuzz.Contract;
using NzbDav.Migration.Altmount;

namespace NzbDav.Fuzz.Formats;

/// <summary>altmount's .meta files and stores: the input has a length, a store of that length, and then the .meta file.</summary>
internal sealed class StoreTarget() : FuzzTarget("store", "altmount's .meta files and stores")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. new[] { "00414D3301", "0A", "12", "2A", "4A", "92", "9A01", "A201", "FFFFFFFFFFFFFFFFFF01" }.Select(Convert.FromHexString)];

    /// <summary>
    /// A store of one posted file with an article, a .meta file with one reference to it, and one that contains the article.
    /// </summary>
    public override IEnumerable<byte[]> Seeds() =>
    [
        Convert.FromHexString(
            "11" + "0A0F0A0173" + "2A0A0A03614062" + "1001" + "180A" + "00414D3301" + "080A" + "9201012F" + "9A0106080010001809"),
        Convert.FromHexString("00" + "080A" + "4A0B" + "080A" + "1800" + "2009" + "2A03614062"),
    ];

    public override object? Run(byte[] input, Cuts cuts)
    {
        if (input.Length == 0)
            return "empty";
        try
        {
            var length = Math.Min(input[0], input.Length - 1);
            var store = StoreFile.Parse(input.AsSpan(1, length));
            var meta = MetaFile.Parse(input.AsSpan(1 + length));
            var segments = meta.StorePath.Length > 0 ? meta.SegmentsIn(store) : meta.Segments;
            var (layout, problem) = MetaLayout.Of(meta, [.. segments.Take(1000)]);
            BrokenPromiseException.ThrowUnless(layout is null != problem is null, "Either a layout or a problem.");
            return $"{store.Articles.Count} {segments.Count} {problem} {layout?.Parts.Count} {layout?.FirstArticle} " +
                $"{store.ToNzb(meta.Password).Length}";
        }
        catch (InvalidDataException e)
        {
            return e.Message;
        }
    }
}
