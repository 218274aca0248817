using System.Buffers;
using System.Globalization;
using System.Text;

namespace NzbDav.Library.Subtitles;

/// <summary>Converts subtitles to WebVTT for browsers, from SubRip or from WebVTT, which is cleaned. Pure.</summary>
public static class WebVtt
{
    /// <summary>Largest file that is accepted, in bytes: some hundred times that of a long film.</summary>
    public const int Largest = 10 << 20;

    private const int MostCues = 100_000;

    private static readonly SearchValues<char> SettingCharacters = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789:,.%- ");

    /// <summary>Reads cues, cleans and sorts them.</summary>
    /// <param name="file">The file's bytes, <see cref="Largest"/> at most.</param>
    /// <param name="shift">Added to all times. Cues that would end before the film begins are left out.</param>
    /// <returns>Null if the file has no cues.</returns>
    public static string? Convert(ReadOnlySpan<byte> file, TimeSpan shift)
    {
        var lines = SubtitleEncoding.Decode(file).ReplaceLineEndings("\n").Split('\n');
        var isVtt = lines.Length > 0 && lines[0].StartsWith("WEBVTT", StringComparison.Ordinal);
        var cues = Read(lines, isVtt);
        if (cues.Count == 0)
            return null;
        var text = new StringBuilder("WEBVTT\n");
        foreach (var cue in cues.OrderBy(cue => cue.Start).ThenBy(cue => cue.End))
        {
            var (start, end) = (cue.Start + shift, cue.End + shift);
            if (end <= TimeSpan.Zero)
                continue;
            text.Append('\n').Append(Format(start > TimeSpan.Zero ? start : TimeSpan.Zero)).Append(" --> ").Append(Format(end))
                .Append(cue.Settings).Append('\n').Append(cue.Text).Append('\n');
        }

        return text.ToString();
    }

    private static List<SubtitleCue> Read(string[] lines, bool isVtt)
    {
        var cues = new List<SubtitleCue>();
        for (var at = 0; at < lines.Length && cues.Count < MostCues;)
        {
            // "A NOTE, STYLE or REGION block ends with a blank line"
            if (isVtt && (lines[at].StartsWith("NOTE", StringComparison.Ordinal) || lines[at].StartsWith("STYLE", StringComparison.Ordinal)
                || lines[at].StartsWith("REGION", StringComparison.Ordinal)))
            {
                while (at < lines.Length && !string.IsNullOrWhiteSpace(lines[at]))
                    at++;
                continue;
            }

            if (TryTiming(lines[at++], isVtt, out var start, out var end, out var settings)
                && Words(lines, ref at, isVtt) is { Length: > 0 } words && end > start)
                cues.Add(new SubtitleCue(start, end, settings, words));
        }

        return cues;
    }

    /// <summary>The lines up to a blank one, or to the number and times of the next cue.</summary>
    private static string Words(string[] lines, ref int at, bool isVtt)
    {
        var words = new List<string>();
        for (; at < lines.Length && !string.IsNullOrWhiteSpace(lines[at]); at++)
        {
            if (TryTiming(lines[at], isVtt, out _, out _, out _))
            {
                if (words.Count > 0 && words[^1].All(char.IsAsciiDigit))
                    words.RemoveAt(words.Count - 1);
                break;
            }

            words.Add(CueText.Clean(lines[at], isVtt));
        }

        return string.Join(
            '\n', string.Join('\n', words).Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
    }

    private static bool TryTiming(string line, bool isVtt, out TimeSpan start, out TimeSpan end, out string settings)
    {
        (start, end, settings) = (default, default, "");
        var arrow = line.IndexOf("-->", StringComparison.Ordinal);
        if (arrow < 0 || !TryTime(line.AsSpan(0, arrow), out start))
            return false;
        var rest = line.AsSpan(arrow + 3).TrimStart(" \t");
        var stop = rest.IndexOfAny(' ', '\t');
        if (!TryTime(stop < 0 ? rest : rest[..stop], out end))
            return false;
        if (isVtt && stop > 0 && rest[stop..].Trim() is { IsEmpty: false } given && !given.ContainsAnyExcept(SettingCharacters))
            settings = $" {given}";
        return true;
    }

    // SubRip: "00:01:02,345". Also seen with a point, with fewer digits and without hours.
    private static bool TryTime(ReadOnlySpan<char> text, out TimeSpan time)
    {
        time = default;
        text = text.Trim();
        var point = text.LastIndexOfAny(',', '.');
        var whole = point < 0 ? text : text[..point];
        var milliseconds = 0;
        if (point >= 0)
        {
            var digits = text[(point + 1)..];
            if (digits.Length is 0 or > 9 || !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out milliseconds))
                return false;
            for (var length = digits.Length; length < 3; length++)
                milliseconds *= 10;
            for (var length = digits.Length; length > 3; length--)
                milliseconds /= 10;
        }

        long seconds = 0;
        var parts = 0;
        foreach (var range in whole.Split(':'))
        {
            if (++parts > 3 || !int.TryParse(whole[range].Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                || number > 100_000)
                return false;
            seconds = (seconds * 60) + number;
        }

        time = TimeSpan.FromMilliseconds((seconds * 1_000) + milliseconds);
        return parts >= 2;
    }

    private static string Format(TimeSpan time) =>
        string.Create(
            CultureInfo.InvariantCulture, $"{(int)time.TotalHours:D2}:{time.Minutes:D2}:{time.Seconds:D2}.{time.Milliseconds:D3}");
}

/// <summary>A text with the time at which it is shown.</summary>
/// <param name="Start">When it appears, from the beginning of the film.</param>
/// <param name="End">When it disappears.</param>
/// <param name="Settings">WebVTT settings for its position, with a leading blank; empty: default.</param>
/// <param name="Text">Text as WebVTT, lines separated by line feeds.</param>
internal readonly record struct SubtitleCue(TimeSpan Start, TimeSpan End, string Settings, string Text);

/// <summary>Decodes subtitle text: UTF-8 or UTF-16, otherwise Windows-1252, which nearly all other files use.</summary>
internal static class SubtitleEncoding
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly Encoding Western = CodePagesEncodingProvider.Instance.GetEncoding(1252)!;

    public static string Decode(ReadOnlySpan<byte> bytes)
    {
        if (bytes.StartsWith(Encoding.UTF8.Preamble))
            return Encoding.UTF8.GetString(bytes[3..]);
        if (bytes.StartsWith(Encoding.Unicode.Preamble))
            return Encoding.Unicode.GetString(bytes[2..]);
        if (bytes.StartsWith(Encoding.BigEndianUnicode.Preamble))
            return Encoding.BigEndianUnicode.GetString(bytes[2..]);

        // Without a byte order mark: the first characters are ASCII, so every other byte is zero.
        if (bytes.Length >= 4 && bytes[1] == 0 && bytes[3] == 0 && bytes[0] != 0)
            return Encoding.Unicode.GetString(bytes);
        if (bytes.Length >= 4 && bytes[0] == 0 && bytes[2] == 0 && bytes[1] != 0)
            return Encoding.BigEndianUnicode.GetString(bytes);
        try
        {
            return Strict.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            return Western.GetString(bytes);
        }
    }
}
