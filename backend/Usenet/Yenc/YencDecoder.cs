namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes the data lines of a yEnc article as received from an NNTP server. In one pass it decodes yEnc, unstuffs dots, and searches for
/// control lines and the article's end. Stateless; thread-safe.
/// </summary>
internal static class YencDecoder
{
    /// <summary>Decodes until the source is used up or the caller must act.</summary>
    /// <param name="state">The state after the last call; the default at the first byte of an article's body.</param>
    /// <param name="source">Received bytes, dot-stuffed, from any position.</param>
    /// <param name="destination">Receives the decoded bytes; must not overlap the source. Bytes after <paramref name="written"/> may be
    /// overwritten with garbage, those outside the span never.</param>
    /// <param name="consumed">Bytes of the source that are processed; pass the rest again.</param>
    /// <param name="written">Bytes written to the destination.</param>
    public static YencScan Decode(
        ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written)
    {
        // These are constants to the JIT compiler: only one branch remains.
        if (YencBlock512.IsSupported)
            return VectorYencDecoder.Decode<YencBlock512>(ref state, source, destination, out consumed, out written);
        if (YencBlock256.IsSupported)
            return VectorYencDecoder.Decode<YencBlock256>(ref state, source, destination, out consumed, out written);
        if (YencBlock128.IsSupported)
            return VectorYencDecoder.Decode<YencBlock128>(ref state, source, destination, out consumed, out written);
        return ScalarYencDecoder.Decode(ref state, source, destination, out consumed, out written);
    }
}

/// <summary>
/// Context of the next byte, given by the bytes before it. A decoder carries nothing else from one call to the next. The default is the
/// start of a line.
/// </summary>
internal enum YencDecoderState : byte
{
    /// <summary>After CR LF: a dot was stuffed by NNTP (RFC 3977, 3.1.1), and <c>=y</c> begins a control line.</summary>
    LineStart,

    /// <summary>
    /// After an LF without CR: <c>=y</c> begins a control line, but a dot is data, because NNTP lines end with CR LF only.
    /// </summary>
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

/// <summary>Why a decoder stopped.</summary>
internal enum YencScan
{
    /// <summary>The source is used up. The state holds what is pending.</summary>
    NeedMore,

    /// <summary>The next byte of the source is data and there is no room for it.</summary>
    DestinationFull,

    /// <summary>A line starts with <c>=y</c>. Both bytes are consumed; the rest of the line is next.</summary>
    ControlLine,

    /// <summary>The line <c>.</c> that ends a multi-line NNTP reply has been consumed, CR LF included.</summary>
    ArticleEnd,
}
