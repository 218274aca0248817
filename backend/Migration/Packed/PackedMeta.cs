using System.Text.Json;

namespace NzbDav.Migration.Packed;

/// <summary>Where a file lies in several posted files.</summary>
internal sealed class PackedMeta
{
    public PackedCipher? AesParams { get; set; }

    public PackedPart?[]? FileParts { get; set; }

    /// <summary>InfiniDysk: the volumes at the end were not looked at yet.</summary>
    public bool IsLazy { get; set; }

    public string? ArchivePassword { get; set; }

    /// <summary>nzbdav2, in rows only: what the bytes are combined with.</summary>
    public JsonElement? ObfuscationKey { get; set; }
}
