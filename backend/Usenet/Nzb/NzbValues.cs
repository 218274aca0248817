using System.Buffers.Text;
using System.Globalization;

namespace NzbDav.Usenet.Nzb;

/// <summary>Interprets attribute values.</summary>
/// <param name="text">Decodes characters.</param>
internal sealed class NzbValues(NzbText text)
{
    /// <summary>A text. Line breaks and tabs in an attribute are spaces (https://www.w3.org/TR/xml/#AVNormalize).</summary>
    public string Text(ReadOnlySpan<byte> raw) =>
        text.Decode(raw).Replace("\r\n", " ", StringComparison.Ordinal).Replace('\n', ' ').Replace('\r', ' ').Replace('\t', ' ').Trim();

    /// <summary>A number that is not negative.</summary>
    /// <param name="raw">The raw value.</param>
    /// <param name="otherwise">Returned when it is not one.</param>
    public static int Number(ReadOnlySpan<byte> raw, int otherwise)
    {
        raw = raw.Trim(" \t\r\n"u8);
        return Utf8Parser.TryParse(raw, out int value, out var consumed) && consumed == raw.Length && value >= 0 ? value : otherwise;
    }

    /// <summary>Seconds since 1970, or a date in a common text form; 1970 when it is neither.</summary>
    public DateTimeOffset Date(ReadOnlySpan<byte> raw)
    {
        raw = raw.Trim(" \t\r\n"u8);
        if (Utf8Parser.TryParse(raw, out long seconds, out var consumed) && consumed == raw.Length)
        {
            // Some writers give milliseconds: as seconds, they would lie after the year 5000.
            if (seconds > 100_000_000_000)
                seconds /= 1000;
            return seconds is > 0 and < 100_000_000_000 ? DateTimeOffset.FromUnixTimeSeconds(seconds) : DateTimeOffset.UnixEpoch;
        }

        const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        return DateTimeOffset.TryParse(text.Decode(raw), CultureInfo.InvariantCulture, Utc, out var date) ? date : DateTimeOffset.UnixEpoch;
    }
}
