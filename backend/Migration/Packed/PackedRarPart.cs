using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>A volume, and what of it is the file's.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedRarPart
{
    [MemoryPackOrder(0)]
    public string?[]? SegmentIds { get; set; }

    [MemoryPackOrder(1)]
    public long PartSize { get; set; }

    [MemoryPackOrder(2)]
    public long Offset { get; set; }

    [MemoryPackOrder(3)]
    public long ByteCount { get; set; }
}
