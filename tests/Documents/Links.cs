namespace NzbDav.Documents.Tests;

/// <summary>Relative links lead to files that exist, and to headings that exist.</summary>
internal static class Links
{
    /// <param name="page">The page whose links are checked.</param>
    /// <param name="pages">All pages, for anchors in others.</param>
    /// <param name="exists">Whether the repository has a file or folder at a path relative to its root.</param>
    public static IEnumerable<string> Faults(Page page, IReadOnlyCollection<Page> pages, Func<string, bool> exists)
    {
        foreach (var (target, line) in page.Links)
        {
            if (target.StartsWith('/'))
            {
                yield return $"{page.At(line)}: {target} begins with a slash. Write it relative to the page.";
                continue;
            }

            if (Uri.TryCreate(target, UriKind.Absolute, out var address))
            {
                if (address.Scheme is not ("https" or "http" or "mailto"))
                    yield return $"{page.At(line)}: {target}: a link is relative, or begins with https.";
                continue;
            }

            var parts = Uri.UnescapeDataString(target).Split('#', 2);
            var path = parts[0].Length == 0 ? page.Path : Combine(page.Path, parts[0]);
            if (path is null || !exists(path))
                yield return $"{page.At(line)}: {target}: there is no such file.";
            else if (parts.Length == 2 && pages.FirstOrDefault(one => one.Path == path) is { } other && !other.Anchors.Contains(parts[1]))
                yield return $"{page.At(line)}: {target}: {path} has no heading with this anchor.";
        }
    }

    /// <returns>Null if it leads out of the repository.</returns>
    private static string? Combine(string page, string target)
    {
        var parts = page.Split('/')[..^1].ToList();
        foreach (var part in target.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (part == "..")
            {
                if (parts.Count == 0)
                    return null;
                parts.RemoveAt(parts.Count - 1);
            }
            else if (part != ".")
            {
                parts.Add(part);
            }
        }

        return string.Join('/', parts);
    }
}
