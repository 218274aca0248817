using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>A posted file, and what of it is the file's.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedPart
{
    [MemoryPackOrder(0)]
    public string?[]? SegmentIds { get; set; }

    [MemoryPackOrder(1)]
    public PackedRange? SegmentIdByteRange { get; set; }

    [MemoryPackOrder(2)]
    public PackedRange? FilePartByteRange { get; set; }
}
