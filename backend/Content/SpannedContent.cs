namespace NzbDav.Content;

/// <summary>
/// Spans of one content, one after the other, such as a file stored in several volumes of one larger file. One reader reads across spans
/// that are close together, including the bytes between them, so that read-ahead does not start over at each.
/// </summary>
public sealed class SpannedContent : IContent
{
    private readonly IContent _inner;
    private readonly ByteSpan[] _spans;
    private readonly long[] _starts;
    private readonly long _mostGap;

    /// <param name="inner">The content that holds the spans.</param>
    /// <param name="spans">In the file's order; copied.</param>
    /// <param name="mostGap">Largest gap between two spans, in bytes, that is read over. If the gap is larger, or the next span lies before
    /// this one, another reader is opened.</param>
    /// <param name="proof">Checks inferred spans when a reader reaches them; null: nothing was inferred.</param>
    /// <exception cref="ArgumentException">A span is empty or not inside the content.</exception>
    public SpannedContent(IContent inner, IEnumerable<ByteSpan> spans, long mostGap, ISpanProof? proof = null)
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
    internal ByteSpan this[int span] => _spans[span];

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

    /// <summary>True when a reader at one place in the inner content can read on to the other.</summary>
    internal bool IsNear(long from, long to) => to >= from && to - from <= _mostGap;

    /// <summary>
    /// Opens the inner content at or shortly before a place in a span, as far as one reader can continue towards <paramref name="end"/>.
    /// </summary>
    /// <param name="span">The span that is read first.</param>
    /// <param name="from">First byte, as an offset in the inner content.</param>
    /// <param name="end">End of the range, as an offset in the file.</param>
    /// <param name="intent">Why it is read.</param>
    internal ContentReader Open(int span, long from, long end, ReadIntent intent)
    {
        while (StartOf(span + 1) < end && IsNear(_spans[span].End, _spans[span + 1].Start))
            span++;
        return _inner.OpenReader(from, _spans[span].Start + Math.Min(_spans[span].Length, end - StartOf(span)), intent);
    }
}

/// <summary>Reads span after span of a <see cref="SpannedContent"/>.</summary>
internal sealed class SpannedReader(SpannedContent content, long start, long end, ReadIntent intent) : DelegatingReader
{
    private ContentLease _lease = ContentLease.Empty;
    private int _consumed;
    private byte[] _header = [];
    private int _span = content.Find(start);
    private long _position = start;

    /// <summary>Offset in the inner content of the next byte available or to be read.</summary>
    private long _at;
    private bool _disposed;

    public override long Position => _position;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        while (_position < end)
        {
            if (_position == content.StartOf(_span + 1))
                _span++;
            var wanted = content[_span].Start + (_position - content.StartOf(_span));
            if (Inner is null || !content.IsNear(_at, wanted))
                await ReopenAsync(wanted);
            if (_consumed == _lease.Length)
                await FetchAsync(cancellationToken);
            if (_at < wanted)
            {
                await SkipAsync(wanted, cancellationToken);
                continue;
            }

            var length = (int)Math.Min(_lease.Length - _consumed, Math.Min(content[_span].End - _at, end - _position));
            var part = _lease.Slice(_consumed, length);
            Advance(length);
            _position += length;
            return part;
        }

        return ContentLease.Empty;
    }

    public override async ValueTask DisposeAsync()
    {
        _disposed = true;
        await CloseAsync();
        await base.DisposeAsync();
    }

    private async ValueTask ReopenAsync(long wanted)
    {
        await CloseAsync();

        // At a span's beginning the bytes that prove it are read with it, which costs nothing there.
        _at = wanted == content[_span].Start ? wanted - HeaderLength() : wanted;
        Inner = content.Open(_span, _at, end, intent);
    }

    private async ValueTask FetchAsync(CancellationToken cancellationToken)
    {
        var lease = await Inner!.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new InvalidOperationException($"The content ended at {_at}, before the end of a span.");
        _lease.Dispose();
        _lease = lease;
        _consumed = 0;
    }

    /// <summary>Skips the bytes before a span, and checks those that prove it once all of them have arrived.</summary>
    private async ValueTask SkipAsync(long wanted, CancellationToken cancellationToken)
    {
        var count = (int)Math.Min(_lease.Length - _consumed, wanted - _at);
        var header = HeaderLength();
        if (header != _header.Length)
            _header = new byte[header];
        var before = wanted - header - _at;
        if (before < count)
        {
            var skipped = (int)Math.Max(0, before);
            _lease.Memory.Span.Slice(_consumed + skipped, count - skipped).CopyTo(_header.AsSpan((int)Math.Max(0, -before)));
        }

        if (_at + count == wanted && header > 0)
            await content.Proof!.ProveAsync(_span, _header, cancellationToken);
        Advance(count);
    }

    private int HeaderLength() => content.Proof?.HeaderLengthOf(_span) ?? 0;

    private void Advance(int count)
    {
        _consumed += count;
        _at += count;
        if (_consumed < _lease.Length)
            return;
        _lease.Dispose();
        _lease = ContentLease.Empty;
        _consumed = 0;
    }

    private async ValueTask CloseAsync()
    {
        _lease.Dispose();
        _lease = ContentLease.Empty;
        _consumed = 0;
        if (Inner is { } reader)
        {
            Inner = null;
            await reader.DisposeAsync();
        }
    }
}

/// <summary>Checks inferred spans by the bytes right before them. Thread-safe.</summary>
public interface ISpanProof
{
    /// <summary>Number of bytes right before a span that prove it; 0: it needs no proof, or is already proven.</summary>
    /// <param name="span">Its number, from 0.</param>
    int HeaderLengthOf(int span);

    /// <summary>Checks the bytes before a span. Returns if the span is where it was inferred to be.</summary>
    /// <param name="span">Its number, from 0.</param>
    /// <param name="header">The bytes, as many as <see cref="HeaderLengthOf"/> returned.</param>
    /// <param name="cancellationToken">Fires when the reader gives up.</param>
    /// <exception cref="ContentException">It is not there: the bytes that follow are not the file's.</exception>
    ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken);
}
