using System.Text.Json;
using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>Where a file lies in several posted files.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedMeta
{
    [MemoryPackOrder(0)]
    public PackedCipher? AesParams { get; set; }

    [MemoryPackOrder(1)]
    public PackedPart?[]? FileParts { get; set; }

    /// <summary>InfiniDysk: the volumes at the end were not looked at yet.</summary>
    [MemoryPackOrder(2)]
    public bool IsLazy { get; set; }

    [MemoryPackOrder(3)]
    public string? PathInArchive { get; set; }

    [MemoryPackOrder(4)]
    public string? ArchivePassword { get; set; }

    /// <summary>nzbdav2, in rows only: what the bytes are combined with.</summary>
    [MemoryPackIgnore]
    public JsonElement? ObfuscationKey { get; set; }
}
