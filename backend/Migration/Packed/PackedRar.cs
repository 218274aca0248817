using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file in RAR volumes as it stored them first (SubType 202).</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedRar
{
    [MemoryPackOrder(0)]
    public Guid Id { get; set; }

    [MemoryPackOrder(1)]
    public PackedRarPart?[]? RarParts { get; set; }
}
