using System.Runtime.CompilerServices;
using NzbDav.Content;

namespace NzbDav.Library.Readers;

/// <summary>Reads one range of a file with a reader of its own, or with one that continues past the range and is kept at its end.</summary>
internal sealed class WarmReader : DelegatingReader
{
    private readonly Func<IContent, long, long, ParkedReader?, bool> _finished;
    private readonly IContent _content;
    private readonly long _limit;
    private readonly long _start;
    private readonly long _end;
    private readonly long _before;

    /// <summary>Bytes of filler that the reader had reported before this range began.</summary>
    private readonly long _fillerBefore;
    private ContentLease? _pending;
    private long _position;
    private long _skip;
    private bool _disposed;

    /// <param name="finished">Called when the range was read to its end: the file, the end, the bytes of it and of the ranges that led up
    /// to it, and the reader to keep. False: this reader must dispose of it.</param>
    /// <param name="content">The content that is read.</param>
    /// <param name="inner">The reader; owned from now on.</param>
    /// <param name="pending">A lease that it has already returned; owned from now on.</param>
    /// <param name="start">First byte of the range. The reader may be a little before it.</param>
    /// <param name="end">One past the last byte of the range.</param>
    /// <param name="before">Bytes of the ranges that led up to this one.</param>
    /// <param name="limit">Where the reader ends: at the end of the range, or past it.</param>
    public WarmReader(Func<IContent, long, long, ParkedReader?, bool> finished, IContent content, ContentReader inner,
        ContentLease? pending, long start, long end, long before, long limit)
        : base(inner)
    {
        _finished = finished;
        _content = content;
        _pending = pending;
        _limit = limit;
        (_start, _position, _end) = (start, start, end);
        _before = before;
        _fillerBefore = inner.Observe().Filler?.Bytes ?? 0;
        _skip = start - (inner.Position - (pending?.Length ?? 0));

        // The reader's last user may have made it yield, over a connection that is gone.
        inner.SetYieldMode(mode: null);
        inner.Follow(backlog: null);
    }

    public override long Position => _position;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return _position >= _end ? new(ContentLease.Empty) : _limit > _end || _pending is not null || _skip > 0
            ? NextLeaseAsync(cancellationToken) : PassOnAsync(cancellationToken);
    }

    public override ReaderState Observe()
    {
        var state = base.Observe();
        return _fillerBefore == 0 || state.Filler is not { } filler
            ? state : state with { Filler = filler.Bytes > _fillerBefore ? filler with { Bytes = filler.Bytes - _fillerBefore } : null };
    }

    public override ValueTask DisposeAsync()
    {
        if (_disposed)
            return ValueTask.CompletedTask;
        _disposed = true;
        if (_position == _end && _end > _start && _end < _content.Length)
        {
            // Read to the end: the next request may continue here. A reader that is left early is disposed at once.
            var rest = _limit > _end ? new ParkedReader(_content, _end, _limit, Inner!, _pending) : null;
            if (_finished(_content, _end, _before + _end - _start, rest) && rest is not null)
                return ValueTask.CompletedTask;
        }

        _pending?.Dispose();
        return base.DisposeAsync();
    }

    /// <summary>Passes on the leases of a reader that ends with this range. Allocates nothing.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> PassOnAsync(CancellationToken cancellationToken)
    {
        var lease = await Inner!.NextAsync(cancellationToken);
        _position += lease.Length;
        return lease;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> NextLeaseAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var lease = _pending ?? await Inner!.NextAsync(cancellationToken);
            _pending = null;
            if (lease.IsEmpty)
                return lease;
            if (_skip >= lease.Length)
            {
                _skip -= lease.Length;
                lease.Dispose();
                continue;
            }

            var length = (int)Math.Min(lease.Length - _skip, _end - _position);
            if (_position + length == _end && !lease.IsVerified)
            {
                // The reader continues past the range, so it does not hold back the range's last byte until verified: that is done here.
                if (length == 1)
                {
                    _pending = lease;
                    await lease.WhenVerifiedAsync(cancellationToken);
                    continue;
                }

                length--;
            }

            if (_skip == 0 && length == lease.Length)
            {
                _position += length;
                return lease;
            }

            using (lease)
            {
                var rest = (int)_skip + length;
                if (rest < lease.Length)
                    _pending = lease.Slice(rest, lease.Length - rest);
                var part = lease.Slice((int)_skip, length);
                _skip = 0;
                _position += length;
                return part;
            }
        }
    }
}
