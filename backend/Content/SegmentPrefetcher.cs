using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace NzbDav.Content;

/// <summary>
/// Reads a range of a segmented file in order, and fetches segments ahead of the reader. Works on one flat list of extents, so volume
/// boundaries do not matter. Read-ahead never passes the end of the range or the reader's part of the budget.
/// </summary>
/// <remarks>
/// <see cref="NextAsync"/> is for one caller at a time. The lock guards the slots, because freed budget starts requests from another
/// thread.
/// </remarks>
public sealed partial class SegmentPrefetcher : ContentReader, IBudgetWaiter, IThreadPoolWorkItem
{
    /// <summary>Slots after the head that take priority over other readers' read-ahead.</summary>
    private const int NextSlots = 2;

    /// <summary>
    /// A range that ends before the file does and is no longer than this, in bytes, is requested as far as the line delivers at once: a
    /// client that asks for so little will read it all. Some clients read in longer ranges, and often abandon them.
    /// </summary>
    private const long CertainRange = 16L << 20;

    /// <summary>
    /// Most bytes lent at once: enough that the cost of a lease does not matter, little enough that a slow consumer does not hold a whole
    /// segment.
    /// </summary>
    private const int MostLent = 256 << 10;

    private readonly Lock _gate = new();
    private readonly ISegmentSource _source;
    private readonly SegmentCache _cache;
    private readonly ReadAheadWindow _window;
    private readonly SlotQueue _slots;
    private readonly MapRepair _repair;
    private readonly FetchPriority _head;
    private readonly FetchPriority _next;
    private readonly FetchPriority _ahead;
    private readonly bool _early;
    private readonly long _end;
    private ExtentMap _map;
    private long _position;
    private readonly long _openedAt;

    /// <summary>The head slot's flight if some of its bytes were lent, and their generation; otherwise null.</summary>
    private SegmentFlight? _partial;
    private int _partialGeneration;

    /// <summary>Bytes of the head segment lent before it failed. Nothing more is lent until another copy has confirmed them.</summary>
    private LentBytes? _unconfirmed;
    private bool _disposed;

    /// <summary>Opens the reader; the first requests are under way when the constructor returns.</summary>
    /// <param name="source">The file.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">One past the last byte.</param>
    /// <param name="intent">Priority of the requests and amount of read-ahead.</param>
    public SegmentPrefetcher(ISegmentSource source, long start, long end, ReadIntent intent)
    {
        ArgumentNullException.ThrowIfNull(source);
        _source = source;
        _map = source.Map;
        ContentRange.ThrowIfOutside(start, end, _map.Length);
        _cache = source.Cache;
        _slots = new SlotQueue(_cache);
        _repair = new MapRepair(source, start, end);
        _window = new ReadAheadWindow(intent == ReadIntent.Scan ? ReadIntent.Playback : intent,
            end < _map.Length && end - start <= CertainRange ? BurstSegments() : 0);
        _openedAt = source.Time.GetTimestamp();
        (_head, _next, _ahead) = intent switch
        {
            ReadIntent.Import => (FetchPriority.Import, FetchPriority.Import, FetchPriority.Import),
            ReadIntent.Health => (FetchPriority.Health, FetchPriority.Health, FetchPriority.Health),
            ReadIntent.Download => (FetchPriority.Next, FetchPriority.ReadAhead, FetchPriority.ReadAhead),
            _ => (FetchPriority.Waiting, FetchPriority.Next, FetchPriority.ReadAhead),
        };
        if (intent == ReadIntent.Scan)
            _yieldMode = new Yielding(YieldMode.Scan);
        _early = _head == FetchPriority.Waiting;
        _position = start;
        _end = end;
        _cache.Budget.AddReader();
        if (start == end)
            return;
        _slots.NextExtent = _map.Find(start);
        _lastRead = _openedAt;
        lock (_gate)
        {
            PumpLocked(isWaitedFor: true);
            _idleTimer = source.Time.CreateTimer(
                static self => ((SegmentPrefetcher)self!).ReleaseIfIdle(), this, IdleTime, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public override long Position => _position;

    /// <inheritdoc/>
    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_position >= _end)
            return new ValueTask<ContentLease>(ContentLease.Empty);
        var lease = TryLeaseHead(out _);
        return lease is not null ? new ValueTask<ContentLease>(lease) : WaitAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void ReadsOn()
    {
        lock (_gate)
            _window.ReadsOn();
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return ValueTask.CompletedTask;
            _disposed = true;
            SetYieldModeLocked(mode: null);
            _slots.CloseFrom(0);
            _idleTimer?.Dispose();
        }

        if (_isIdle)
            _cache.Budget.MarkReaderActive();
        _cache.Budget.RemoveReader();
        _cache.Budget.WakeNext();
        return ValueTask.CompletedTask;
    }

    void IBudgetWaiter.BudgetFreed() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    void IThreadPoolWorkItem.Execute()
    {
        bool refused;
        lock (_gate)
            refused = !_disposed && !_isIdle && !PumpLocked();

        // The freed budget may be enough for more than one waiter. A waiter that is refused registers again and ends the chain.
        if (!refused)
            _cache.Budget.WakeNext();
    }

    /// <summary>Segments that the network delivers at once.</summary>
    private int BurstSegments() =>
        _map.Extents.Length == 0 ? 0 : (int)Math.Min(int.MaxValue, _cache.Burst / Math.Max(1, _map.Length / _map.Extents.Length));

    /// <summary>Lends the available bytes of the head segment; null when there are none, or when it cannot be used as it is.</summary>
    private ContentLease? TryLeaseHead(out Slot head)
    {
        lock (_gate)
        {
            BeginReadLocked();
            head = HeadLocked();
            var flight = head.Flight;
            var segment = head.Extent.Segment;
            if (_unconfirmed is not null || !_source.IsProven(_map, segment))
                return null;

            var wanted = (int)(Math.Min(head.Extent.End, _end) - _position);
            var early = MayLendEarly(head) ? Math.Min(MostLent, wanted - 1) : 0;
            var lease = flight.TryLend(OffsetIn(head), Math.Min(MostLent, wanted), early, _map.Segments.Begin(segment),
                _map.Segments.Size(segment), out var generation);
            if (lease is null)
                return null;
            if (_partial == flight && _partialGeneration != generation)
            {
                lease.Dispose();
                return null;
            }

            _waits = false;
            _position += lease.Length;
            _cache.Metrics.Lent(lease.Length);
            if (lease.Length < wanted)
            {
                _partial = flight;
                _partialGeneration = generation;
            }
            else
            {
                FinishHeadLocked(head);
            }

            return lease;
        }
    }

    private Slot HeadLocked()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_slots.Count == 0)
            PumpLocked(isWaitedFor: true);
        return _slots.Head;
    }

    private void FinishHeadLocked(Slot head)
    {
        _slots.DequeueHead();
        _partial = null;
        int ready = 0, place = 0;
        SegmentFlight? last = null;
        foreach (var slot in _slots)
        {
            if (place++ <= NextSlots && _yieldMode is null)
                _cache.Raise(slot.Flight, _next);
            if (slot.Flight.IsEnded)
                ready++;
            last = slot.Flight;
        }

        var shrunk = _window.OnSegmentRead(
            head.Extent.Length, _slots.Count, ready, last is null || last.Sent, _source.Time.GetElapsedTime(_openedAt), BurstSegments());
        _cache.Close(head.Flight);
        if (shrunk)
            CloseBeyondWindowLocked();
        PumpLocked();
    }

    /// <summary>Requests what the window, the range and the budget allow; false when the budget was the limit.</summary>
    /// <param name="isWaitedFor">True when a reader waits for the head segment: it is then requested even over the budget.</param>
    private bool PumpLocked(bool isWaitedFor = false)
    {
        var budget = _cache.Budget.BudgetPerReader;
        while (_slots.NextExtent < _map.Extents.Length)
        {
            var extent = _map.Extents[_slots.NextExtent];
            if (extent.Start >= _end)
                break;
            var isHead = _slots.Count == 0;
            if (!isHead && (_slots.Bytes + extent.Length > budget || IsFarEnough(_slots.Count, _slots.Bytes)))
                break;
            var isWaited = isHead && isWaitedFor;
            var priority = _yieldMode is not null ? FetchPriority.Scan : isWaited ? _head : _slots.Count <= NextSlots ? _next : _ahead;
            if (!_cache.TryOpen(_map.Segments.Key(extent.Segment), priority, isWaited ? null : this, out var flight))
                return false;
            _slots.Add(extent, flight);
        }

        return true;
    }

    private void DropHead()
    {
        lock (_gate)
        {
            if (_disposed || _slots.Count == 0)
                return;
            if (_partial is not null)
                _unconfirmed = _partial.Lent;
            _partial = null;

            // Close all slots: the queue cannot insert at its front, and segments that have arrived stay in the cache anyway.
            _slots.CloseFrom(0);
            _slots.NextExtent = _map.Find(_position);
        }
    }

    private bool IsExpected(SegmentFlight flight, Extent extent) =>
        flight is { Fault: null, IsMismatched: false }
        && flight.Begin == _map.Segments.Begin(extent.Segment) && flight.Size == _map.Segments.Size(extent.Segment);

    /// <summary>
    /// True if the slot's bytes may be lent before their segment is verified: only to a reader that somebody waits for, and never the last
    /// byte of an extent or of the range. A consumer that has all bytes it asked for would never learn that some were wrong.
    /// </summary>
    private bool MayLendEarly(Slot slot) => _early && _position < Math.Min(slot.Extent.End, _end) - 1;

    private int OffsetIn(Slot slot)
    {
        Debug.Assert(_position >= slot.Extent.Start && _position < slot.Extent.End, "the head slot holds the position");
        return slot.Extent.Offset + (int)(_position - slot.Extent.Start);
    }

    // Waiting: no byte of the head segment is available.

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
                var lease = TryLeaseHead(out head);
                if (lease is not null)
                {
                    if (_cache.Metrics.TimesWaits)
                        RecordWait(began, head.Flight);
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

                var way = Volatile.Read(ref _yieldMode);
                if (way is null || urgent == head.Flight)
                    _cache.Raise(head.Flight, _head);
                var strange = head.Flight.Size != 0 && !IsExpected(head.Flight, head.Extent);
                var more = strange || _unconfirmed is not null || !MayLendEarly(head)
                    ? head.Flight.WhenEnded() : head.Flight.WhenMore(OffsetIn(head));
                if (way is not null && urgent != head.Flight)
                {
                    await WaitBehindOthersAsync(way, more, cancellationToken);
                    urgent = head.Flight;
                    continue;
                }

                if (_window.MayWidenAfterGrace && !more.IsCompleted)
                    await WidenAfterGraceAsync(more, cancellationToken);
                await more.WaitAsync(cancellationToken);
            }
        }
        finally
        {
            NoteRead();
            NoteWait(began, head);
        }
    }

    /// <summary>Widens the window once a reader has waited through the grace time: from then on it may use the whole line.</summary>
    private async Task WidenAfterGraceAsync(Task more, CancellationToken cancellationToken)
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
            _window.WidenAfterGrace(BurstSegments());
            PumpLocked();
        }
    }

    private void RecordWait(long began, SegmentFlight flight)
    {
        var now = _cache.Now();
        var signalled = Math.Clamp(flight.SignalledAt, began, now);
        _cache.Metrics.Waited(_source.Time.GetElapsedTime(began, now), _source.Time.GetElapsedTime(signalled, now));
    }

    // Segments that do not match the map.

    /// <summary>
    /// Handles a head segment that has ended but could not be lent: clears it if it is right, repairs the map if possible, or throws the
    /// reason.
    /// </summary>
    private async ValueTask ResolveAsync(Slot head, CancellationToken cancellationToken)
    {
        var flight = head.Flight;
        if (_partial == flight && _partialGeneration != flight.Generation)
            throw flight.Failure();
        if (flight is { IsFound: false, IsMismatched: false })
        {
            DropHead();
            throw flight.Failure();
        }

        if (IsExpected(flight, head.Extent))
        {
            // The segment is complete now and is used as it is, with all segments under way behind it, unless it differs from bytes lent
            // from another copy that failed.
            if (_unconfirmed is { } lent && !flight.BeginsWith(lent))
                throw new ContentException(ContentFault.Corrupt,
                    $"The article <{flight.Key.Id}> differs from a damaged copy of which part had already been sent.");
            _unconfirmed = null;
            return;
        }

        // The next reader needs the corrected map, even if this one cannot continue with it.
        var map = await _repair.CorrectAsync(_map, head.Extent.Segment, flight, cancellationToken);
        if (map is null || _partial is not null || _unconfirmed is not null)
        {
            // Another request may fetch another copy. That is impossible once part of this one was lent.
            if (_partial is null)
                DropHead();
            throw new ContentException(ContentFault.Corrupt, $"The article <{flight.Key.Id}> is not the expected part of the file.");
        }

        lock (_gate)
            UseLocked(map);
    }

    /// <summary>Asks the source to confirm the head segment's place, and continues with the map it returns.</summary>
    private async ValueTask ProveAsync(Slot head, CancellationToken cancellationToken)
    {
        _cache.Raise(head.Flight, _head);
        var map = await _repair.ProveAsync(_map, head.Extent.Segment, _head, _position, _partial, _partialGeneration, cancellationToken);
        if (map == _map)
            return;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _partial = null;
            UseLocked(map);
        }
    }

    private void UseLocked(ExtentMap map)
    {
        _slots.CloseFrom(0);
        _map = map;
        _slots.NextExtent = map.Find(_position);
    }
}
