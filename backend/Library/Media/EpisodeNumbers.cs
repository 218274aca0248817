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
    public static EpisodeNumbers? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (Pattern().Match(name) is not { Success: true } match)
            return null;
        var (season, first) = (Number("season"), Number("first"));
        return new EpisodeNumbers(season, first, match.Groups["last"].Success ? Math.Max(first, Number("last")) : first);

        int Number(string group) => int.Parse(match.Groups[group].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);
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
}
