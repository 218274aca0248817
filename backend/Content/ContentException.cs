namespace NzbDav.Content;

/// <summary>Turns an expected failure of a source into an exception. Thrown by <see cref="ContentReader.NextAsync"/> only.</summary>
public sealed class ContentException : IOException
{
    public ContentException(ContentFault fault, string message)
        : base(message) => Fault = fault;

    public ContentException(ContentFault fault, string message, Exception? innerException)
        : base(message, innerException) => Fault = fault;

    /// <summary>What kind of failure, so that callers need not read the message.</summary>
    public ContentFault Fault { get; }

    /// <summary>The lost bytes of the posted file, and their segment; null: not known, or not a posted file.</summary>
    public LostRange? Lost { get; init; }

    /// <summary>Why the bytes of a segment that ended cannot be read or kept.</summary>
    /// <param name="outcome">How it ended.</param>
    /// <param name="reason">Why, as its source says; null: it does not.</param>
    /// <param name="id">The segment.</param>
    internal static ContentException Of(SegmentOutcome outcome, string? reason, string id) => outcome switch
    {
        SegmentOutcome.Missing => new(ContentFault.Missing, reason ?? $"The article <{id}> is missing."),
        SegmentOutcome.Unavailable => new(ContentFault.Unavailable, reason ?? "No provider answers."),
        SegmentOutcome.Corrupt => new(ContentFault.Corrupt, reason ?? $"The article <{id}> is damaged."),
        _ => new(ContentFault.Corrupt, $"The article <{id}> was damaged, and part of it had already been sent."),
    };
}

/// <summary>Why bytes could not be read.</summary>
public enum ContentFault
{
    /// <summary>The bytes are gone everywhere: permanent (HTTP 404).</summary>
    Missing,

    /// <summary>Every copy that could be fetched is damaged: treated as permanent (HTTP 404).</summary>
    Corrupt,

    /// <summary>No source answers now; trying later may succeed (HTTP 503).</summary>
    Unavailable,
}

/// <summary>Lost bytes of a posted file: those of one segment.</summary>
/// <param name="Start">Offset of the first, in the file as it was posted.</param>
/// <param name="End">One past the last.</param>
/// <param name="Segment">The segment, by its index in the file's <see cref="ExtentMap"/>.</param>
public readonly record struct LostRange(long Start, long End, int Segment);
