namespace NzbDav.Library;

/// <summary>Orders names naturally: runs of digits by their value, letters ignoring case.</summary>
public sealed class NaturalOrder : IComparer<string>
{
    /// <summary>The only instance. Stateless.</summary>
    public static NaturalOrder Instance { get; } = new();

    /// <inheritdoc/>
    public int Compare(string? x, string? y)
    {
        if (x is null || y is null)
            return x is null ? y is null ? 0 : -1 : 1;
        int a = 0, b = 0;
        while (a < x.Length && b < y.Length)
        {
            int order;
            if (char.IsAsciiDigit(x[a]) && char.IsAsciiDigit(y[b]))
            {
                var left = Digits(x, ref a);
                var right = Digits(y, ref b);
                order = left.Length != right.Length ? left.Length.CompareTo(right.Length) : left.SequenceCompareTo(right);
            }
            else
            {
                order = char.ToUpperInvariant(x[a++]).CompareTo(char.ToUpperInvariant(y[b++]));
            }

            if (order != 0)
                return order;
        }

        var rest = (x.Length - a).CompareTo(y.Length - b);
        return rest != 0 ? rest : string.CompareOrdinal(x, y);
    }

    /// <summary>A run of digits without leading zeros.</summary>
    private static ReadOnlySpan<char> Digits(string text, ref int at)
    {
        var start = at;
        while (at < text.Length && char.IsAsciiDigit(text[at]))
            at++;
        return text.AsSpan(start, at - start).TrimStart('0');
    }
}
