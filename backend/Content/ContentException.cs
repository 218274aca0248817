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
}
