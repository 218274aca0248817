using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>Bytes of a posted file, or of a file made of several.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedRange
{
    [MemoryPackOrder(0)]
    public long StartInclusive { get; set; }

    [MemoryPackOrder(1)]
    public long EndExclusive { get; set; }
}
