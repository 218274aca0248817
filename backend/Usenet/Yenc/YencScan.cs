namespace NzbDav.Usenet.Yenc;

/// <summary>Why a decoder stopped.</summary>
internal enum YencScan
{
    /// <summary>The source is used up; the state remembers what is pending.</summary>
    NeedMore,

    /// <summary>The next byte of the source is data and there is no room for it.</summary>
    DestinationFull,

    /// <summary>A line starts with <c>=y</c>; both bytes are consumed, the rest of the line is next.</summary>
    ControlLine,

    /// <summary>The line <c>.</c> that ends a multi-line NNTP reply is consumed, CR LF included.</summary>
    ArticleEnd,
}
