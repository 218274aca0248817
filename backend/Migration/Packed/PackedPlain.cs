namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file that is one posted file (SubType 201). What InfiniDysk adds behind is passed over.</summary>
internal sealed class PackedPlain
{
    public string?[]? SegmentIds { get; set; }
}
