using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>Several contents read one after the other as one, such as the volumes of a split file. Parts may be empty.</summary>
public sealed class ConcatenatedContent : IContent
{
    private readonly IContent[] _parts;
    private readonly long[] _starts;

    /// <param name="parts">In order. The list is copied, so later changes to it have no effect.</param>
    public ConcatenatedContent(IEnumerable<IContent> parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        _parts = [.. parts.Where(part => part.Length > 0)];
        _starts = new long[_parts.Length];
        for (var i = 0; i < _parts.Length; i++)
        {
            _starts[i] = Length;
            Length = checked(Length + _parts[i].Length);
        }
    }

    /// <inheritdoc/>
    public long Length { get; }

    /// <summary>Parts that are not empty.</summary>
    internal int Count => _parts.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new ConcatenatedReader(this, start, end, intent);
    }

    /// <summary>Offset of a part's first byte; <see cref="Length"/> for the index after the last.</summary>
    internal long StartOf(int part) => part == _parts.Length ? Length : _starts[part];

    /// <summary>Index of the part that holds <paramref name="offset"/>, which is less than <see cref="Length"/>.</summary>
    internal int Find(long offset)
    {
        var index = Array.BinarySearch(_starts, offset);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>Opens the bytes of <c>[start, end)</c> that lie in one part.</summary>
    internal ContentReader OpenPart(int part, long start, long end, ReadIntent intent)
    {
        var range = new ByteSpan(StartOf(part), StartOf(part + 1)).Intersect(new(start, end)).Shift(-StartOf(part));
        return _parts[part].OpenReader(range.Start, range.End, intent);
    }
}

/// <summary>
/// Reads part after part. The next part is opened when its beginning is near, so that its first bytes are on the way when they are needed.
/// </summary>
internal sealed class ConcatenatedReader(ConcatenatedContent content, long start, long end, ReadIntent intent) : DelegatingReader
{
    /// <summary>
    /// Distance in bytes at which the next part is opened ahead: about four articles, which hides a round trip at the rate of one
    /// connection.
    /// </summary>
    internal const long Near = 4 << 20;

    /// <summary>Most readers open at once when parts are tiny. One for a probe: it must not request bytes that may never be read.</summary>
    private readonly int _mostOpen = intent is ReadIntent.Probe ? 1 : 4;

    /// <summary>Readers of consecutive parts; the first holds the byte at <see cref="_position"/>, unless none is open.</summary>
    private readonly Queue<ContentReader> _open = new();
    private long _position = start;
    private int _current = start < end ? content.Find(start) : content.Count;
    private bool _disposed;

    public override long Position => _position;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_position == end)
            return ContentLease.Empty;
        if (_position == content.StartOf(_current + 1))
            await ClosePartAsync();
        OpenNear();

        var reader = _open.Peek();
        Inner = reader;
        var lease = await reader.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new InvalidOperationException($"Part {_current} ended at {_position}, before its own length.");
        _position += lease.Length;
        Debug.Assert(_position <= Math.Min(end, content.StartOf(_current + 1)), "a part lends only what it was opened for");
        return lease;
    }

    public override async ValueTask DisposeAsync()
    {
        _disposed = true;
        Inner = null;
        while (_open.TryDequeue(out var reader))
            await reader.DisposeAsync();
        await base.DisposeAsync();
    }

    private async ValueTask ClosePartAsync()
    {
        _current++;
        Inner = null;
        await _open.Dequeue().DisposeAsync();
    }

    private void OpenNear()
    {
        while (_open.Count < _mostOpen)
        {
            var part = _current + _open.Count;
            var at = content.StartOf(part);
            if (at >= end || (_open.Count > 0 && at - _position > Near))
                return;
            var reader = content.OpenPart(part, _position, end, intent);
            OpenedAhead(reader);
            _open.Enqueue(reader);
        }
    }
}
