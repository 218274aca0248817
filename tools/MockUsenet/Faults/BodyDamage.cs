namespace NzbDav.MockUsenet.Faults;

/// <summary>Damaged copies of a body (dot-stuffed, with its dot line). Pure.</summary>
internal static class BodyDamage
{
    /// <summary>
    /// Changes one payload byte, in the middle if possible, so that the yEnc lines stay well-formed and only the CRC
    /// reveals it. An article without payload stays unchanged.
    /// </summary>
    public static byte[] Corrupt(ReadOnlySpan<byte> body)
    {
        var copy = body.ToArray();
        var start = DataStart(body);
        var end = body.LastIndexOf("\r\n=yend"u8);
        if (end < 0)
            end = body.Length - 5;
        for (var i = start + Math.Max(1, (end - start) / 2); i < end - 1; i++)
        {
            if (IsPlain(copy[i - 1]) && IsPlain(copy[i]) && IsPlain(copy[i + 1]) && IsPlain((byte)(copy[i] ^ 1)))
            {
                copy[i] ^= 1;
                return copy;
            }
        }

        // Every byte is next to an escape or a line end: change the last one, even if it is the second half of an escape.
        if (end > start)
            copy[end - 1] = (byte)(copy[end - 1] == 'A' ? 'B' : 'A');
        return copy;
    }

    /// <summary>
    /// Ends the body at the last line end within <paramref name="after"/> bytes, or at exactly that many; a dot line follows.
    /// </summary>
    public static byte[] Truncate(ReadOnlySpan<byte> body, long? after, bool midLine)
    {
        var keep = (int)Math.Clamp(after ?? body.Length / 2, 0, body.Length - 3);
        var lineStart = body[..keep].LastIndexOf("\r\n"u8) + 2;
        if (lineStart < 2)
            lineStart = 0;
        if (!midLine)
            return [.. body[..lineStart], .. ".\r\n"u8];
        // Not next to an escape or at a line end: the cut must be in the middle of a line.
        while (keep > lineStart && !(IsPlain(body[keep - 1]) && IsPlain(body[keep])))
            keep--;
        return [.. body[..keep], .. "\r\n.\r\n"u8];
    }

    private static int DataStart(ReadOnlySpan<byte> body)
    {
        var start = 0;
        while (body[start..].StartsWith("=yb"u8) || body[start..].StartsWith("=yp"u8))
            start += body[start..].IndexOf((byte)'\n') + 1;
        return start;
    }

    /// <summary>True for a byte that is neither an escape nor a line end, and needs no escape.</summary>
    private static bool IsPlain(byte value) =>
        value is not (0 or (byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)' ' or (byte)'.' or (byte)'=');
}
