namespace NzbDav.Content;

/// <summary>
/// Parts of one content, one after the other: a file that is stored in volumes which lie in a row. Spans that are near each other are read by one reader, which reads over what is
/// between them; so its read-ahead does not begin anew with each.
/// </summary>
public sealed class SpannedContent : IContent
{
    private readonly IContent _inner;
    private readonly ContentSpan[] _spans;
    private readonly long[] _starts;
    private readonly long _mostGap;

    /// <param name="inner">Where the spans lie.</param>
    /// <param name="spans">In the file's order; copied.</param>
    /// <param name="mostGap">Bytes between two spans that are read over; where there are more, or the next span lies before, another reader is opened.</param>
    /// <param name="proof">Looks at what is before reckoned spans when a reader comes by; null: nothing was reckoned.</param>
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
                throw new ArgumentException("A span is empty or lies outside.", nameof(spans));
            _starts[i] = Length;
            Length = checked(Length + _spans[i].Length);
        }
    }

    /// <inheritdoc/>
    public long Length { get; }

    /// <summary>Looks at what is before reckoned spans; null: nothing was reckoned.</summary>
    internal ISpanProof? Proof { get; }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new SpannedReader(this, start, end, intent);
    }

    /// <summary>A span by its number.</summary>
    internal ContentSpan this[int span] => _spans[span];

    /// <summary>Offset in the file of a span's first byte; <see cref="Length"/> for the number behind the last.</summary>
    internal long StartOf(int span) => span == _spans.Length ? Length : _starts[span];

    /// <summary>The span that holds <paramref name="offset"/>; the number behind the last for <see cref="Length"/>.</summary>
    internal int Find(long offset)
    {
        if (offset == Length)
            return _spans.Length;
        var index = Array.BinarySearch(_starts, offset);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>A reader that comes from one place in the inner content can read on to another.</summary>
    internal bool IsNear(long from, long to) => to >= from && to - from <= _mostGap;

    /// <summary>Opens the inner content from a place in a span, or a little before, as far as one reader gets on the way to <paramref name="end"/>.</summary>
    /// <param name="span">The span that is read first.</param>
    /// <param name="from">Where to begin, in the inner content.</param>
    /// <param name="end">Where the file's range ends.</param>
    /// <param name="intent">What for.</param>
    internal ContentReader Open(int span, long from, long end, ReadIntent intent)
    {
        while (StartOf(span + 1) < end && IsNear(_spans[span].End, _spans[span + 1].Start))
            span++;
        return _inner.OpenReader(from, _spans[span].Start + Math.Min(_spans[span].Length, end - StartOf(span)), intent);
    }
}
