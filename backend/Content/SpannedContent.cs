namespace NzbDav.Content;

/// <summary>
/// Spans of one content, one after the other: a file stored in several volumes of one larger file. One reader reads across spans that are close together, bytes between them
/// included, so read-ahead does not start over at each.
/// </summary>
public sealed class SpannedContent : IContent
{
    private readonly IContent _inner;
    private readonly ContentSpan[] _spans;
    private readonly long[] _starts;
    private readonly long _mostGap;

    /// <param name="inner">The content that holds the spans.</param>
    /// <param name="spans">In the file's order; copied.</param>
    /// <param name="mostGap">Bytes between two spans that are read over; where there are more, or the next span lies before, another reader is opened.</param>
    /// <param name="proof">Checks inferred spans when a reader reaches them; null: nothing was inferred.</param>
    /// <exception cref="ArgumentException">A span is empty or not inside the content.</exception>
    public SpannedContent(IContent inner, IEnumerable<ContentSpan> spans, long mostGap, ISpanProof? proof = null)
    {
        ArgumentNullException.ThrowIfNull(inner);
        ArgumentNullException.ThrowIfNull(spans);
        ArgumentOutOfRangeException.ThrowIfNegative(mostGap);
        _inner = inner;
        _spans = [.. spans];
        _starts = new long[_spans.Length];
        _mostGap = mostGap;
        Proof = proof;
        for (var i = 0; i < _spans.Length; i++)
        {
            if (_spans[i].Start < 0 || _spans[i].Length < 1 || _spans[i].Start > inner.Length - _spans[i].Length)
                throw new ArgumentException("A span is empty or lies outside the content.", nameof(spans));
            _starts[i] = Length;
            Length = checked(Length + _spans[i].Length);
        }
    }

    /// <inheritdoc/>
    public long Length { get; }

    /// <summary>Checks inferred spans; null: nothing was inferred.</summary>
    internal ISpanProof? Proof { get; }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new SpannedReader(this, start, end, intent);
    }

    /// <summary>A span by its index.</summary>
    internal ContentSpan this[int span] => _spans[span];

    /// <summary>Offset in the file of a span's first byte; <see cref="Length"/> for the index after the last.</summary>
    internal long StartOf(int span) => span == _spans.Length ? Length : _starts[span];

    /// <summary>Index of the span that holds <paramref name="offset"/>; the index after the last for <see cref="Length"/>.</summary>
    internal int Find(long offset)
    {
        if (offset == Length)
            return _spans.Length;
        var index = Array.BinarySearch(_starts, offset);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>True when a reader at one place in the inner content can read on to another.</summary>
    internal bool IsNear(long from, long to) => to >= from && to - from <= _mostGap;

    /// <summary>Opens the inner content at or a little before a place in a span, as far as one reader can go towards <paramref name="end"/>.</summary>
    /// <param name="span">The span that is read first.</param>
    /// <param name="from">Where to begin, in the inner content.</param>
    /// <param name="end">Where the file's range ends.</param>
    /// <param name="intent">Why it is read.</param>
    internal ContentReader Open(int span, long from, long end, ReadIntent intent)
    {
        while (StartOf(span + 1) < end && IsNear(_spans[span].End, _spans[span + 1].Start))
            span++;
        return _inner.OpenReader(from, _spans[span].Start + Math.Min(_spans[span].Length, end - StartOf(span)), intent);
    }
}
