using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>Refusals that several formats share.</summary>
internal static class ArchiveRefusals
{
    /// <summary>The bytes of headers could not be had.</summary>
    public static ArchiveRefusal Of(ContentException fault, string name) => new(
        fault.Fault is ContentFault.Unavailable ? ArchiveRefusalReason.Unavailable : ArchiveRefusalReason.Unreadable,
        $"The headers of '{name}' cannot be read: {fault.Message}");
}
