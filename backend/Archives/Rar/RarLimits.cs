using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>Bounds for what malicious headers may claim, and the words for claims beyond what is there.</summary>
internal static class RarLimits
{
    /// <summary>Headers in one volume. The largest archives posted hold some thousand files.</summary>
    public const int MostBlocks = 100_000;

    /// <summary>Where a signature may be in a self-extracting archive; RAR's own modules have less than 0.5 MB.</summary>
    public const int MostModule = 1 << 20;

    /// <summary>The data of a header reach beyond the volume's end.</summary>
    public static ArchiveException TooShort(VolumeWindow window, string? name) => ArchiveException.Damaged(
        name is null
            ? $"'{window.Name}' is shorter ({window.Length} bytes) than its headers say."
            : $"'{window.Name}' is shorter ({window.Length} bytes) than its header for '{name}' says.");
}
