using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file that is one posted file (SubType 201). What InfiniDysk adds behind is passed over.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedPlain
{
    [MemoryPackOrder(0)]
    public Guid Id { get; set; }

    [MemoryPackOrder(1)]
    public string?[]? SegmentIds { get; set; }
}
