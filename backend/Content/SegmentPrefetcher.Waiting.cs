using System.Runtime.CompilerServices;

namespace NzbDav.Content;

/// <summary>Waiting: no byte of the head segment is available.</summary>
public sealed partial class SegmentPrefetcher
{
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> WaitAsync(CancellationToken cancellationToken)
    {
        var began = _cache.Now();
        Slot head = default;
        SegmentFlight? urgent = null;
        try
        {
            while (true)
            {
                var lease = TryTake(out head);
                if (lease is not null)
                {
                    if (_cache.Metrics.TimesWaits)
                        TellWait(began, head.Flight);
                    return lease;
                }

                if (!_source.IsProven(_map, head.Extent.Segment))
                {
                    await ProveAsync(head, cancellationToken);
                    continue;
                }

                if (head.Flight.IsEnded)
                {
                    await ResolveAsync(head, cancellationToken);
                    continue;
                }

                var way = Volatile.Read(ref _way);
                if (way is null || urgent == head.Flight)
                    _cache.Raise(head.Flight, _head);
                var strange = head.Flight.Size != 0 && !IsExpected(head.Flight, head.Extent);
                var more = strange || _unconfirmed is not null || !MayLendEarly(head) ? head.Flight.WhenEnded() : head.Flight.WhenMore(OffsetIn(head));
                if (way is not null && urgent != head.Flight)
                {
                    await WaitBehindOthersAsync(way, more, cancellationToken);
                    urgent = head.Flight;
                    continue;
                }

                if (_window.IsTried && !more.IsCompleted)
                    await StayAsync(more, cancellationToken);
                await more.WaitAsync(cancellationToken);
            }
        }
        finally
        {
            NoteRead();
            NoteWait(began, head);
        }
    }

    /// <summary>Widens the window once a reader has waited through the grace time: from then on it uses the whole line.</summary>
    private async Task StayAsync(Task more, CancellationToken cancellationToken)
    {
        using var left = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        if (await Task.WhenAny(more, Task.Delay(ReadAheadWindow.Grace, _source.Time, left.Token)) == more)
        {
            await left.CancelAsync();
            return;
        }

        lock (_gate)
        {
            if (_disposed || cancellationToken.IsCancellationRequested)
                return;
            _window.Stayed(BurstSegments());
            PumpLocked();
        }
    }

    private void TellWait(long began, SegmentFlight flight)
    {
        var now = _cache.Now();
        var signalled = Math.Clamp(flight.SignalledAt, began, now);
        _cache.Metrics.Waited(_source.Time.GetElapsedTime(began, now), _source.Time.GetElapsedTime(signalled, now));
    }
}
