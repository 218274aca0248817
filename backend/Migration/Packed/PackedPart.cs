namespace NzbDav.Migration.Packed;

/// <summary>A posted file, and the bytes of it that belong to the file.</summary>
internal sealed class PackedPart
{
    public string?[]? SegmentIds { get; set; }

    public PackedRange? SegmentIdByteRange { get; set; }

    public PackedRange? FilePartByteRange { get; set; }
}
