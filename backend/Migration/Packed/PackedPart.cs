namespace NzbDav.Migration.Packed;

/// <summary>A posted file, and what of it is the file's.</summary>
internal sealed class PackedPart
{
    public string?[]? SegmentIds { get; set; }

    public PackedRange? SegmentIdByteRange { get; set; }

    public PackedRange? FilePartByteRange { get; set; }
}
