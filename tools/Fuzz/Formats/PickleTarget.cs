using NzbDav.Fuzz.Contract;
using NzbDav.Migration.Sabnzbd;

namespace NzbDav.Fuzz.Formats;

/// <summary>SABnzbd's record of an unfinished download: a pickled dictionary.</summary>
internal sealed class PickleTarget() : FuzzTarget("pickle", "SABnzbd's pickled downloads")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. "8002|8005|7d|28|75|73|2e|94|7100|6800|5803000000636174|8c03636174|4b01|4a9cffffff|4e|5d|65|85|86|87|95ffffffffffffffff|58ffffffff|72ffffffff|6affffffff".Split('|').Select(Convert.FromHexString)];

    public override IEnumerable<byte[]> Seeds() =>
    [
        // Protocols 2 and 5 of {"cat": "tv", "priority": -100, "flags": [(1, 2)], "url": None}, written by Python.
        Convert.FromHexString("80027d7100285803000000636174710158020000007476710258080000007072696f7269747971034a9cffffff5805000000666c61677371045d71054b014b0286710661580300000075726c71074e752e"),
        Convert.FromHexString("80059538000000000000007d94288c03636174948c027476948c087072696f72697479944a9cffffff8c05666c616773945d944b014b028694618c0375726c944e752e"),
    ];

    public override object? Run(byte[] input, Cuts cuts)
    {
        try
        {
            return string.Join('|', PickledTexts.Read(input).OrderBy(text => text.Key, StringComparer.Ordinal));
        }
        catch (InvalidDataException e)
        {
            return e.Message;
        }
    }
}
