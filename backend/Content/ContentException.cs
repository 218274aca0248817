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
