using System.Buffers.Text;
using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Decodes the bytes of one attribute or text. The encoding is determined for each value, because NZBs are pasted together from many
/// sources: UTF-8 if valid, else the declared encoding, else Windows-1252. Never fails.
/// </summary>
internal sealed class NzbText
{
    private static readonly Encoding Windows1252 = CodePagesEncodingProvider.Instance.GetEncoding(1252)!;

    private Encoding _fallback = Windows1252;

    /// <summary>
    /// Applies the name in <c>&lt;?xml encoding="…"?&gt;</c>. Unknown names and names that contradict the bytes are ignored.
    /// </summary>
    public void Declare(string encodingName)
    {
        // ISO-8859-1 means Windows-1252 in practice, as in browsers (https://encoding.spec.whatwg.org/#names-and-labels).
        // Only 8-bit code pages and multi-byte code pages of East Asia: UTF-16 would have been recognised from the bytes.
        _fallback = CodePagesEncodingProvider.Instance.GetEncoding(encodingName) is { IsSingleByte: true }
            or { CodePage: 932 or 936 or 949 or 950 }
            ? CodePagesEncodingProvider.Instance.GetEncoding(encodingName)!
            : Windows1252;
    }

    /// <summary>Decodes bytes and resolves the five predefined entities and character references. Other entities stay as written.</summary>
    public string Decode(ReadOnlySpan<byte> bytes)
    {
        var text = (Utf8.IsValid(bytes) ? Encoding.UTF8 : _fallback).GetString(bytes);
        return bytes.Contains((byte)'&') ? Resolve(text) : text;
    }

    // https://www.w3.org/TR/xml/#sec-predefined-ent, #NT-CharRef. Never recursive: the result of a reference is not resolved again.
    private static string Resolve(string text)
    {
        var result = new StringBuilder(text.Length);
        var rest = text.AsSpan();
        while (true)
        {
            var at = rest.IndexOf('&');
            if (at < 0)
                return result.Append(rest).ToString();
            result.Append(rest[..at]);
            rest = rest[at..];

            // The longest reference is "&#x10FFFF;"; the rest is room for leading zeros.
            var end = rest[..Math.Min(rest.Length, 16)].IndexOf(';');
            if (end > 1 && Append(result, rest[1..end]))
            {
                rest = rest[(end + 1)..];
            }
            else
            {
                result.Append('&');
                rest = rest[1..];
            }
        }
    }

    private static bool Append(StringBuilder result, ReadOnlySpan<char> name)
    {
        if (name[0] == '#')
            return AppendNumeric(result, name[1..]);
        char? c = name switch
        {
            _ when name.Equals("amp", StringComparison.OrdinalIgnoreCase) => '&',
            _ when name.Equals("lt", StringComparison.OrdinalIgnoreCase) => '<',
            _ when name.Equals("gt", StringComparison.OrdinalIgnoreCase) => '>',
            _ when name.Equals("quot", StringComparison.OrdinalIgnoreCase) => '"',
            _ when name.Equals("apos", StringComparison.OrdinalIgnoreCase) => '\'',
            _ => null,
        };
        if (c is null)
            return false;
        result.Append(c.Value);
        return true;
    }

    private static bool AppendNumeric(StringBuilder result, ReadOnlySpan<char> digits)
    {
        int value;
        var valid = digits is ['x' or 'X', .. var hex]
            ? int.TryParse(hex, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value)
            : int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out value);
        if (!valid || value == 0 || !Rune.TryCreate(value, out var rune))
            return false;

        // &#146; means the quotation mark of Windows-1252, not a control character
        // (https://html.spec.whatwg.org/#numeric-character-reference-end-state).
        if (value is >= 0x80 and <= 0x9F)
            result.Append(Windows1252.GetString([(byte)value]));
        else
            result.Append(rune);
        return true;
    }
}

/// <summary>Interprets attribute values.</summary>
/// <param name="text">Decodes characters.</param>
internal sealed class NzbValues(NzbText text)
{
    /// <summary>The value as text. Line breaks and tabs in an attribute are spaces (https://www.w3.org/TR/xml/#AVNormalize).</summary>
    public string Text(ReadOnlySpan<byte> raw) =>
        text.Decode(raw).Replace("\r\n", " ", StringComparison.Ordinal).Replace('\n', ' ').Replace('\r', ' ').Replace('\t', ' ').Trim();

    /// <summary>The value as a number that is not negative.</summary>
    /// <param name="raw">The raw value.</param>
    /// <param name="otherwise">Returned if the value is no such number.</param>
    public static int Number(ReadOnlySpan<byte> raw, int otherwise)
    {
        raw = raw.Trim(" \t\r\n"u8);
        return Utf8Parser.TryParse(raw, out int value, out var consumed) && consumed == raw.Length && value >= 0 ? value : otherwise;
    }

    /// <summary>The value as a time: seconds since 1970, or a date in a common text form. 1970 if it is neither.</summary>
    public DateTimeOffset Date(ReadOnlySpan<byte> raw)
    {
        raw = raw.Trim(" \t\r\n"u8);
        if (Utf8Parser.TryParse(raw, out long seconds, out var consumed) && consumed == raw.Length)
        {
            // Some writers give milliseconds. Read as seconds, those would lie after the year 5000.
            if (seconds > 100_000_000_000)
                seconds /= 1000;
            return seconds is > 0 and < 100_000_000_000 ? DateTimeOffset.FromUnixTimeSeconds(seconds) : DateTimeOffset.UnixEpoch;
        }

        const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        return DateTimeOffset.TryParse(text.Decode(raw), CultureInfo.InvariantCulture, Utc, out var date) ? date : DateTimeOffset.UnixEpoch;
    }
}
