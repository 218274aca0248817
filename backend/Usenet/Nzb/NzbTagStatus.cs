namespace NzbDav.Usenet.Nzb;

/// <summary>Result of parsing a tag.</summary>
internal enum NzbTagStatus
{
    /// <summary>The tag is complete.</summary>
    Complete,

    /// <summary>It continues beyond the window.</summary>
    NeedMore,

    /// <summary>A stray <c>&lt;</c>: text, for instance that of a message-id in raw brackets.</summary>
    NotATag,

    /// <summary>An attribute is longer than allowed.</summary>
    TooLong,
}
