namespace NzbDav.Content;

/// <summary>An expected failure of a source, as an exception. Thrown by <see cref="ContentReader.NextAsync"/> only.</summary>
public sealed class ContentException : IOException
{
    public ContentException(ContentFault fault, string message)
        : base(message) => Fault = fault;

    public ContentException(ContentFault fault, string message, Exception? innerException)
        : base(message, innerException) => Fault = fault;

    /// <summary>The kind of failure, so that callers need not parse the message.</summary>
    public ContentFault Fault { get; }

    /// <summary>The lost bytes of the posted file, and their segment; null: not known, or not a posted file.</summary>
    public LostRange? Lost { get; init; }

    /// <summary>The exception for a segment whose bytes cannot be read, or no longer trusted.</summary>
    /// <param name="fault">Why it cannot be read; null: it was found, but not as it was when bytes were lent.</param>
    /// <param name="reason">The source's reason; null: it gave none.</param>
    /// <param name="id">The segment's id.</param>
    internal static ContentException Of(ContentFault? fault, string? reason, string id) => fault switch
    {
        ContentFault.Missing => new(ContentFault.Missing, reason ?? $"The article <{id}> is missing."),
        ContentFault.Unavailable => new(ContentFault.Unavailable, reason ?? "No provider answers."),
        ContentFault.Corrupt => new(ContentFault.Corrupt, reason ?? $"The article <{id}> is damaged."),
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

/// <summary>The lost bytes of one segment of a posted file.</summary>
/// <param name="Bytes">Their place in the posted file.</param>
/// <param name="Segment">The segment, by its index in the file's <see cref="ExtentMap"/>.</param>
public readonly record struct LostRange(ByteSpan Bytes, int Segment);
