namespace NzbDav.Content;

/// <summary>Yielding to other readers.</summary>
public sealed partial class SegmentPrefetcher
{
    /// <summary>Fewest segments held by a reader that yields: the one being read and the next. A reader that jumps holds no more.</summary>
    private const int ScanSegments = 2;

    /// <summary>How the reader yields; null: it does not. Changed under the lock.</summary>
    private Yielding? _yieldMode;

    /// <inheritdoc/>
    public override void SetYieldMode(YieldMode? mode)
    {
        Yielding? before;
        lock (_gate)
        {
            before = _yieldMode;
            if (_disposed || !_early || before?.Mode == mode)
                return;
            SetYieldModeLocked(mode);
            if (_yieldMode is null)
                BecomeUrgentLocked();
            else if (before is null)
                CloseBeyondWindowLocked();
            else if (!_isIdle && _slots.Count > 0)
                PumpLocked();
        }

        before?.Ended.TrySetResult();
    }

    private void SetYieldModeLocked(YieldMode? mode)
    {
        _cache.CountScans((mode?.ReadsOn is true ? 1 : 0) - (_yieldMode?.Mode.ReadsOn is true ? 1 : 0));
        _yieldMode = mode is null ? null : new Yielding(mode);
    }

    /// <summary>Raises requests queued behind others to the priority of an ordinary reader.</summary>
    private void BecomeUrgentLocked()
    {
        var place = 0;
        foreach (var slot in _slots)
        {
            _cache.Raise(slot.Flight, place == 0 && _waits ? _head : place <= NextSlots ? _next : _ahead);
            place++;
        }

        if (!_isIdle && _slots.Count > 0)
            PumpLocked();
    }

    /// <summary>True when enough segments and bytes have been requested.</summary>
    private bool IsFarEnough(int segments, long bytes) =>
        _yieldMode is { } yielding ? segments >= SegmentsFor(yielding.Mode) : segments >= _window.Segments && bytes >= _window.Stock;

    /// <summary>
    /// All yielding readers together request two bursts (<see cref="ISegmentFetcher.Burst"/>): enough to fill the line when nobody else
    /// reads, little enough not to delay a player that starts. One burst filled 0.87 of a line of eight connections, 30 ms away, because a
    /// segment that arrives early is held until those before it have arrived.
    /// </summary>
    private int SegmentsFor(YieldMode mode) =>
        mode.ReadsOn ? Math.Max(ScanSegments, 2 * BurstSegments() / Math.Max(1, _cache.Scans)) : ScanSegments;

    /// <summary>Waits for the head segment while others go first, for at most <see cref="YieldMode.MaxWait"/>.</summary>
    private async Task WaitBehindOthersAsync(Yielding yielding, Task more, CancellationToken cancellationToken)
    {
        if (more.IsCompleted)
            return;
        using var left = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(more, yielding.Ended.Task, Task.Delay(yielding.Mode.MaxWait, _source.Time, left.Token));
        await left.CancelAsync();
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>A period in which the reader yields.</summary>
    private sealed class Yielding(YieldMode mode)
    {
        public YieldMode Mode => mode;

        /// <summary>Completes when the reader no longer yields.</summary>
        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
