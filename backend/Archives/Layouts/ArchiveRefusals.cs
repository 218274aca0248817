using NzbDav.Content;

namespace NzbDav.Archives.Layouts;

/// <summary>Refusals that several formats share.</summary>
internal static class ArchiveRefusals
{
    /// <summary>Refuses volumes whose names, headers, subject numbers and dates leave more than one order possible.</summary>
    public static ArchiveRefusal Unordered(string format, int volumes, string first) => new(
        ArchiveRefusalReason.Unordered,
        $"{format}: the order of the {volumes} volumes of which '{first}' is the first is unknown: their names and subjects have no numbers, and they have no dates of their own.");

    /// <summary>Refuses an archive whose headers could not be fetched.</summary>
    public static ArchiveRefusal Of(ContentException fault, string name) => new(
        fault.Fault is ContentFault.Unavailable ? ArchiveRefusalReason.Unavailable : ArchiveRefusalReason.Unreadable,
        $"The headers of '{name}' cannot be read: {fault.Message}");
}
