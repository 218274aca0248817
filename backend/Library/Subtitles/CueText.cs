using System.Buffers;
using System.Text;

namespace NzbDav.Library.Subtitles;

/// <summary>Converts the text of a cue to WebVTT: supported tags stay, others are removed, and plain text is escaped. Pure.</summary>
internal static class CueText
{
    private static readonly SearchValues<char> TimeCharacters = SearchValues.Create("0123456789:.");

    private static readonly string[] Entities = ["&amp;", "&lt;", "&gt;", "&nbsp;", "&lrm;", "&rlm;"];

    /// <summary>Cleans a line.</summary>
    /// <param name="line">A line of the file.</param>
    /// <param name="isVtt">True if the file is WebVTT: its own tags and entities stay.</param>
    public static string Clean(string line, bool isVtt)
    {
        var text = new StringBuilder(line.Length);
        for (var at = 0; at < line.Length;)
        {
            var rest = line.AsSpan(at);
            if (rest[0] == '{' && rest.Length > 1 && rest[1] is '\\' or 'y' or 'Y' or 'c' or 'C' && rest.IndexOf('}') is > 0 and var brace
                && IsOverride(rest[1..brace]))
            {
                // {\an8} of ASS, {y:i} of MicroDVD.
                at += brace + 1;
            }
            else if (rest[0] == '<' && rest.IndexOf('>') is > 0 and var bracket && IsTag(rest[1..bracket]))
            {
                if (Kept(rest[1..bracket], isVtt) is { } tag)
                    text.Append('<').Append(tag).Append('>');
                at += bracket + 1;
            }
            else if (rest.StartsWith(@"\N", StringComparison.Ordinal) || rest.StartsWith(@"\h", StringComparison.Ordinal))
            {
                text.Append(rest[1] == 'N' ? '\n' : ' ');
                at += 2;
            }
            else
            {
                Append(text, rest, isVtt);
                at++;
            }
        }

        return text.ToString().Trim();
    }

    private static void Append(StringBuilder text, ReadOnlySpan<char> rest, bool isVtt)
    {
        switch (rest[0])
        {
            case '&' when !(isVtt && StartsWithEntity(rest)):
                text.Append("&amp;");
                break;
            case '<':
                text.Append("&lt;");
                break;
            case '>':
                text.Append("&gt;");
                break;
            case '\0' or '\uFEFF':
                break;
            default:
                text.Append(rest[0]);
                break;
        }
    }

    private static bool StartsWithEntity(ReadOnlySpan<char> rest)
    {
        foreach (var entity in Entities)
        {
            if (rest.StartsWith(entity, StringComparison.Ordinal))
                return true;
        }

        return false;
    }

    private static bool IsOverride(ReadOnlySpan<char> inside) => inside[0] == '\\' || (inside.Length > 1 && inside[1] == ':');

    // "<3" and "a < b > c" are plain text.
    private static bool IsTag(ReadOnlySpan<char> inside) => inside.Length > 0 && !inside.Contains('<')
        && (char.IsAsciiLetterOrDigit(inside[0]) || (inside[0] == '/' && inside.Length > 1 && char.IsAsciiLetter(inside[1])));

    /// <summary>The tag to write for a tag; null: none.</summary>
    private static string? Kept(ReadOnlySpan<char> inside, bool isVtt)
    {
        var name = inside.TrimStart('/');
        var length = 0;
        while (length < name.Length && char.IsAsciiLetter(name[length]))
            length++;
        var isBare = length == name.Length;
        switch (name[..length])
        {
            case "b" or "i" or "u" or "B" or "I" or "U" when isBare:
                return inside.ToString().ToLowerInvariant();
            case "v" or "c" or "ruby" or "rt" or "lang" or "b" or "i" or "u" when isVtt && !inside.ContainsAny('&', '\n'):
            case "" when isVtt && inside.Contains(':') && !inside.ContainsAnyExcept(TimeCharacters):
                return inside.ToString();
            default:
                return null;
        }
    }
}
