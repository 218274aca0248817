using NzbDav.Content;

namespace NzbDav.Archives.Layouts;

/// <summary>Refusals that several formats share.</summary>
internal static class ArchiveRefusals
{
    /// <summary>
    /// Refuses volumes whose names, headers, subject numbers and dates leave more than one order possible, and whose content proves none.
    /// </summary>
    public static ArchiveRefusal Unordered(string format, int volumes, string first) => new(
        ArchiveRefusalReason.Unordered,
        $"{format}: the order of the {volumes} volumes of which '{first}' is the first is unknown: "
        + "neither names, numbers in subjects nor dates prove one, and the files inside do not confirm the order of the .nzb.");

    /// <summary>Refuses an archive whose headers could not be fetched.</summary>
    public static ArchiveRefusal Of(ContentException fault, string name) => new(
        fault.Fault is ContentFault.Unavailable ? ArchiveRefusalReason.Unavailable : ArchiveRefusalReason.Unreadable,
        $"The headers of '{name}' cannot be read: {fault.Message}");
}
