using System.Text.RegularExpressions;
using NzbDav.Host.Settings;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Checks that the settings on a page exist, in the form of the environment (<c>NzbDav__WebDav__Username</c>) or of the API
/// (<c>WebDav:Username</c>).
/// </summary>
internal static partial class SettingNames
{
    private static readonly string[] Paths = [.. SettingsDocument.Entries().Keys, SettingSources.CatalogConnection,
        SettingSources.CatalogBlobs, SettingSources.GatewayAddress, SettingSources.GatewayLease, SettingSources.Secret];

    private static readonly HashSet<string> Sections = Paths.Select(path => path.Split(':')[0]).ToHashSet(StringComparer.Ordinal);

    public static IEnumerable<string> Faults(Page page)
    {
        foreach (Match match in Environment().Matches(page.Text))
        {
            if (match.Groups[1] is { Length: > 0 } name && !IsKnown(name.Value.TrimEnd('_').Replace("__", ":", StringComparison.Ordinal)))
                yield return $"{page.At(page.LineOf(match.Index))}: there is no setting {match.Value}.";
        }

        var code = page.Spans.Concat(
            page.Blocks.SelectMany(block => block.Text.Split('\n').Select((text, index) => new Piece(text, block.Line + index))));
        foreach (var (text, line) in code)
        {
            foreach (Match match in Stored().Matches(text))
            {
                if (Sections.Contains(match.Groups[1].Value) && !IsKnown(match.Value))
                    yield return $"{page.At(line)}: there is no setting {match.Value}.";
            }
        }
    }

    /// <summary>
    /// Settings that a measuring program gives a server, and that the page of its figures does not name: no reader would know that they are
    /// not the defaults.
    /// </summary>
    /// <param name="page">The page.</param>
    /// <param name="sources">The programs' sources.</param>
    public static IEnumerable<string> Unnamed(Page page, IEnumerable<string> sources) => sources
        .SelectMany(static source => Given().Matches(source)).Select(static match => match.Groups[1].Value).Distinct(StringComparer.Ordinal)
        .Where(name => !page.Text.Contains($"`{name}`", StringComparison.Ordinal))
        .Select(name => $"{page.Path}: {name} is set for a measurement, which the page does not say.");

    /// <summary>True for a setting, and for a section of settings.</summary>
    private static bool IsKnown(string path)
    {
        if (path.EndsWith("_FILE", StringComparison.Ordinal))
            path = path[..^"_FILE".Length];
        path = Number().Replace(path, "#");
        return Array.Exists(Paths, known => known.Equals(path, StringComparison.OrdinalIgnoreCase)
            || known.StartsWith(path + ":", StringComparison.OrdinalIgnoreCase));
    }

    // "NzbDav__Section__Key" explains how names are formed. The value of a placeholder is not checked.
    [GeneratedRegex(@"\bNzbDav__((?!Section__Key)[A-Za-z0-9_]*)")]
    private static partial Regex Environment();

    [GeneratedRegex(@"(?<![\w/.:-])([A-Z][A-Za-z]+)(?::(?:[A-Z][A-Za-z]+|\d+))+(?![\w:])")]
    private static partial Regex Stored();

    // As an indexer of a dictionary's initializer, or of the dictionary.
    [GeneratedRegex(@"\[""(NzbDav__\w+)""\]\s*=[^=]")]
    private static partial Regex Given();

    [GeneratedRegex(@"(?<=:)(?:\d+|N)(?=:|$)")]
    private static partial Regex Number();
}
