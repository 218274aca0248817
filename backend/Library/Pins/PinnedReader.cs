using NzbDav.Content;

namespace NzbDav.Library.Pins;

/// <summary>
/// Reads what is pinned from the disk, and the rest from the content. Whoever asks for "everything from here on" and begins in a pin may want no more than the pin, as a scan of the library does,
/// while the server sends ahead of him as much as sockets hold, and rclone 16 MiB by itself: so nothing behind the pin is asked for in the
/// time in which no player has played it (<see cref="PinStore.PlayingRate"/>), and one article at a time as long as he may still be about to leave (<see cref="Caution"/>).
/// </summary>
internal sealed class PinnedReader : DelegatingReader
{
    /// <summary>How near its end a pin is read when what follows is opened: some articles' time at the rate of a film.</summary>
    internal const long Near = 512 << 10;

    /// <summary>Whoever has a file open for so long reads on: ffprobe has left by then on slow machines too, and a player's start does not show it.</summary>
    internal static readonly TimeSpan Caution = TimeSpan.FromMilliseconds(500);

    private readonly IContent _content;
    private readonly PinSet _set;
    private readonly PinStore _store;
    private readonly TimeProvider _time;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private readonly long _opened;
    private readonly TimeSpan _patience;
    private readonly bool _mayLeave;
    private long _innerEnd;
    private bool _isCautious;
    private long _position;

    /// <summary>Bytes of a pin from the position on, for who looks on; −1 while the content is read.</summary>
    private long _ahead = -1;
    private ReaderFiller? _filler;
    private bool _disposed;

    public PinnedReader(IContent content, PinSet set, PinStore store, long start, long end, ReadIntent intent)
    {
        (_content, _set, _store, _time, _position, _end, _intent) = (content, set, store, store.Time, start, end, intent);
        _opened = _time.GetTimestamp();
        var first = set.FirstBehind(start);
        _mayLeave = end == content.Length && first < set.Ranges.Count && set.Ranges[first].Start <= start;
        if (_mayLeave)
            _patience = TimeSpan.FromSeconds((set.Ranges[first].End - start) / store.PlayingRate);
        if (first == set.Ranges.Count || set.Ranges[first].Start > start)
            OpenInner(start);
    }

    public override long Position => _position;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_position == _end)
            return ContentLease.Empty;
        var index = _set.FirstBehind(_position);
        if (!_set.IsDropped && index < _set.Ranges.Count && _set.Ranges[index] is var range && range.Start <= _position)
        {
            if (range.End < _end && range.End - _position <= Near && Inner is null && Wait <= TimeSpan.Zero)
                OpenInner(range.End);
            if (await _store.ReadAsync(_set, index, _position, cancellationToken) is { } bytes)
            {
                var count = (int)Math.Min(bytes.Length, _end - _position);
                _position += count;
                Volatile.Write(ref _ahead, range.End - _position);
                return ContentLease.Of(bytes[..count]);
            }
        }

        return await ReadInnerAsync(cancellationToken);
    }

    public override ReaderState Observe()
    {
        var inner = base.Observe();
        var state = Volatile.Read(ref _ahead) is >= 0 and var ahead ? new ReaderState(ahead, -1, -1) : inner;
        return state with { Filler = ReaderFiller.Sum(Volatile.Read(ref _filler), inner.Filler) };
    }

    public override ValueTask DisposeAsync()
    {
        _disposed = true;
        return Inner?.DisposeAsync() ?? ValueTask.CompletedTask;
    }

    /// <summary>How long nothing may be asked for yet; not above zero: it may.</summary>
    private TimeSpan Wait => _patience > TimeSpan.Zero ? _patience - _time.GetElapsedTime(_opened) : TimeSpan.Zero;

    private bool MayLeave => _mayLeave && _time.GetElapsedTime(_opened) < Caution;

    private async ValueTask<ContentLease> ReadInnerAsync(CancellationToken cancellationToken)
    {
        Volatile.Write(ref _ahead, -1);
        if (Inner is { } left && (left.Position != _position || _position == _innerEnd || (_isCautious && !MayLeave)))
        {
            Volatile.Write(ref _filler, ReaderFiller.Sum(_filler, left.Observe().Filler));
            Inner = null;
            await left.DisposeAsync();
        }

        if (Inner is null)
        {
            if (Wait is var wait && wait > TimeSpan.Zero)
                await Task.Delay(wait, _time, cancellationToken);
            OpenInner(_position);
        }

        var lease = await Inner!.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new InvalidOperationException($"The content ended at {_position}, before its own length.");
        _position += lease.Length;
        return lease;
    }

    /// <summary>Opens the content up to the next pin.</summary>
    private void OpenInner(long start)
    {
        var next = _set.FirstBehind(start);
        _innerEnd = !_set.IsDropped && next < _set.Ranges.Count && _set.Ranges[next].Start > start ? Math.Min(_end, _set.Ranges[next].Start) : _end;
        _isCautious = MayLeave;
        Inner = _content.OpenReader(start, _innerEnd, _isCautious ? ReadIntent.Probe : _intent);
    }
}
