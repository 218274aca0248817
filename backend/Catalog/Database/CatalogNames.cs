using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace NzbDav.Catalog.Database;

/// <summary>Validates item names. The importer makes names safe for clients; this check only protects the tree.</summary>
internal static class CatalogNames
{
    /// <summary>Limit of Linux and most other file systems for one name, in UTF-8 bytes.</summary>
    private const int LongestName = 255;

    /// <summary>False for names that paths cannot address: empty, '.', '..', with '/' or NUL, or not Unicode (a lone surrogate).</summary>
    public static bool IsValid(string name) =>
        name.Length > 0 && name is not "." and not ".." && name.AsSpan().IndexOfAny('/', '\0') < 0 && IsUnicode(name);

    /// <exception cref="ArgumentException">The name is not valid.</exception>
    public static void ThrowIfInvalid(string name, [CallerArgumentExpression(nameof(name))] string? parameter = null)
    {
        ArgumentNullException.ThrowIfNull(name, parameter);
        if (!IsValid(name))
            throw new ArgumentException($"'{name.Replace('\0', '?')}' cannot be the name of an item.", parameter);
    }

    /// <summary>Appends " (2)" and so on to a name that is taken. Cuts the name between characters to stay within 255 bytes.</summary>
    public static string WithNumber(string name, int number)
    {
        var suffix = string.Create(CultureInfo.InvariantCulture, $" ({number})");
        var room = LongestName - suffix.Length;
        if (Encoding.UTF8.GetByteCount(name) <= room)
            return name + suffix;
        var kept = 0;
        foreach (var rune in name.EnumerateRunes())
        {
            room -= rune.Utf8SequenceLength;
            if (room < 0)
                break;
            kept += rune.Utf16SequenceLength;
        }

        return string.Concat(name.AsSpan(0, kept), suffix);
    }

    private static bool IsUnicode(string name)
    {
        var at = name.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF');
        for (; at >= 0 && at < name.Length; at++)
        {
            if (!char.IsSurrogate(name[at]))
                continue;
            if (at + 1 >= name.Length || !char.IsSurrogatePair(name[at], name[at + 1]))
                return false;
            at++;
        }

        return true;
    }
}
