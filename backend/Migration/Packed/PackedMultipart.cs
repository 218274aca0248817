using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file that lies in several posted files (SubType 203).</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedMultipart
{
    [MemoryPackOrder(0)]
    public Guid Id { get; set; }

    [MemoryPackOrder(1)]
    public PackedMeta? Metadata { get; set; }
}
