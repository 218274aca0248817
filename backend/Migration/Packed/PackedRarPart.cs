namespace NzbDav.Migration.Packed;

/// <summary>A volume, and the bytes of it that belong to the file.</summary>
internal sealed class PackedRarPart
{
    public string?[]? SegmentIds { get; set; }

    public long PartSize { get; set; }

    public long Offset { get; set; }

    public long ByteCount { get; set; }
}
