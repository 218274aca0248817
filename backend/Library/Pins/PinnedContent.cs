using NzbDav.Content;

namespace NzbDav.Library.Pins;

/// <summary>A content whose pinned ranges are read from disk. Later changes of the pins take effect with the next reader.</summary>
public sealed class PinnedContent(IContent inner, PinKey key, PinStore store) : DelegatingContent(inner)
{
    /// <inheritdoc/>
    public override ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        // A check (Health) asks what the providers have.
        return intent is not ReadIntent.Health && store.Find(key) is { } set && set.Overlaps(new(start, end))
            ? new PinnedReader(Inner, set, store, start, end, intent)
            : base.OpenReader(start, end, intent);
    }
}

/// <summary>
/// Reads pinned ranges from disk and the rest from the content. A client that begins in a pin with an open-ended range may want no more
/// than the pin, as a library scan does, while the server sends ahead as much as its sockets hold. The bytes that the client has taken tell
/// the two apart: nothing after the pin is requested before the client has taken nearly all of the pin and still reads
/// (<see cref="IClientBacklog"/>); then at once, with full read-ahead. If it is unknown how much was taken, time decides: nothing is
/// requested before a player could have played the pin (<see cref="PinStore.PlayingRate"/>), and one article at a time until
/// <see cref="StayTime"/>.
/// </summary>
internal sealed class PinnedReader : DelegatingReader
{
    /// <summary>
    /// When less than this many bytes of a pin are left, the content after it is opened: enough time for some articles at the bit rate of a
    /// film.
    /// </summary>
    internal const long Near = 512 << 10;

    /// <summary>
    /// Length of a pin's last part, which shows whether the client still reads: little more than this is untaken, and the client's window
    /// moves on with what it is sent. ffprobe 5 leaves 1.4 MB and more of a film's pin unsent (Matroska, transport stream, MP4; over
    /// loopback); on a busy machine its own socket may hold that, with a window that stands still.
    /// </summary>
    internal const long Hold = 4 * PinSet.Block;

    /// <summary>
    /// How far the client's window must move during that last part. A client that stopped reading before it does not move its window that
    /// far.
    /// </summary>
    internal const long Proof = PinSet.Block;

    /// <summary>
    /// Pause between two blocks of the last part. By then the client has taken one, and its system reports that with the next.
    /// </summary>
    internal static readonly TimeSpan BetweenBlocks = TimeSpan.FromMilliseconds(4);

    /// <summary>A client that is still connected after this long without reading has paused: it will continue.</summary>
    internal static readonly TimeSpan Pauses = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Where time decides: a client that has the file open for this long will read on. ffprobe has left by then even on slow machines, and
    /// a player's start is not delayed noticeably.
    /// </summary>
    internal static readonly TimeSpan StayTime = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// In a pin shorter than this, the bytes taken prove nothing: the client's own socket may hold it unread (60 to 320 KB with ffprobe,
    /// over loopback), and the server's output a little more.
    /// </summary>
    internal const long ConclusiveBytes = 1 << 20;

    /// <summary>A client that asks for no more than this many bytes after a pin will read them.</summary>
    internal const long Certain = 16 << 20;

    private readonly IContent _content;
    private readonly PinSet _set;
    private readonly PinStore _store;
    private readonly TimeProvider _time;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private readonly long _opened;
    private readonly TimeSpan _stayTime;
    private readonly bool _mayLeave;
    private readonly bool _isConclusive;

    /// <summary>End of the pin in which the range begins.</summary>
    private readonly long _pinEnd;
    private long _innerEnd;
    private bool _isCautious;
    private long _position;

    /// <summary>Bytes of the pin ahead of the position, for observers; −1 while the content is read.</summary>
    private long _ahead = -1;
    private ReaderFiller? _filler;

    /// <summary>How far the client's window reached when the last part of the pin began.</summary>
    private long? _reach;
    private bool _disposed;

    public PinnedReader(IContent content, PinSet set, PinStore store, long start, long end, ReadIntent intent)
    {
        (_content, _set, _store, _time, _intent) = (content, set, store, store.Time, intent);
        (_position, _end) = (start, end);
        _opened = _time.GetTimestamp();
        var first = set.FirstEndingAfter(start);
        if (first < set.Ranges.Count && set.Ranges[first] is var pin && pin.Contains(start))
        {
            _mayLeave = end == content.Length || end - pin.End > Certain;
            _pinEnd = pin.End;
            _isConclusive = pin.End - start >= ConclusiveBytes;
            _stayTime = _mayLeave ? TimeSpan.FromSeconds((pin.End - start) / store.PlayingRate) : TimeSpan.Zero;
        }

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
        var index = _set.FirstEndingAfter(_position);
        if (!_set.IsDropped && index < _set.Ranges.Count && _set.Ranges[index] is var range && range.Contains(_position))
        {
            if (range.End < _end && Inner is null && await MayOpenAsync(range.End - _position, cancellationToken))
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
        var state = Volatile.Read(ref _ahead) is >= 0 and var ahead
            ? inner with { Ahead = ahead, Segment = -1, Piece = -1, Source = null } : inner;
        return state with { Filler = ReaderFiller.Sum(Volatile.Read(ref _filler), inner.Filler) };
    }

    public override ValueTask DisposeAsync()
    {
        _disposed = true;
        return base.DisposeAsync();
    }

    private TimeSpan Age => _time.GetElapsedTime(_opened);

    /// <summary>Shows how many bytes the client has not taken yet; null: time decides.</summary>
    private IClientBacklog? ConclusiveBacklog => _isConclusive && _store.FollowsClients ? Backlog : null;

    /// <summary>
    /// True when the content after the pin may be opened: the client reads on, or has had the time that a player needs for the pin.
    /// </summary>
    /// <param name="left">Bytes of the pin not lent yet.</param>
    /// <param name="cancellationToken">The client is gone.</param>
    private ValueTask<bool> MayOpenAsync(long left, CancellationToken cancellationToken)
    {
        if (!_mayLeave || ConclusiveBacklog is not { } backlog)
            return new(left <= Near && (!_mayLeave || Age >= _stayTime));
        return left > Hold ? new(false) : WatchAsync(backlog, left, BetweenBlocks, cancellationToken);
    }

    private async ValueTask<bool> WatchAsync(IClientBacklog backlog, long left, TimeSpan limit, CancellationToken cancellationToken)
    {
        _reach ??= backlog.Sample().WindowEnd;
        return await backlog.WaitAsync(
            taking => taking.Unacknowledged + left <= Hold && taking.WindowEnd - _reach >= Proof, limit, cancellationToken);
    }

    /// <summary>True when only one article at a time is requested, because the client may leave.</summary>
    private bool MayLeave => _mayLeave && ConclusiveBacklog is null && Age < StayTime;

    private async ValueTask<ContentLease> ReadInnerAsync(CancellationToken cancellationToken)
    {
        Volatile.Write(ref _ahead, -1);
        if (Inner is { } former && (former.Position != _position || _position == _innerEnd || (_isCautious && !MayLeave)))
        {
            Volatile.Write(ref _filler, ReaderFiller.Sum(_filler, former.Observe().Filler));
            Inner = null;
            await former.DisposeAsync();
        }

        if (Inner is null)
        {
            await WaitAsync(cancellationToken);
            OpenInner(_position);
        }

        var lease = await Inner!.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new InvalidOperationException($"The content ended at {_position}, before its own length.");
        _position += lease.Length;
        return lease;
    }

    /// <summary>
    /// Waits until the client has shown that it reads on. Does not wait after a pin that could not be read to its end, for instance because
    /// the disk sleeps.
    /// </summary>
    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (!_mayLeave || _position < _pinEnd)
            return;
        if (ConclusiveBacklog is { } backlog)
            await WatchAsync(backlog, left: 0, Pauses, cancellationToken);
        else if (_stayTime - Age is var wait && wait > TimeSpan.Zero)
            await Task.Delay(wait, _time, cancellationToken);
    }

    /// <summary>Opens the content up to the next pin.</summary>
    private void OpenInner(long start)
    {
        var next = _set.FirstEndingAfter(start);
        _innerEnd = !_set.IsDropped && next < _set.Ranges.Count && _set.Ranges[next].Start > start
            ? Math.Min(_end, _set.Ranges[next].Start) : _end;
        _isCautious = MayLeave;
        Inner = _content.OpenReader(start, _innerEnd, _isCautious ? ReadIntent.Probe : _intent);
        if (_mayLeave && ConclusiveBacklog is not null)
            Inner.ReadsOn();
    }
}
