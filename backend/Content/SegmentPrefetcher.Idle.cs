namespace NzbDav.Content;

/// <summary>
/// Idle readers: a reader that nobody has read from for <see cref="ContentReader.IdleTime"/> releases what it holds and gets no part of the
/// budget. The next read continues where it was; segments still in the cache are not fetched again.
/// </summary>
public sealed partial class SegmentPrefetcher
{
    private ITimer? _idleTimer;
    private long _lastRead;
    private bool _waits;
    private bool _isIdle;
    private ReaderWait? _lastWait;

    /// <inheritdoc/>
    public override ReaderState Observe()
    {
        lock (_gate)
        {
            if (_disposed)
                return ReaderState.Unknown;
            var (ahead, inFlight, isWhole) = (0L, 0, true);
            foreach (var slot in _slots)
            {
                isWhole &= slot.Flight.IsFound;
                if (isWhole)
                    ahead = Math.Min(slot.Extent.End, _end) - _position;
                else if (slot.Flight is { IsEnded: false, Sent: true })
                    inFlight++;
            }

            return _waits && ahead == 0 && _slots.Count > 0
                ? new(ahead, _slots.Head.Extent.Segment, -1)
                { InFlight = inFlight, LastWait = _lastWait, Source = _cache.SourceOf(_slots.Head.Flight) }
                : new(ahead, -1, -1) { InFlight = inFlight, LastWait = _lastWait };
        }
    }

    /// <summary>Records a wait that the viewer may have noticed, whether it ended well or not.</summary>
    private void NoteWait(long began, Slot head)
    {
        if (!_early || head.Flight is null || _source.Time.GetElapsedTime(began) is var waited && waited < ReaderWait.Least)
            return;
        var wait = new ReaderWait(head.Extent.Segment, waited, _cache.TraceOf(head.Flight));
        lock (_gate)
            _lastWait = wait;
    }

    private void ReleaseIfIdle()
    {
        lock (_gate)
        {
            if (_disposed || _isIdle)
                return;

            // Bytes lent before verification can be compared only with their own segment: keep it until it has ended.
            var left = _waits || _partial is { IsEnded: false } ? IdleTime : IdleTime - _source.Time.GetElapsedTime(_lastRead);
            if (left > TimeSpan.Zero)
            {
                _idleTimer?.Change(left, Timeout.InfiniteTimeSpan);
                return;
            }

            // Both under the lock: a read or the disposal may end the idle state as soon as the lock is released.
            _isIdle = true;
            _cache.Budget.MarkReaderIdle();
            var isFaulty = _partial is { } partial && (!partial.IsFound || partial.Generation != _partialGeneration);
            if (!isFaulty)
                _partial = null;
            _slots.CloseFrom(isFaulty ? 1 : 0);
        }

        _cache.Budget.WakeNext();
    }

    /// <summary>Records the start of a read, and ends the idle state.</summary>
    private void BeginReadLocked()
    {
        _waits = true;
        _lastRead = _cache.Now();
        if (!_isIdle || _disposed)
            return;
        _isIdle = false;
        _window.Resumed(_source.Time.GetElapsedTime(_openedAt));
        _cache.Budget.MarkReaderActive();
        _idleTimer?.Change(IdleTime, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Records the end of a read, even if it threw.</summary>
    private void NoteRead()
    {
        lock (_gate)
        {
            _waits = false;
            _lastRead = _cache.Now();
        }
    }

    /// <summary>Closes the slots outside the window, farthest first.</summary>
    private void CloseBeyondWindowLocked()
    {
        var keep = 0;
        long bytes = 0;
        foreach (var slot in _slots)
        {
            if (IsFarEnough(keep, bytes))
                break;
            bytes += slot.Extent.Length;
            keep++;
        }

        _slots.CloseFrom(keep);
    }
}
