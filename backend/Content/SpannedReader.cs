namespace NzbDav.Content;

/// <summary>Reads span after span of a <see cref="SpannedContent"/>.</summary>
internal sealed class SpannedReader(SpannedContent content, long start, long end, ReadIntent intent) : DelegatingReader
{
    private ContentLease _lease = ContentLease.Empty;
    private int _taken;
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
            if (_taken == _lease.Length)
                await FetchAsync(cancellationToken);
            if (_at < wanted)
            {
                await PassAsync(wanted, cancellationToken);
                continue;
            }

            var length = (int)Math.Min(_lease.Length - _taken, Math.Min(content[_span].End - _at, end - _position));
            var part = _lease.Slice(_taken, length);
            Take(length);
            _position += length;
            return part;
        }

        return ContentLease.Empty;
    }

    public override async ValueTask DisposeAsync()
    {
        _disposed = true;
        await CloseAsync();
    }

    private async ValueTask ReopenAsync(long wanted)
    {
        await CloseAsync();

        // The bytes that prove a span are read with it where that costs nothing: at its beginning.
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
        _taken = 0;
    }

    /// <summary>Skips the bytes before a span, and has them checked once all of them have arrived.</summary>
    private async ValueTask PassAsync(long wanted, CancellationToken cancellationToken)
    {
        var count = (int)Math.Min(_lease.Length - _taken, wanted - _at);
        var header = HeaderLength();
        if (header != _header.Length)
            _header = new byte[header];
        var before = wanted - header - _at;
        if (before < count)
        {
            var skipped = (int)Math.Max(0, before);
            _lease.Memory.Span.Slice(_taken + skipped, count - skipped).CopyTo(_header.AsSpan((int)Math.Max(0, -before)));
        }

        if (_at + count == wanted && header > 0)
            await content.Proof!.ProveAsync(_span, _header, cancellationToken);
        Take(count);
    }

    private int HeaderLength() => content.Proof?.HeaderLengthOf(_span) ?? 0;

    private void Take(int count)
    {
        _taken += count;
        _at += count;
        if (_taken < _lease.Length)
            return;
        _lease.Dispose();
        _lease = ContentLease.Empty;
        _taken = 0;
    }

    private async ValueTask CloseAsync()
    {
        _lease.Dispose();
        _lease = ContentLease.Empty;
        _taken = 0;
        if (Inner is { } reader)
        {
            Inner = null;
            await reader.DisposeAsync();
        }
    }
}
