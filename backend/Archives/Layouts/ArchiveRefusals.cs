using NzbDav.Content;

namespace NzbDav.Archives.Layouts;

/// <summary>Refusals that several formats share.</summary>
internal static class ArchiveRefusals
{
    /// <summary>Volumes whose names, headers, numbers in the subject and dates leave more than one order open.</summary>
    public static ArchiveRefusal Unordered(string format, int volumes, string first) => new(
        ArchiveRefusalReason.Unordered,
        $"{format}: nothing tells in which order the {volumes} volumes belong of which '{first}' is the first: their names and subjects have no numbers, and they have no dates of their own.");

    /// <summary>The headers could not be fetched.</summary>
    public static ArchiveRefusal Of(ContentException fault, string name) => new(
        fault.Fault is ContentFault.Unavailable ? ArchiveRefusalReason.Unavailable : ArchiveRefusalReason.Unreadable,
        $"The headers of '{name}' cannot be read: {fault.Message}");
}
