namespace NzbDav.Content;

/// <summary>Bytes <c>[Start, End)</c> of a file, whatever they are for.</summary>
/// <param name="Start">Offset of the first byte.</param>
/// <param name="End">Offset one past the last byte; <paramref name="Start"/> for a span without bytes.</param>
public readonly record struct ByteSpan(long Start, long End)
{
    /// <summary>Number of bytes.</summary>
    public long Length => End - Start;

    /// <summary>True when it has no bytes.</summary>
    public bool IsEmpty => Start >= End;

    /// <summary>The span of this many bytes. Checks nothing: <see cref="Length"/> stays right even where the end overflows.</summary>
    public static ByteSpan OfLength(long start, long length) => new(start, start + length);

    /// <summary>True when it has the byte at an offset.</summary>
    public bool Contains(long offset) => Start <= offset && offset < End;

    /// <summary>True when it has all bytes of another span.</summary>
    public bool Contains(ByteSpan other) => Start <= other.Start && other.End <= End;

    /// <summary>True when both have a byte in common.</summary>
    public bool Overlaps(ByteSpan other) => Math.Max(Start, other.Start) < Math.Min(End, other.End);

    /// <summary>The bytes that both have; empty if there are none.</summary>
    public ByteSpan Intersect(ByteSpan other)
    {
        var start = Math.Max(Start, other.Start);
        return new(start, Math.Max(start, Math.Min(End, other.End)));
    }

    /// <summary>The span of the same length, this many bytes further on.</summary>
    public ByteSpan Shift(long bytes) => new(Start + bytes, End + bytes);

    /// <summary>The bytes that none of the others has, in order.</summary>
    /// <param name="others">In ascending order of their starts.</param>
    public IEnumerable<ByteSpan> Subtract(IEnumerable<ByteSpan> others)
    {
        var start = Start;
        foreach (var other in others)
        {
            if (other.Start >= End)
                break;
            if (start < other.Start)
                yield return new(start, other.Start);
            start = Math.Max(start, other.End);
        }

        if (start < End)
            yield return new(start, End);
    }

    /// <summary>The bytes that any of the spans has, in order, as few spans.</summary>
    /// <param name="spans">In any order.</param>
    /// <param name="gap">Spans at most this many bytes apart become one, the bytes between them included; 0: those that touch.</param>
    public static List<ByteSpan> Union(IEnumerable<ByteSpan> spans, long gap = 0)
    {
        var joined = new List<ByteSpan>();
        foreach (var span in spans.OrderBy(static span => span.Start))
        {
            if (joined.Count > 0 && joined[^1] is var last && span.Start - last.End <= gap)
                joined[^1] = last with { End = Math.Max(last.End, span.End) };
            else
                joined.Add(span);
        }

        return joined;
    }

    /// <summary>Index of the first span that ends after an offset; the number of spans if there is none.</summary>
    /// <param name="spans">In order; none overlaps another.</param>
    /// <param name="offset">The offset.</param>
    public static int FirstEndingAfter(IReadOnlyList<ByteSpan> spans, long offset)
    {
        var (low, high) = (0, spans.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (spans[middle].End > offset)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }
}
