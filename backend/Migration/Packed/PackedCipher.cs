using MemoryPack;

namespace NzbDav.Migration.Packed;

/// <summary>How a file is encrypted: the key is there, the password is not.</summary>
[MemoryPackable(GenerateType.VersionTolerant)]
internal sealed partial class PackedCipher
{
    [MemoryPackOrder(0)]
    public long DecodedSize { get; set; }

    [MemoryPackOrder(1)]
    public byte[]? Iv { get; set; }

    [MemoryPackOrder(2)]
    public byte[]? Key { get; set; }
}
