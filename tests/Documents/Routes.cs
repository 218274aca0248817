using System.Text.RegularExpressions;

namespace NzbDav.Documents.Tests;

/// <summary>Checks that the calls on a page have a route with that method.</summary>
internal sealed partial class Routes(IEnumerable<(string Method, string Pattern)> served)
{
    private readonly (string Method, string[] Segments)[] _served = [.. served.Select(one => (one.Method, Split(one.Pattern)))];

    public IEnumerable<string> Faults(Page page)
    {
        foreach (Match match in Calls().Matches(page.Text))
        {
            var path = match.Groups["path"].Value.TrimEnd('.', '/', '-', '_');
            var method = match.Groups["method"].Value;
            if (!_served.Any(one => method.Length == 0
                ? IsBegun(one.Segments, Split(path)) : one.Method == method && IsMatch(one.Segments, Split(path), IsPlaceholder)))
                yield return $"{page.At(page.LineOf(match.Index))}: no route answers {$"{method} {path}".TrimStart()}.";
        }

        foreach (Match match in Curls().Matches(page.Text))
        {
            var path = match.Groups["path"].Value.TrimEnd('/');
            var method = match.Groups["method"] is { Success: true } named ? named.Value : match.Value.Contains(
                " -d ", StringComparison.Ordinal) || match.Value.Contains(" -F ", StringComparison.Ordinal) ? "POST" : "GET";
            if (!_served.Any(one => one.Method == method && IsMatch(one.Segments, Split(path), static _ => true)))
                yield return $"{page.At(page.LineOf(match.Index))}: no route answers {method} {path}, which curl asks for.";
        }
    }

    /// <summary>Whether the path is a route or the beginning of one.</summary>
    private static bool IsBegun(string[] pattern, string[] path) =>
        path.Length <= pattern.Length && IsMatch(pattern[..path.Length], path, IsPlaceholder);

    private static bool IsMatch(string[] pattern, string[] path, Func<string, bool> isValue)
    {
        for (var i = 0; i < pattern.Length; i++)
        {
            if (pattern[i].StartsWith("{**", StringComparison.Ordinal))
                return true;
            if (i >= path.Length
                || !(pattern[i].StartsWith('{') ? isValue(path[i]) : pattern[i].Equals(path[i], StringComparison.OrdinalIgnoreCase)))
                return false;
        }

        return pattern.Length == path.Length;
    }

    /// <summary>
    /// Whether a segment stands for a value: NAME, {id}, 42, $ID, a name with a dot. A word in lower case belongs to the route, so a
    /// misspelt one is not taken for a value.
    /// </summary>
    private static bool IsPlaceholder(string segment) => segment.Any(c => !char.IsAsciiLetterLower(c));

    private static string[] Split(string path) => path.Split('/', StringSplitOptions.RemoveEmptyEntries);

    // Not in the middle of another path, and not an address of another server.
    [GeneratedRegex(
        @"(?:\b(?<method>GET|POST|PUT|PATCH|DELETE) |(?<![\w./}-]))(?<path>/(?:api/v1|health|metrics|signin)(?:/[\w{}$.-]+)*)(?![\w-])")]
    private static partial Regex Calls();

    [GeneratedRegex(@"\bcurl\b(?:\\\n|[^\n])*?(?:-X (?<method>[A-Z]+)(?:\\\n|[^\n])*?)?https?://[\w.-]+(?::\d+)?(?<path>/(?:api|health|metrics|signin|sabnzbd)(?:/[\w{}$.-]+)*)")]
    private static partial Regex Curls();
}
