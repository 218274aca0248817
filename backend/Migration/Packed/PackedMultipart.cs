namespace NzbDav.Migration.Packed;

/// <summary>A blob of nzbdav for a file that lies in several posted files (SubType 203).</summary>
internal sealed class PackedMultipart
{
    public PackedMeta? Metadata { get; set; }
}
