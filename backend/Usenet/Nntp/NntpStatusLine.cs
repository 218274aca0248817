using System.Text;

namespace NzbDav.Usenet.Nntp;

/// <summary>A response line (RFC 3977 §3.2): three digits, a blank, text.</summary>
/// <param name="Code">100 … 599.</param>
/// <param name="Text">The rest, for display and logs.</param>
internal readonly record struct NntpStatusLine(int Code, string Text)
{
    /// <summary>Longest line in bytes: RFC 3977 §3.1 allows 512; servers with chatty greetings exceed that.</summary>
    public const int MaxLength = 4096;

    /// <summary>
    /// Finds a status line at the start of <paramref name="source"/>.
    /// </summary>
    /// <param name="source">Received bytes.</param>
    /// <param name="line">The line without its end; empty when none is complete.</param>
    /// <param name="consumed">Bytes to skip, the line end included; 0 when more are needed.</param>
    /// <returns>The code; −1 when more bytes are needed; 0 when this is no status line.</returns>
    public static int Scan(ReadOnlySpan<byte> source, out ReadOnlySpan<byte> line, out int consumed)
    {
        line = default;
        consumed = 0;
        var end = source.IndexOf((byte)'\n');
        if (end < 0)
            return source.Length > MaxLength ? 0 : -1;
        consumed = end + 1;
        line = source[..end].TrimEnd((byte)'\r');
        if (line.Length < 3 || !IsDigit(line[0]) || !IsDigit(line[1]) || !IsDigit(line[2]) || (line.Length > 3 && line[3] != ' '))
            return 0;
        var code = ((line[0] - '0') * 100) + ((line[1] - '0') * 10) + (line[2] - '0');
        return code is >= 100 and <= 599 ? code : 0;
    }

    /// <summary>The text of a scanned line, made fit for a log.</summary>
    public static string TextOf(ReadOnlySpan<byte> line)
    {
        var text = Encoding.Latin1.GetString(line.Length > 300 ? line[..300] : line);
        return string.Create(text.Length, text, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = char.IsControl(source[i]) ? ' ' : source[i];
        });
    }

    private static bool IsDigit(byte value) => value is >= (byte)'0' and <= (byte)'9';
}
