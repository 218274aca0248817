namespace NzbDav.Library.Subtitles;

/// <summary>
/// Matches subtitles to films by their names, and finds their language there: <c>Film.mkv</c>, <c>Film.pt-BR.forced.srt</c>. Pure.
/// </summary>
public static class SubtitleNames
{
    private static readonly string[] Endings = [".srt", ".vtt"];

    private static readonly HashSet<string> NoLanguages = new(StringComparer.OrdinalIgnoreCase)
        { "hi", "cc", "sdh", "web", "avc", "dts", "hdr", "rip", "sub", "srt", "vtt", "ass", "mkv", "mp4", "avi", "dvd", "bd" };

    // Languages as people write them in names, with their codes.
    private static readonly Dictionary<string, string> Names = (
        "english:en german:de deutsch:de french:fr francais:fr spanish:es espanol:es italian:it dutch:nl portuguese:pt brazilian:pt-BR " +
        "polish:pl russian:ru " +
        "swedish:sv norwegian:no danish:da finnish:fi japanese:ja korean:ko chinese:zh turkish:tr arabic:ar czech:cs hungarian:hu " +
        "greek:el hebrew:he")
        .Split(' ').Select(pair => pair.Split(':')).ToDictionary(pair => pair[0], pair => pair[1], StringComparer.OrdinalIgnoreCase);

    /// <summary>True for text subtitles that browsers can show.</summary>
    public static bool IsText(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Array.Exists(Endings, ending => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Matches a file beside a film.</summary>
    /// <param name="film">The film's name.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="isOnly">True if no other film is beside it, so that all subtitles belong to this one.</param>
    /// <returns>Null if it does not hold the film's subtitles.</returns>
    public static SubtitleMatch? Match(string film, string name, bool isOnly)
    {
        ArgumentNullException.ThrowIfNull(film);
        ArgumentNullException.ThrowIfNull(name);
        if (!IsText(name))
            return null;
        var stem = Path.GetFileNameWithoutExtension(film);
        var own = Path.GetFileNameWithoutExtension(name);
        var isNamed = own.StartsWith(stem, StringComparison.OrdinalIgnoreCase)
            && (own.Length == stem.Length || !char.IsLetterOrDigit(own[stem.Length]));
        return isNamed || isOnly ? new SubtitleMatch(LanguageIn(isNamed ? own[stem.Length..] : own, all: isNamed)) : null;
    }

    /// <param name="text">The part of the name to search.</param>
    /// <param name="all">True: every word of it may be a language code; false: only the last word may be a code, but full names of
    /// languages count anywhere.</param>
    private static string? LanguageIn(string text, bool all)
    {
        var parts = text.Split(['.', '_', ' ', '[', ']', '(', ')', ','], StringSplitOptions.RemoveEmptyEntries);
        for (var i = parts.Length - 1; i >= 0; i--)
        {
            if (Names.TryGetValue(parts[i], out var known))
                return known;
            if ((all || i == parts.Length - 1) && IsCode(parts[i]))
                return parts[i];
        }

        return null;
    }

    // ISO 639: two or three letters. BCP 47 adds a region or script after a hyphen.
    private static bool IsCode(string part)
    {
        var hyphen = part.IndexOf('-', StringComparison.Ordinal);
        var language = hyphen < 0 ? part : part[..hyphen];
        var region = hyphen < 0 ? "" : part[(hyphen + 1)..];
        return language.Length is 2 or 3 && language.All(char.IsAsciiLetter) && !NoLanguages.Contains(language)
            && (hyphen < 0 || (region.Length is >= 2 and <= 4 && region.All(char.IsAsciiLetterOrDigit)));
    }
}

/// <summary>A file with subtitles of a film.</summary>
/// <param name="Language">The language as written in its name; null: none.</param>
public sealed record SubtitleMatch(string? Language);
