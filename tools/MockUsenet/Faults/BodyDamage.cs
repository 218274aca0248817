namespace NzbDav.MockUsenet;

/// <summary>Damaged copies of a body (dot-stuffed, with its dot line). Pure.</summary>
internal static class BodyDamage
{
    /// <summary>Changes one payload byte in the middle so that the yEnc lines stay well-formed and nothing but the CRC can tell.</summary>
    public static byte[] Corrupt(ReadOnlySpan<byte> body)
    {
        var copy = body.ToArray();
        for (var i = copy.Length / 2; i < copy.Length - 5; i++)
        {
            if (IsPlain(copy[i - 1]) && IsPlain(copy[i]) && IsPlain(copy[i + 1]) && IsPlain((byte)(copy[i] ^ 1)))
            {
                copy[i] ^= 1;
                return copy;
            }
        }

        return CorruptSmall(copy);
    }

    /// <summary>Ends the body at the line end before <paramref name="after"/> bytes, or just there; a dot line follows.</summary>
    public static byte[] Truncate(ReadOnlySpan<byte> body, long? after, bool midLine)
    {
        var keep = (int)Math.Clamp(after ?? body.Length / 2, 0, body.Length - 3);
        var lineStart = body[..keep].LastIndexOf("\r\n"u8) + 2;
        if (lineStart < 2)
            lineStart = 0;
        if (!midLine)
            return [.. body[..lineStart], .. ".\r\n"u8];
        // Not between an escape and its byte, nor at a line's end: the cut is to be where a line has more to come.
        while (keep > lineStart && !(IsPlain(body[keep - 1]) && IsPlain(body[keep])))
            keep--;
        return [.. body[..keep], .. "\r\n.\r\n"u8];
    }

    /// <summary>The last payload byte of a body that is too short to look for a quiet place: the one before the =yend line's CRLF.</summary>
    private static byte[] CorruptSmall(byte[] copy)
    {
        var end = copy.AsSpan().LastIndexOf("\r\n=yend"u8) - 1;
        if (end >= 0)
            copy[end] = (byte)(copy[end] == 'A' ? 'B' : 'A');
        return copy;
    }

    /// <summary>No escape, no line end, nothing that either would have to become.</summary>
    private static bool IsPlain(byte value) => value is not (0 or (byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)' ' or (byte)'.' or (byte)'=');
}
