using System.Globalization;
using NzbDav.Content;

namespace NzbDav.WebDav.Files;

/// <summary>A Range header applied to a file's length (RFC 9110 §14.1.2, §14.2). Never throws; parts always lie inside the file.</summary>
internal readonly record struct ByteRanges
{
    /// <summary>More parts than this are answered with the whole file: no player requests them, only attackers do.</summary>
    public const int MaxParts = 8;

    private static readonly ByteRanges Whole = new(RangeOutcome.Whole, []);
    private static readonly ByteRanges Unsatisfiable = new(RangeOutcome.Unsatisfiable, []);

    private ByteRanges(RangeOutcome outcome, ByteSpan[] parts)
    {
        Outcome = outcome;
        Parts = parts;
    }

    public RangeOutcome Outcome { get; }

    /// <summary>
    /// 1 … <see cref="MaxParts"/> parts that do not overlap, in the requested order (sorted if some had to be merged). Otherwise empty.
    /// </summary>
    public ByteSpan[] Parts { get; }

    /// <summary>Evaluates a header.</summary>
    /// <param name="header">The field's value; null or malformed counts as absent.</param>
    /// <param name="length">The file's size.</param>
    public static ByteRanges Evaluate(ReadOnlySpan<char> header, long length)
    {
        // ranges-specifier = range-unit "=" range-set ; "Range units are case-insensitive"
        const string Unit = "bytes=";
        if (!header.StartsWith(Unit, StringComparison.OrdinalIgnoreCase))
            return Whole;
        Span<ByteSpan> found = stackalloc ByteSpan[MaxParts];
        int asked = 0, kept = 0;
        var set = header[Unit.Length..];
        foreach (var piece in set.Split(','))
        {
            var spec = set[piece].Trim(" \t");
            if (spec.IsEmpty)
                continue; // "a recipient MUST parse and ignore a reasonable number of empty list elements"
            if (++asked > MaxParts || !TryParse(spec, length, out var range))
                return Whole;
            if (!range.IsEmpty)
                found[kept++] = range;
        }

        if (asked == 0)
            return Whole;
        return kept == 0 ? Unsatisfiable : new(RangeOutcome.Parts, Merge(found[..kept]));
    }

    /// <summary>Parses one range; a range outside the file results in an empty span.</summary>
    private static bool TryParse(ReadOnlySpan<char> spec, long length, out ByteSpan range)
    {
        range = default;
        var dash = spec.IndexOf('-');
        if (dash < 0)
            return false;
        var first = spec[..dash];
        var last = spec[(dash + 1)..];
        if (first.IsEmpty)
        {
            // suffix-range = "-" suffix-length
            if (!TryNumber(last, out var suffix))
                return false;
            range = new(length - Math.Min(suffix, length), length);
            return true;
        }

        if (!TryNumber(first, out var start))
            return false;
        var end = long.MaxValue;
        if (!last.IsEmpty && (!TryNumber(last, out end) || end < start))
            return false; // "An int-range is invalid if the last-pos value is present and less than first-pos"
        if (start < length)
            range = new(start, end < length ? end + 1 : length);
        return true;
    }

    private static bool TryNumber(ReadOnlySpan<char> digits, out long value) =>
        long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out value);

    /// <summary>Merges overlapping parts, so that no byte is sent twice.</summary>
    private static ByteSpan[] Merge(ReadOnlySpan<ByteSpan> ranges)
    {
        var asked = ranges.ToArray();
        if (asked.Length == 1)
            return asked;
        var merged = ByteSpan.Union(asked);
        return merged.Count == asked.Length ? asked : [.. merged];
    }
}

/// <summary>The result of evaluating a Range header.</summary>
internal enum RangeOutcome
{
    /// <summary>No header, or one to be ignored: 200 with the whole file.</summary>
    Whole,

    /// <summary>206 with the parts.</summary>
    Parts,

    /// <summary>416: no requested byte lies inside the file.</summary>
    Unsatisfiable,
}
