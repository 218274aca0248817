using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>Limits against malicious headers, and the message for headers that claim more bytes than there are.</summary>
internal static class RarLimits
{
    /// <summary>Most headers in one volume. The largest archives posted hold some thousand files.</summary>
    public const int MostBlocks = 100_000;

    /// <summary>Offset up to which a signature may be in a self-extracting archive; RAR's own modules have less than 0.5 MB.</summary>
    public const int MostModule = 1 << 20;

    /// <summary>The data of a header reach beyond the volume's end.</summary>
    public static ArchiveException TooShort(VolumeWindow window, string? name) => ArchiveException.Damaged(
        name is null
            ? $"'{window.Name}' is shorter ({window.Length} bytes) than its headers say."
            : $"'{window.Name}' is shorter ({window.Length} bytes) than its header for '{name}' says.");
}
