using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>Knows elements by their names.</summary>
internal static class NzbElements
{
    /// <summary>The element of a name, in whatever case.</summary>
    public static NzbElement Of(ReadOnlySpan<byte> name) => name.Length switch
    {
        7 when Ascii.EqualsIgnoreCase(name, "segment"u8) => NzbElement.Segment,
        8 when Ascii.EqualsIgnoreCase(name, "segments"u8) => NzbElement.Segments,
        5 when Ascii.EqualsIgnoreCase(name, "group"u8) => NzbElement.Group,
        6 when Ascii.EqualsIgnoreCase(name, "groups"u8) => NzbElement.Groups,
        4 when Ascii.EqualsIgnoreCase(name, "file"u8) => NzbElement.File,
        4 when Ascii.EqualsIgnoreCase(name, "meta"u8) => NzbElement.Meta,
        4 when Ascii.EqualsIgnoreCase(name, "head"u8) => NzbElement.Head,
        3 when Ascii.EqualsIgnoreCase(name, "nzb"u8) => NzbElement.Nzb,
        _ => NzbElement.Other,
    };
}
