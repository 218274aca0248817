namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file in RAR volumes as it stored them first (SubType 202).</summary>
internal sealed class PackedRar
{
    public PackedRarPart?[]? RarParts { get; set; }
}
