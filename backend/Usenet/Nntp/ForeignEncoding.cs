using System.Buffers;
using System.Text;

namespace NzbDav.Usenet.Nntp;

/// <summary>Recognises articles in encodings older than yEnc, so that the error message can name them.</summary>
internal static class ForeignEncoding
{
    /// <summary>Bytes of an article to examine. A few lines of text may precede the data.</summary>
    public const int BytesToInspect = 2048;

    /// <summary>Number of consecutive encoded lines that rule out plain text.</summary>
    private const int FewestLines = 3;

    /// <summary>
    /// Length of a line of 45 bytes, the length of all lines but the last: a length character, then four characters for every three bytes
    /// (POSIX, uuencode).
    /// </summary>
    private const int UuLine = 61;

    private static readonly SearchValues<byte> Base64 = SearchValues.Create(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="u8);

    /// <summary>Name of the encoding; null when it is not recognised.</summary>
    /// <param name="article">The first bytes of the body.</param>
    public static string? Of(ReadOnlySpan<byte> article)
    {
        var (uu, mime) = (0, 0);
        while (article.IndexOf((byte)'\n') is >= 0 and var end)
        {
            var line = article[..end].TrimEnd((byte)'\r');
            article = article[(end + 1)..];
            if (IsUuBegin(line))
                return "uuencode";

            // RFC 2045, 6.1.
            if (Ascii.EqualsIgnoreCase(line[..Math.Min(line.Length, 33)], "content-transfer-encoding: base64"u8))
                return "MIME (base64)";
            uu = line.Length == UuLine && line[0] == 'M' && line.IndexOfAnyExceptInRange((byte)' ', (byte)'`') < 0 ? uu + 1 : 0;

            // RFC 2045, 6.8: lines of at most 76 characters.
            mime = line.Length is 60 or 64 or 72 or 76 && line.IndexOfAnyExcept(Base64) < 0 ? mime + 1 : 0;
            if (uu == FewestLines)
                return "uuencode";
            if (mime == FewestLines)
                return "MIME (base64)";
        }

        return null;
    }

    /// <summary>Matches <c>begin 644 name</c>.</summary>
    private static bool IsUuBegin(ReadOnlySpan<byte> line)
    {
        if (!line.StartsWith("begin "u8))
            return false;
        var mode = line[6..];
        var digits = mode.IndexOfAnyExceptInRange((byte)'0', (byte)'7');
        return digits is 3 or 4 && mode[digits] == ' ' && mode.Length > digits + 1;
    }
}
