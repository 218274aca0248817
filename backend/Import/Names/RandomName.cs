namespace NzbDav.Import.Names;

/// <summary>
/// Distinguishes meaningful names from random ones that a poster made up. This is a guess and may be wrong, so it only chooses between
/// names, never refuses a file.
/// </summary>
internal static class RandomName
{
    private const int MinLength = 10;

    private static readonly char[] Separators = [' ', '.', '_', '-', '(', ')', '[', ']', '+', '&', ',', '\''];

    /// <summary>True for hex digits, GUIDs, and random letters and digits. The extension is ignored.</summary>
    public static bool Is(string name)
    {
        var stem = Path.GetFileNameWithoutExtension(FileExtension.IsUsual(name) ? name : name + ".x");
        if (stem.Length < MinLength)
            return stem.Length == 0;
        if (Guid.TryParse(stem, out _) || IsHex(stem))
            return true;
        if (stem.Any(c => c > 0x7f && char.IsLetter(c)))
            return false;
        var words = stem.Split(Separators, StringSplitOptions.RemoveEmptyEntries);
        var noise = words.Where(word => word.Length >= 8 && IsRandom(word)).Sum(word => word.Length);
        var sense = words.Where(word => word.Length is >= 2 and < 20 && !IsRandom(word) && word.Any(char.IsLetter))
            .Sum(word => word.Length);
        return noise > 0 ? noise > 2 * sense : words.Length == 0 || words.All(word => word.Length < 2);
    }

    /// <summary>True if the text has only hex digits, dots, dashes and underscores, and at least 16 digits.</summary>
    private static bool IsHex(string text)
    {
        var digits = 0;
        foreach (var c in text)
        {
            if (char.IsAsciiHexDigit(c))
                digits++;
            else if (c is not ('.' or '-' or '_'))
                return false;
        }

        return digits >= 16;
    }

    /// <summary>
    /// True if a word switches between letters, digits and cases more often than real words do, or is unpronounceable: too many consonants
    /// in a row, or too few vowels.
    /// </summary>
    private static bool IsRandom(string word)
    {
        int changes = 0, vowels = 0, letters = 0, consonants = 0, longest = 0;
        var before = 0;
        for (var i = 0; i < word.Length; i++)
        {
            var c = word[i];
            var kind = char.IsAsciiDigit(c) ? 1 : char.IsAsciiLetterUpper(c) ? 2 : char.IsAsciiLetterLower(c) ? 3 : 0;

            // The change after a single capital, as in 'Word', does not count.
            if (i > 0 && kind != before && !(before == 2 && kind == 3
                && (i == 1 || word[i - 2] is var two && !char.IsAsciiLetterUpper(two) && !char.IsAsciiDigit(two))))
                changes++;
            before = kind;
            if (kind < 2)
            {
                consonants = 0;
                continue;
            }

            letters++;
            if ("aeiouyAEIOUY".Contains(c, StringComparison.Ordinal))
            {
                vowels++;
                consonants = 0;
            }
            else
            {
                longest = Math.Max(longest, ++consonants);
            }
        }

        if (word.Length >= 16 && changes * 4 >= word.Length)
            return true;
        if (changes * 3 >= word.Length && changes >= 3)
            return true;
        return letters * 2 > word.Length && letters >= 8 && (longest >= 6 || vowels * 6 < letters);
    }
}
