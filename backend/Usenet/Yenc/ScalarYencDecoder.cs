namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes byte by byte. This is the reference: every other implementation gives the same result for all inputs, and falls back to this one
/// at the ends of a buffer.
/// </summary>
/// <remarks>
/// The lines of NNTP take precedence: a line begins after CR LF even if an escape precedes it, so a damaged article never hides its
/// terminator. An escape applies to the next byte, across calls as well, even if that byte is CR or LF. Such a byte is decoded as data
/// <em>and</em> counts as (part of) a line end. rapidyenc does the same.
/// </remarks>
internal static class ScalarYencDecoder
{
    /// <inheritdoc cref="YencDecoder.Decode"/>
    public static YencScan Decode(
        ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written)
    {
        var at = state;
        var read = 0;
        var write = 0;
        var result = YencScan.NeedMore;
        while (read < source.Length)
        {
            if (at == YencDecoderState.Data)
            {
                var plain = CopyPlain(source[read..], destination[write..]);
                read += plain;
                write += plain;
                if (read == source.Length)
                    break;
            }

            var value = source[read];
            var step = Step(ref at, value);
            if (step is Advance.Plain or Advance.Escaped)
            {
                if (write == destination.Length)
                {
                    result = YencScan.DestinationFull;
                    break;
                }

                destination[write++] = (byte)(value - (step == Advance.Escaped ? 42 + 64 : 42));
                at = After(step, value);
            }

            read++;
            if (step is Advance.Control or Advance.End)
            {
                result = step == Advance.Control ? YencScan.ControlLine : YencScan.ArticleEnd;
                break;
            }
        }

        state = at;
        consumed = read;
        written = write;
        return result;
    }

    /// <summary>Decodes the plain data bytes at the start of the source, as many as fit.</summary>
    private static int CopyPlain(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        var length = Math.Min(source.Length, destination.Length);
        source = source[..length];
        destination = destination[..length];
        var index = 0;
        for (; index < source.Length && index < destination.Length; index++)
        {
            var value = source[index];
            // One branch instead of three: the compiler would split the byte range for them, and every few bytes of random data would be
            // mispredicted.
            if ((value == '=') | (value == '\r') | (value == '\n'))
                break;
            destination[index] = (byte)(value - 42);
        }

        return index;
    }

    /// <summary>Classifies one byte and advances the state. At data the state stays until the byte has been written.</summary>
    private static Advance Step(ref YencDecoderState state, byte value)
    {
        var (advance, next) = (state, value) switch
        {
            // ".\r\n" at the start of a line.
            (YencDecoderState.LineStart, (byte)'.') => (Advance.Drop, YencDecoderState.Dot),
            (YencDecoderState.Dot, (byte)'\r') => (Advance.Drop, YencDecoderState.DotCr),
            (YencDecoderState.DotCr, (byte)'\n') => (Advance.End, YencDecoderState.LineStart),

            // "=y" at the start of a line, with or without a stuffed dot before it.
            (YencDecoderState.LineStart or YencDecoderState.BareLineStart or YencDecoderState.Dot, (byte)'=') =>
                (Advance.Drop, YencDecoderState.LineEscape),
            (YencDecoderState.LineEscape, (byte)'y') => (Advance.Control, YencDecoderState.Data),

            (YencDecoderState.Escape or YencDecoderState.LineEscape, _) => (Advance.Escaped, state),
            (_, (byte)'=') => (Advance.Drop, YencDecoderState.Escape),
            (_, (byte)'\r') => (Advance.Drop, YencDecoderState.Cr),
            (YencDecoderState.Cr, (byte)'\n') => (Advance.Drop, YencDecoderState.LineStart),
            (_, (byte)'\n') => (Advance.Drop, YencDecoderState.BareLineStart),
            _ => (Advance.Plain, state),
        };
        state = next;
        return advance;
    }

    /// <summary>The state after a byte of data.</summary>
    private static YencDecoderState After(Advance advance, byte value) => (advance, value) switch
    {
        (Advance.Escaped, (byte)'\r') => YencDecoderState.Cr,
        (Advance.Escaped, (byte)'\n') => YencDecoderState.BareLineStart,
        _ => YencDecoderState.Data,
    };

    private enum Advance
    {
        Drop,
        Plain,
        Escaped,
        Control,
        End,
    }
}
