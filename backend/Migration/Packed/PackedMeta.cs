using System.Text.Json;

namespace NzbDav.Migration.Packed;

/// <summary>Location of a file in several posted files.</summary>
internal sealed class PackedMeta
{
    public PackedCipher? AesParams { get; set; }

    public PackedPart?[]? FileParts { get; set; }

    /// <summary>InfiniDysk: the last volumes have not been examined yet.</summary>
    public bool IsLazy { get; set; }

    public string? ArchivePassword { get; set; }

    /// <summary>nzbdav2, in rows only: the key that the bytes are combined with.</summary>
    public JsonElement? ObfuscationKey { get; set; }
}
