using System.Buffers;
using System.Globalization;
using System.Text;

namespace NzbDav.WebDav.Store;

/// <summary>Percent-encoding of single path segments (RFC 3986), over UTF-8.</summary>
internal static class PercentEncoding
{
    /// <summary>A UTF-16 unit becomes at most three UTF-8 bytes, each three characters long.</summary>
    public const int MaxExpansion = 9;

    // Unreserved characters, and the sub-delims that work with all known clients. Excluded: & and ; (XML, old parsers), + (form decoders
    // read it as a blank), : (a scheme in a relative link), [ ] (Cyberduck drops them).
    private static readonly SearchValues<char> Safe =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,=@");

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Encodes into ASCII bytes.</summary>
    /// <param name="segment">A decoded name; lone surrogates become U+FFFD.</param>
    /// <param name="destination">At least <see cref="MaxExpansion"/> times as long.</param>
    /// <returns>Bytes written.</returns>
    public static int Encode(ReadOnlySpan<char> segment, Span<byte> destination)
    {
        var written = 0;
        Span<byte> utf8 = stackalloc byte[4];
        while (!segment.IsEmpty)
        {
            var safe = segment.IndexOfAnyExcept(Safe);
            if (safe < 0)
                safe = segment.Length;
            written += Encoding.ASCII.GetBytes(segment[..safe], destination[written..]);
            segment = segment[safe..];
            if (segment.IsEmpty)
                break;
            Rune.DecodeFromUtf16(segment, out var rune, out var consumed);
            var length = rune.EncodeToUtf8(utf8);
            foreach (var octet in utf8[..length])
            {
                destination[written++] = (byte)'%';
                destination[written++] = Hex(octet >> 4);
                destination[written++] = Hex(octet & 15);
            }

            segment = segment[consumed..];
        }

        return written;
    }

    /// <summary>Encodes to text.</summary>
    public static void Append(StringBuilder text, ReadOnlySpan<char> segment)
    {
        var buffer = ArrayPool<byte>.Shared.Rent((segment.Length * MaxExpansion) + 1);
        var length = Encode(segment, buffer);
        text.Append(Encoding.ASCII.GetString(buffer, 0, length));
        ArrayPool<byte>.Shared.Return(buffer);
    }

    /// <summary>Decodes escapes once.</summary>
    /// <returns>Null if an escape is broken or the bytes are not UTF-8.</returns>
    public static string? TryDecode(ReadOnlySpan<char> segment)
    {
        if (!segment.Contains('%') && Ascii.IsValid(segment))
            return new string(segment);
        var buffer = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(segment.Length));
        try
        {
            var length = Encoding.UTF8.GetBytes(segment, buffer);
            return Unescape(buffer.AsSpan(0, length)) is var kept and >= 0 ? Strict.GetString(buffer, 0, kept) : null;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Replaces escapes in place; negative if one is invalid.</summary>
    private static int Unescape(Span<byte> bytes)
    {
        var to = 0;
        for (var from = 0; from < bytes.Length; from++)
        {
            var octet = bytes[from];
            if (octet == (byte)'%')
            {
                if (from + 2 >= bytes.Length
                    || !byte.TryParse(bytes.Slice(from + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out octet))
                    return -1;
                from += 2;
            }

            bytes[to++] = octet;
        }

        return to;
    }

    private static byte Hex(int nibble) => (byte)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
}
