namespace NzbDav.Content;

/// <summary>
/// What happens when nobody reads: a reader from which nothing was taken for <see cref="RestTime"/> gives back all that it holds, and no longer counts among
/// those that share the budget. The next read goes on where it was; what is still in the cache is not fetched again.
/// </summary>
public sealed partial class SegmentPrefetcher
{
    /// <summary>
    /// A response whose client reads slowly is stopped by full sockets for a second or two at a time: Linux asks for more when a third of 4 MiB is free, which
    /// takes 0.7 s at 2 MB/s. By then the client has megabytes in the sockets, so that fetching anew keeps it from nothing.
    /// </summary>
    internal static readonly TimeSpan RestTime = TimeSpan.FromSeconds(2);

    private ITimer? _restTimer;
    private long _lastRead;
    private bool _waits;
    private bool _rests;
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
                isWhole &= slot.Flight.Outcome == SegmentOutcome.Found;
                if (isWhole)
                    ahead = Math.Min(slot.Extent.End, _end) - _position;
                else if (slot.Flight is { IsEnded: false, Sent: true })
                    inFlight++;
            }

            return _waits && ahead == 0 && _slots.TryPeek(out var head)
                ? new(ahead, head.Extent.Segment, -1) { InFlight = inFlight, LastWait = _lastWait, Source = _cache.SourceOf(head.Flight) }
                : new(ahead, -1, -1) { InFlight = inFlight, LastWait = _lastWait };
        }
    }

    /// <summary>Keeps the story of a wait that somebody may have seen, however it ended.</summary>
    private void NoteWait(long began, Slot head)
    {
        if (!_early || head.Flight is null || _source.Time.GetElapsedTime(began) is var waited && waited < ReaderWait.Least)
            return;
        var wait = new ReaderWait(head.Extent.Segment, waited, _cache.StoryOf(head.Flight));
        lock (_gate)
            _lastWait = wait;
    }

    private void RestIfIdle()
    {
        lock (_gate)
        {
            if (_disposed || _rests)
                return;

            // A segment of which part was lent before it was verified is the only one to compare with: its end is waited for.
            var left = _waits || _partial is { IsEnded: false } ? RestTime : RestTime - _source.Time.GetElapsedTime(_lastRead);
            if (left > TimeSpan.Zero)
            {
                _restTimer?.Change(left, Timeout.InfiniteTimeSpan);
                return;
            }

            _rests = true;
            var isFaulty = _partial is { } partial && (partial.Outcome != SegmentOutcome.Found || partial.Generation != _partialGeneration);
            if (!isFaulty)
                _partial = null;
            CloseFromLocked(isFaulty ? 1 : 0);
        }

        _cache.Budget.RestReader();
        _cache.Budget.WakeNext();
    }

    /// <summary>Somebody reads.</summary>
    private void WakeLocked()
    {
        _waits = true;
        _lastRead = _cache.Now();
        if (!_rests || _disposed)
            return;
        _rests = false;
        _window.Resumed(_source.Time.GetElapsedTime(_openedAt));
        _cache.Budget.WakeReader();
        _restTimer?.Change(RestTime, Timeout.InfiniteTimeSpan);
    }

    /// <summary>A read ended, be it with an exception.</summary>
    private void NoteRead()
    {
        lock (_gate)
        {
            _waits = false;
            _lastRead = _cache.Now();
        }
    }

    /// <summary>Gives back what the window no longer asks for, from the far end on.</summary>
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

        CloseFromLocked(keep);
    }

    /// <summary>Gives back all but the first few slots.</summary>
    private void CloseFromLocked(int keep)
    {
        for (int place = 0, count = _slots.Count; place < count; place++)
        {
            var slot = _slots.Dequeue();
            if (place < keep)
            {
                _slots.Enqueue(slot);
                continue;
            }

            _nextExtent--;
            _bytesAhead -= slot.Extent.Length;
            _cache.Close(slot.Flight);
        }
    }
}
