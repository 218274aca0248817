using NzbDav.Content;

namespace NzbDav.Archives.Layouts;

/// <summary>Why something cannot be served, for programs and for people.</summary>
/// <param name="Reason">For programs.</param>
/// <param name="Text">For people: one sentence that says what is wrong. May quote names from the archive.</param>
public sealed record ArchiveRefusal(ArchiveRefusalReason Reason, string Text);

/// <summary>Why an archive or one of its entries cannot be served.</summary>
public enum ArchiveRefusalReason
{
    /// <summary>The bytes are compressed or filtered, and so cannot be streamed.</summary>
    Compressed,

    /// <summary>Encrypted, and none of the passwords is right.</summary>
    Encrypted,

    /// <summary>Volumes of the set are missing.</summary>
    MissingVolumes,

    /// <summary>All volumes are there, but their order cannot be determined.</summary>
    Unordered,

    /// <summary>The headers are contradictory, fail their checksums, or claim more than there is.</summary>
    Damaged,

    /// <summary>A variant of the format that this product does not know.</summary>
    Unsupported,

    /// <summary>Articles that hold headers are missing or damaged everywhere: permanent.</summary>
    Unreadable,

    /// <summary>Articles that hold headers are unavailable now: trying later may succeed.</summary>
    Unavailable,
}

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

/// <summary>
/// Carries a refusal from a parser to <see cref="ArchiveReader"/>, which returns it as a value. Never leaves this project.
/// </summary>
internal sealed class ArchiveException(ArchiveRefusalReason reason, string text) : Exception(text)
{
    public ArchiveRefusal Refusal { get; } = new(reason, text);

    public static ArchiveException Damaged(string text) => new(ArchiveRefusalReason.Damaged, text);
}
