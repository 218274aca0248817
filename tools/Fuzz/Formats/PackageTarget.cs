using NzbDav.Fuzz.Contract;
using NzbDav.Import.Intake;

namespace NzbDav.Fuzz.Formats;

/// <summary>The formats in which an .nzb may be packed.</summary>
internal sealed class PackageTarget() : FuzzTarget("package", "NZB documents in gzip, bzip2 and zip")
{
    private const int MostUnpacked = 1 << 20;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [[0x1F, 0x8B, 8], Text("BZh9"), Text("PK\u0003\u0004"), Text("PK\u0001\u0002"),
        Text("PK\u0005\u0006"), Text(".nzb"), Text("1AY&SY")];

    /// <summary>bzip2 needs 8 MB for its tables, whatever the file contains.</summary>
    public override long MostAllocated(int length) => 32 << 20;

    public override object? Run(byte[] input, Cuts cuts)
    {
        using var file = ScratchFiles.Open();
        file.Write(input);
        var unpacked = NzbPackage.Unpack(file, MostUnpacked, ScratchFiles.Open);
        var lengths = new List<long>();
        foreach (var (_, stream) in unpacked.Parts)
        {
            using (stream)
                lengths.Add(stream.Length);
        }

        BrokenPromiseException.ThrowUnless(
            lengths.TrueForAll(length => length <= Math.Max(MostUnpacked, input.Length)), "No part is larger than allowed.");
        return $"{unpacked.Error} {string.Join(',', lengths)}";
    }
}
