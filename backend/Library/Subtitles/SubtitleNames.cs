namespace NzbDav.Library.Subtitles;

/// <summary>Tells by names which subtitles belong to which film, and in which language they are: <c>Film.mkv</c>,
/// <c>Film.pt-BR.forced.srt</c>. Pure.</summary>
public static class SubtitleNames
{
    private static readonly string[] Endings = [".srt", ".vtt"];

    private static readonly HashSet<string> NoLanguages = new(StringComparer.OrdinalIgnoreCase)
        { "hi", "cc", "sdh", "web", "avc", "dts", "hdr", "rip", "sub", "srt", "vtt", "ass", "mkv", "mp4", "avi", "dvd", "bd" };

    // As people write them in names, and the code of each.
    private static readonly Dictionary<string, string> Names = (
        "english:en german:de deutsch:de french:fr francais:fr spanish:es espanol:es italian:it dutch:nl portuguese:pt brazilian:pt-BR " +
        "polish:pl russian:ru " +
        "swedish:sv norwegian:no danish:da finnish:fi japanese:ja korean:ko chinese:zh turkish:tr arabic:ar czech:cs hungarian:hu " +
        "greek:el hebrew:he")
        .Split(' ').Select(pair => pair.Split(':')).ToDictionary(pair => pair[0], pair => pair[1], StringComparer.OrdinalIgnoreCase);

    /// <summary>True for subtitles as text that browsers can be given.</summary>
    public static bool IsText(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Array.Exists(Endings, ending => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a file beside a film holds its subtitles.</summary>
    /// <param name="film">The film's name.</param>
    /// <param name="name">The other's.</param>
    /// <param name="isOnly">There is no other film beside it, so that all subtitles are of this one.</param>
    /// <returns>Null if it does not.</returns>
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

    /// <param name="text">What of the name is looked at.</param>
    /// <param name="all">Every part of it may be a language; else only the last and whole words are.</param>
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

    // ISO 639: two or three letters; BCP 47 adds a region or script behind a hyphen.
    private static bool IsCode(string part)
    {
        var hyphen = part.IndexOf('-', StringComparison.Ordinal);
        var language = hyphen < 0 ? part : part[..hyphen];
        var region = hyphen < 0 ? "" : part[(hyphen + 1)..];
        return language.Length is 2 or 3 && language.All(char.IsAsciiLetter) && !NoLanguages.Contains(language)
            && (hyphen < 0 || (region.Length is >= 2 and <= 4 && region.All(char.IsAsciiLetterOrDigit)));
    }
}

/// <summary>A file that holds subtitles of a film.</summary>
/// <param name="Language">What its name says, as it stands there; null: nothing.</param>
public sealed record SubtitleMatch(string? Language);
