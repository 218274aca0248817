namespace NzbDav.Usenet.Nzb;

/// <summary>What came of looking at a tag.</summary>
internal enum NzbTagStatus
{
    /// <summary>The tag is whole.</summary>
    Complete,

    /// <summary>It goes on behind what is in the window.</summary>
    NeedMore,

    /// <summary>A stray <c>&lt;</c>: text, for instance that of a message-id in raw brackets.</summary>
    NotATag,

    /// <summary>An attribute is longer than allowed.</summary>
    TooLong,
}
