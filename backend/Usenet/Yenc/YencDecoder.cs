namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes the data lines of a yEnc article as they come off an NNTP connection: yEnc, dot-unstuffing and the search for control
/// lines and for the article's end in one pass. Stateless; thread-safe.
/// </summary>
internal static class YencDecoder
{
    /// <summary>Decodes until the source is used up or something needs the caller.</summary>
    /// <param name="state">What is pending from the call before; the default at the first byte of a reply's body.</param>
    /// <param name="source">Bytes as received, dot-stuffed, starting anywhere.</param>
    /// <param name="destination">
    /// Takes the decoded bytes; must not overlap the source. Bytes past <paramref name="written"/> may be overwritten with rubbish
    /// while it runs, those outside the span never.
    /// </param>
    /// <param name="consumed">Bytes of the source that are dealt with; the rest is to be given again.</param>
    /// <param name="written">Bytes of the destination that hold data.</param>
    public static YencScan Decode(ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written)
    {
        // Constants to the JIT compiler: one branch is left.
        if (YencBlock512.IsSupported)
            return VectorYencDecoder.Decode<YencBlock512>(ref state, source, destination, out consumed, out written);
        if (YencBlock256.IsSupported)
            return VectorYencDecoder.Decode<YencBlock256>(ref state, source, destination, out consumed, out written);
        if (YencBlock128.IsSupported)
            return VectorYencDecoder.Decode<YencBlock128>(ref state, source, destination, out consumed, out written);
        return ScalarYencDecoder.Decode(ref state, source, destination, out consumed, out written);
    }
}
