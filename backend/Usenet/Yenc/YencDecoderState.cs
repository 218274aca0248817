namespace NzbDav.Usenet.Yenc;

/// <summary>
/// What the bytes before the next one mean for it: all that a decoder carries from one call to the next.
/// The default is the start of a line.
/// </summary>
internal enum YencDecoderState : byte
{
    /// <summary>After CR LF: a dot is NNTP's (RFC 3977, 3.1.1), <c>=y</c> opens a control line.</summary>
    LineStart,

    /// <summary>After an LF without CR: <c>=y</c> opens a control line, but a dot is data, for NNTP knows CR LF only.</summary>
    BareLineStart,

    /// <summary>Within a line.</summary>
    Data,

    /// <summary>After <c>=</c>: the next byte is escaped, whatever it is.</summary>
    Escape,

    /// <summary>After CR.</summary>
    Cr,

    /// <summary>After <c>=</c> at the start of a line: an escape, unless <c>y</c> follows.</summary>
    LineEscape,

    /// <summary>After a dot at the start of a line.</summary>
    Dot,

    /// <summary>After a line's first dot and CR: an LF ends the article.</summary>
    DotCr,
}
