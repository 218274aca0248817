namespace NzbDav.Content;

/// <summary>The edge where an expected failure of a source becomes an exception: thrown by <see cref="ContentReader.NextAsync"/> only.</summary>
public sealed class ContentException : IOException
{
    public ContentException(ContentFault fault, string message)
        : base(message) => Fault = fault;

    public ContentException(ContentFault fault, string message, Exception? innerException)
        : base(message, innerException) => Fault = fault;

    /// <summary>What kind of failure, so that callers need not read the message.</summary>
    public ContentFault Fault { get; }

    /// <summary>The bytes of the posted file that are gone, and the segment they were in; null: not known, or it is no posted file.</summary>
    public LostRange? Lost { get; init; }
}
