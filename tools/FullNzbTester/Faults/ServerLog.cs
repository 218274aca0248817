using System.Text.RegularExpressions;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>Finds what a server logged as an error of its own.</summary>
internal static partial class ServerLog
{
    /// <summary>The lines at the levels error and fatal.</summary>
    /// <param name="said">All that it wrote on its console, as text.</param>
    public static IReadOnlyList<string> Errors(string said) => [.. said.Split('\n', StringSplitOptions.TrimEntries).Where(line => Error().IsMatch(line))];

    /// <summary>The same with warnings.</summary>
    /// <param name="said">All that it wrote on its console, as text.</param>
    public static IReadOnlyList<string> Troubles(string said) => [.. said.Split('\n', StringSplitOptions.TrimEntries).Where(line => Trouble().IsMatch(line))];

    [GeneratedRegex(@"^\d\d:\d\d:\d\d (WRN|ERR|FTL) ", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture)]
    private static partial Regex Trouble();

    // 21:04:11 ERR The connection to news-a ended by a fault of this program.
    [GeneratedRegex(@"^\d\d:\d\d:\d\d (ERR|FTL) ", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture)]
    private static partial Regex Error();
}
