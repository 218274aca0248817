using System.Text.RegularExpressions;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>Finds errors and warnings in a server's log.</summary>
internal static partial class ServerLog
{
    /// <summary>The lines at the levels error and fatal.</summary>
    /// <param name="said">Its console output.</param>
    public static IReadOnlyList<string> Errors(string said) =>
        [.. said.Split('\n', StringSplitOptions.TrimEntries).Where(line => Error().IsMatch(line))];

    /// <summary>The lines at the levels warning, error and fatal.</summary>
    /// <param name="said">Its console output.</param>
    public static IReadOnlyList<string> Troubles(string said) =>
        [.. said.Split('\n', StringSplitOptions.TrimEntries).Where(line => Trouble().IsMatch(line))];

    [GeneratedRegex(@"^\d\d:\d\d:\d\d (WRN|ERR|FTL) ", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture)]
    private static partial Regex Trouble();

    // 21:04:11 ERR An internal error in a timer. The server goes on. Please report it.
    [GeneratedRegex(@"^\d\d:\d\d:\d\d (ERR|FTL) ", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture)]
    private static partial Regex Error();
}
