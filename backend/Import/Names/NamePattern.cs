namespace NzbDav.Import.Names;

/// <summary>
/// Matches file names against patterns with <c>*</c> (any number of characters) and <c>?</c> (one character). Case does not matter.
/// </summary>
internal static class NamePattern
{
    /// <summary>True if one of the patterns matches the whole name.</summary>
    public static bool Any(IReadOnlyList<string> patterns, string name)
    {
        foreach (var pattern in patterns)
        {
            if (Fits(pattern, name))
                return true;
        }

        return false;
    }

    /// <summary>
    /// True if the pattern matches the whole name. Takes time proportional to the product of the lengths at most, whatever the pattern is.
    /// </summary>
    public static bool Fits(string pattern, string name)
    {
        int p = 0, n = 0, star = -1, mark = 0;
        while (n < name.Length)
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                star = p++;
                mark = n;
            }
            else if (p < pattern.Length && (pattern[p] == '?' || char.ToUpperInvariant(pattern[p]) == char.ToUpperInvariant(name[n])))
            {
                p++;
                n++;
            }
            else if (star >= 0)
            {
                p = star + 1;
                n = ++mark;
            }
            else
            {
                return false;
            }
        }

        while (p < pattern.Length && pattern[p] == '*')
            p++;
        return p == pattern.Length;
    }
}
