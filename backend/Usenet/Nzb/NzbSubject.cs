using System.Collections.Frozen;
using System.Net;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Information guessed from a subject line, for instance <c>[01/10] - "name.part01.rar" yEnc (1/147)</c>. Posters choose its form freely,
/// and obfuscated posts mislead. A value is null if the subject does not contain it.
/// </summary>
/// <param name="FileName">Name without folders; never empty.</param>
/// <param name="Part">Number of the article that the subject was taken from.</param>
/// <param name="PartCount">Articles of the file.</param>
/// <param name="File">Number of the file in its post.</param>
/// <param name="FileCount">Files of the post.</param>
public sealed record NzbSubject(string? FileName, int? Part, int? PartCount, int? File, int? FileCount)
{
    private static readonly FrozenSet<string> PostedExtensions = FrozenSet.ToFrozenSet(
        ("rar 7z zip z01 gz tar par2 sfv nfo nzb srr srs md5 txt url exe bin iso img jpg jpeg png gif srt sub idx ass sup "
        + "epub mobi azw3 pdf cbr cbz mkv mp4 m4v avi ts m2ts mts mov wmv mpg mpeg vob flv webm mp3 flac m4a m4b ogg opus wav").Split(' '),
        StringComparer.Ordinal);

    private static readonly NzbSubject Nothing = new(null, null, null, null, null);

    /// <summary>Parses a subject. Never throws; time is linear in its length.</summary>
    /// <param name="subject">As stated in the NZB. HTML entities are resolved here.</param>
    public static NzbSubject Parse(string? subject)
    {
        if (string.IsNullOrWhiteSpace(subject))
            return Nothing;

        // Indexers escape twice: &amp;quot; becomes &quot; when the XML is read, and a quotation mark here.
        var text = subject.Contains('&', StringComparison.Ordinal) ? WebUtility.HtmlDecode(subject) : subject;
        var counters = NzbCounter.FindAll(text);
        var name = Clean(Quoted(text)) ?? Clean(Bracketed(text)) ?? Clean(StripCounters(text, counters));

        // The last counter in round brackets is the article's. The first of the others is the file's.
        var part = counters.FindLastIndex(counter => counter.Round);
        var file = counters.FindIndex(counter => part < 0 || counter != counters[part]);
        var (fileNumber, fileCount) = file >= 0 ? (counters[file].Number, counters[file].Count) : Nullable(NzbCounter.FindInWords(text));
        return part >= 0
            ? new NzbSubject(name, counters[part].Number, counters[part].Count, fileNumber, fileCount)
            : new NzbSubject(name, null, null, fileNumber, fileCount);
    }

    private static (int? Number, int? Count) Nullable((int Number, int Count)? pair) => (pair?.Number, pair?.Count);

    private static string? Quoted(string text)
    {
        if (Nested(text) is { } whole)
            return whole;
        string? last = null;
        string? known = null;
        var open = text.IndexOf('"', StringComparison.Ordinal);
        while (open >= 0)
        {
            var close = text.IndexOf('"', open + 1);
            if (close < 0)
                break;
            var name = text[(open + 1)..close].Trim();
            if (name.Length > 0)
                (last, known) = (name, IsPosted(name) ? name : known);
            open = text.IndexOf('"', close + 1);
        }

        // The title of the post comes first and may look like a name: "Film.2024.x264" - "4f1c9d".
        return known ?? last;
    }

    /// <summary>True for a name with an extension common in posts.</summary>
    private static bool IsPosted(string name)
    {
        var extension = name[(name.LastIndexOf('.') + 1)..].ToLowerInvariant();
        return extension.Length < name.Length - 1
            && (PostedExtensions.Contains(extension)
                || (extension.Length is > 0 and <= 4 && extension.All(char.IsAsciiDigit) && !IsYear(extension))
                || extension is [>= 'r' and <= 'z', >= '0' and <= '9', >= '0' and <= '9']);
    }

    private static bool IsYear(string digits) => digits is ['1', '9', _, _] or ['2', '0', _, _];

    // "the "Great" name.ext" yEnc (1/50): text between inner quotation marks touches both; text between two names does not.
    private static string? Nested(string text)
    {
        var open = text.IndexOf('"', StringComparison.Ordinal);
        var last = text.LastIndexOf('"');
        var pieces = open >= 0 && last > open ? text[(open + 1)..last].Split('"') : [];
        if (pieces.Length < 3 || pieces.Length % 2 == 0)
            return null;
        for (var i = 1; i < pieces.Length; i += 2)
        {
            if (pieces[i] is not [var first, ..] || !char.IsLetterOrDigit(first) || !char.IsLetterOrDigit(pieces[i][^1])
                || !pieces[i - 1].EndsWith(' ') || !pieces[i + 1].StartsWith(' '))
                return null;
        }

        var whole = text[(open + 1)..last].Trim();
        return HasExtension(whole) ? whole : null;
    }

    // Example: [PRiVATE]-[group]-[/Movie.2020.mkv]-[1/8] - "" yEnc (1/50)
    private static string? Bracketed(string text)
    {
        var open = -1;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '[')
            {
                open = i;
            }
            else if (text[i] == ']' && open >= 0)
            {
                var name = text[(open + 1)..i].Trim();
                if (HasExtension(name) && !IsWebSite(name))
                    return name;
                open = -1;
            }
        }

        return null;
    }

    // Example: some words - name with spaces.ext yEnc (1/50)
    private static string? StripCounters(string text, List<NzbCounter> counters)
    {
        // "yEnc" ends the name only if it is a whole word.
        var end = text.LastIndexOf("yEnc", StringComparison.OrdinalIgnoreCase);
        if (end < 0 || (end + 4 < text.Length && text[end + 4] is not (' ' or '(' or '[')))
            end = text.Length;
        var without = new StringBuilder();
        var from = 0;
        foreach (var counter in counters)
        {
            var (start, length) = counter.Where.GetOffsetAndLength(text.Length);
            if (start >= end)
                break;
            without.Append(text, from, start - from).Append(" - ");
            from = start + length;
        }

        if (from < end)
            without.Append(text, from, end - from);
        var body = without.Replace("\"", string.Empty).ToString();
        var pieces = body.Split(" - ", StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        for (var i = pieces.Length - 1; i >= 0; i--)
        {
            var piece = pieces[i];
            var behindBrackets = piece[(piece.LastIndexOf(']') + 1)..].TrimStart(' ', '-').TrimEnd();
            if (HasExtension(behindBrackets) && !IsWebSite(behindBrackets))
                return behindBrackets;
            if (HasExtension(piece) && !IsWebSite(piece))
                return piece;
        }

        // A word with an extension anywhere, else the only word.
        var words = body.Split(' ', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return Array.FindLast(words, word => HasExtension(word) && !IsWebSite(word))
            ?? (pieces is [var only] && only.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.') ? only : null);
    }

    private static bool HasExtension(string name)
    {
        var dot = name.LastIndexOf('.');
        var extension = name.AsSpan(dot + 1);
        if (dot < 1 || extension.Length is < 2 or > 5)
            return extension is "Z" or "z" && dot > 0;
        foreach (var c in extension)
        {
            if (!char.IsAsciiLetterOrDigit(c))
                return false;
        }

        return true;
    }

    private static bool IsWebSite(string name) =>
        name.StartsWith("www.", StringComparison.OrdinalIgnoreCase)
        || name.Contains("://", StringComparison.Ordinal)
        || (!name.Contains(' ', StringComparison.Ordinal)
            && Path.GetExtension(name).ToUpperInvariant() is ".COM" or ".NET" or ".ORG" or ".INFO" or ".BIZ");

    private static string? Clean(string? name)
    {
        if (name is null)
            return null;
        name = name[(name.LastIndexOfAny(['/', '\\']) + 1)..];
        if (name.AsSpan().IndexOfAnyInRange('\0', '\x1F') >= 0)
            name = string.Concat(name.Where(c => !char.IsControl(c)));
        name = name.Trim().Trim('"').Trim();
        return name is "" or "." or ".." ? null : name;
    }
}
