namespace NzbDav.Usenet.Yenc;

/// <summary>What an article turned out to be.</summary>
internal enum YencResult
{
    /// <summary>The article is not complete yet.</summary>
    None,

    /// <summary>As many bytes as announced, and no checksum against them; whether there was one is told apart.</summary>
    Ok,

    /// <summary>The owner did not want the data.</summary>
    Discarded,

    /// <summary>No <c>=ybegin</c> line.</summary>
    NotYenc,

    /// <summary>A header that cannot be read, or a part without bytes.</summary>
    BadHeader,

    /// <summary>The part claims more bytes than an article may have.</summary>
    Oversized,

    /// <summary>Fewer or more bytes than <c>=ypart</c> or <c>=yend</c> say.</summary>
    SizeMismatch,

    /// <summary>The bytes do not have the checksum that <c>=yend</c> gives.</summary>
    CrcMismatch,
}
