using System.Globalization;
using System.Text.RegularExpressions;

namespace NzbDav.Library.Media;

/// <summary>The season and the episodes that a file's name tells.</summary>
/// <param name="Season">0 for specials.</param>
/// <param name="First">The first episode in the file.</param>
/// <param name="Last">The last episode in the file; usually the first.</param>
public readonly partial record struct EpisodeNumbers(int Season, int First, int Last)
{
    /// <summary>Finds <c>S01E02</c>, <c>s1.e2</c>, <c>S01E02E03</c>, <c>S01E02-04</c> and <c>1x02</c>; null: the name has none.</summary>
    public static EpisodeNumbers? Find(string name) => Find(name, out _);

    /// <inheritdoc cref="Find(string)"/>
    /// <param name="name">The name.</param>
    /// <param name="at">Where they begin.</param>
    public static EpisodeNumbers? Find(string name, out int at)
    {
        ArgumentNullException.ThrowIfNull(name);
        at = 0;
        if (Pattern().Match(name) is not { Success: true } match)
            return null;
        at = match.Index;
        var (season, first) = (Number("season"), Number("first"));
        return new EpisodeNumbers(season, first, match.Groups["last"].Success ? Math.Max(first, Number("last")) : first);

        int Number(string group) => int.Parse(match.Groups[group].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// The number of an episode that a name tells without a season, as those of anime do: <c>[Group] Show - 05 [1080p]</c>,
    /// <c>Show E05</c>; null: none.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="at">Where it begins.</param>
    public static int? FindAbsolute(string name, out int at)
    {
        ArgumentNullException.ThrowIfNull(name);
        var match = AbsolutePattern().Match(name);
        at = match.Index;
        return match.Success ? int.Parse(match.Groups["number"].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture) : null;
    }

    /// <summary>True if the file holds an episode.</summary>
    /// <param name="season">The season; null: any.</param>
    /// <param name="episode">The episode; null: any.</param>
    public bool Has(int? season, int? episode) =>
        (season ?? Season) == Season && (episode is not { } wanted || (First <= wanted && wanted <= Last));

    [GeneratedRegex(@"(?<![a-z0-9])(?:s(?<season>[0-9]{1,2})[ ._\-]?e(?<first>[0-9]{1,3})"
        + @"(?:(?:-e?|[ ._]?-[ ._]?e|[ ._]?e)(?<last>[0-9]{1,3})(?![0-9]|[pi]\b))?|(?<season>[0-9]{1,2})x(?<first>[0-9]{2,3}))(?![0-9])",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex Pattern();

    [GeneratedRegex(@"(?:[ ._]-[ ._]|(?<![a-z0-9])e(?:p|pisode)?[ ._]?)(?<number>[0-9]{1,4})(?:v[0-9])?(?=[ ._\[(]|$)",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex AbsolutePattern();
}

/// <summary>What the name of a release, or of a film's file, tells.</summary>
/// <param name="Title">The title, with spaces between its words.</param>
/// <param name="Year">The year of a film; null: the name has none, or it is an episode.</param>
/// <param name="Episode">Season and episodes; null: the name has none.</param>
public sealed partial record ReleaseName(string Title, int? Year, EpisodeNumbers? Episode)
{
    /// <summary>True for a whole season: <c>Show.S01.1080p</c>.</summary>
    public bool IsSeason { get; init; }

    /// <summary>Reads a name; null: it tells neither an episode nor a season nor a year.</summary>
    /// <param name="name">The name, without the extension of a file.</param>
    public static ReleaseName? Find(string name)
    {
        if (EpisodeNumbers.Find(name, out var at) is { } episode)
            return new ReleaseName(Words(name[..at]), Year: null, episode);
        if (SeasonPattern().Match(name) is { Success: true } season)
            return new ReleaseName(Words(name[..season.Index]), Year: null, Episode: null) { IsSeason = true };
        return FilmPattern().Match(name) is { Success: true } film
            ? new ReleaseName(
                Words(film.Groups["title"].Value), int.Parse(film.Groups["year"].ValueSpan, CultureInfo.InvariantCulture), Episode: null)
            : null;
    }

    /// <summary>
    /// The title before the number of an episode without a season, without the group in brackets; null: there is no number.
    /// </summary>
    /// <param name="name">The name, without the extension of a file.</param>
    /// <param name="episode">The number.</param>
    public static string? FindAbsolute(string name, out int episode)
    {
        episode = EpisodeNumbers.FindAbsolute(name, out var at) ?? 0;
        if (at == 0)
            return null;
        var begin = name.StartsWith('[') && name.IndexOf(']', StringComparison.Ordinal) is > 0 and var end && end < at ? end + 1 : 0;
        return Words(name[begin..at]);
    }

    /// <summary>True if two titles are the same but for signs, case, and a year that one of them has at its end.</summary>
    public static bool AreSame(string one, string other)
    {
        var (a, b) = (KeyOf(one), KeyOf(other));
        return a == b || (a.Length > b.Length ? IsWithYear(a, b) : IsWithYear(b, a));

        static bool IsWithYear(string longer, string shorter) => shorter.Length > 0 && longer.Length == shorter.Length + 4
            && longer.StartsWith(shorter, StringComparison.Ordinal)
            && longer.AsSpan(shorter.Length) is ['1', '9', _, _] or ['2', '0', _, _];
    }

    /// <summary>A title as far as it distinguishes: its letters and digits, in lower case.</summary>
    public static string KeyOf(string title)
    {
        ArgumentNullException.ThrowIfNull(title);
        return string.Concat(title.Where(char.IsLetterOrDigit)).ToLowerInvariant();
    }

    [GeneratedRegex(@"(?<=[ ._\-])(?:s[0-9]{1,2}|season[ ._][0-9]{1,2})(?=[ ._\-\[(]|$)",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex SeasonPattern();

    private static string Words(string title) => title.Replace('.', ' ').Replace('_', ' ').Trim(' ', '-', '(', '[');

    [GeneratedRegex(@"^(?<title>.*[^ ._\-\[(])[ ._\-\[(]+(?<year>19[0-9]{2}|20[0-9]{2})(?=$|[ ._\-\])])",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex FilmPattern();
}
