using System.Globalization;

namespace NzbDav.Usenet.Nzb;

/// <summary>A counter in a subject, such as <c>(3/147)</c>, <c>[01/10]</c> or <c>(3 of 147)</c>.</summary>
/// <param name="Number">The first number.</param>
/// <param name="Count">The second number: the total.</param>
/// <param name="Round">True in round brackets, in which posters count articles. In square brackets they count files.</param>
/// <param name="Where">Its range in the text, brackets included.</param>
internal readonly record struct NzbCounter(int Number, int Count, bool Round, Range Where)
{
    /// <summary>More digits are no counter: seven already count ten million articles.</summary>
    private const int MaxDigits = 7;

    /// <summary>Finds all counters, in order.</summary>
    public static List<NzbCounter> FindAll(ReadOnlySpan<char> text)
    {
        var found = new List<NzbCounter>();
        var i = 0;
        while (true)
        {
            var next = text[i..].IndexOfAny('(', '[');
            if (next < 0)
                return found;
            var start = i + next;
            i = start + 1;
            var rest = text[i..];
            if (!TryParseCounter(ref rest, out var number, out var count))
                continue;
            rest = rest.TrimStart(' ');
            if (rest is not [')' or ']', ..])
                continue;
            var end = text.Length - rest.Length + 1;
            found.Add(new NzbCounter(number, count, text[start] == '(', start..end));
            i = end;
        }
    }

    /// <summary>Finds a counter in words, <c>File 3 of 10</c>, as older posters write it.</summary>
    public static (int Number, int Count)? FindInWords(ReadOnlySpan<char> text)
    {
        while (true)
        {
            var at = text.IndexOf("file ", StringComparison.OrdinalIgnoreCase);
            if (at < 0)
                return null;
            var atStart = at == 0 || !char.IsLetterOrDigit(text[at - 1]);
            text = text[(at + "file ".Length)..];
            var rest = text;
            if (atStart && TryParseCounter(ref rest, out var number, out var count))
                return (number, count);
        }
    }

    private static bool TryParseCounter(ref ReadOnlySpan<char> rest, out int number, out int count)
    {
        count = 0;
        if (!TryParseNumber(ref rest, out number))
            return false;
        rest = rest.TrimStart(' ');
        if (rest is ['/', ..])
            rest = rest[1..];
        else if (rest is ['o' or 'O', 'f' or 'F', ..])
            rest = rest[2..];
        else
            return false;
        return TryParseNumber(ref rest, out count);
    }

    private static bool TryParseNumber(ref ReadOnlySpan<char> rest, out int number)
    {
        rest = rest.TrimStart(' ');
        var digits = rest.IndexOfAnyExceptInRange('0', '9');
        if (digits < 0)
            digits = rest.Length;
        number = 0;
        if (digits is 0 or > MaxDigits || !int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out number))
            return false;
        rest = rest[digits..];
        return true;
    }
}
