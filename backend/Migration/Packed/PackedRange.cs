namespace NzbDav.Migration.Packed;

/// <summary>Bytes of a posted file, or of a file made of several.</summary>
internal sealed class PackedRange
{
    public long StartInclusive { get; set; }

    public long EndExclusive { get; set; }
}
