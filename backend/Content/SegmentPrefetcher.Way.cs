namespace NzbDav.Content;

/// <summary>Giving way to other readers.</summary>
public sealed partial class SegmentPrefetcher
{
    /// <summary>
    /// Fewest segments held by a reader that gives way: the one being read and the next. A reader that jumps holds no more.
    /// </summary>
    private const int ScanSegments = 2;

    /// <summary>How the reader gives way; null: it does not. Changed under the lock.</summary>
    private Way? _way;

    /// <inheritdoc/>
    public override void GiveWay(GivingWay? way)
    {
        Way? before;
        lock (_gate)
        {
            before = _way;
            if (_disposed || !_early || before?.How == way)
                return;
            SetWayLocked(way);
            if (_way is null)
                BecomeUrgentLocked();
            else if (before is null)
                CloseBeyondWindowLocked();
            else if (!_rests && _slots.Count > 0)
                PumpLocked();
        }

        before?.Over.TrySetResult();
    }

    private void SetWayLocked(GivingWay? way)
    {
        _cache.CountScans((way?.ReadsOn is true ? 1 : 0) - (_way?.How.ReadsOn is true ? 1 : 0));
        _way = way is null ? null : new Way(way);
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

        if (!_rests && _slots.Count > 0)
            PumpLocked();
    }

    /// <summary>True when enough segments and bytes have been requested.</summary>
    private bool IsFarEnough(int segments, long bytes) =>
        _way is { } way ? segments >= SegmentsFor(way.How) : segments >= _window.Segments && bytes >= _window.Stock;

    /// <summary>
    /// All readers that give way together request two bursts (<see cref="ISegmentFetcher.Burst"/>): enough to fill the line when nobody
    /// else reads, little enough not to delay a player that starts. One burst filled 0.87 of a line of eight connections, 30 ms away,
    /// because a segment that arrives early is held until those before it have arrived.
    /// </summary>
    private int SegmentsFor(GivingWay way) =>
        way.ReadsOn ? Math.Max(ScanSegments, 2 * BurstSegments() / Math.Max(1, _cache.Scans)) : ScanSegments;

    /// <summary>Waits for the head segment while others go first, for the reader's patience at most.</summary>
    private async Task WaitBehindOthersAsync(Way way, Task more, CancellationToken cancellationToken)
    {
        if (more.IsCompleted)
            return;
        using var left = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(more, way.Over.Task, Task.Delay(way.How.Patience, _source.Time, left.Token));
        await left.CancelAsync();
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>How a reader gives way.</summary>
    private sealed class Way(GivingWay how)
    {
        public GivingWay How => how;

        /// <summary>Completes when the reader no longer gives way.</summary>
        public TaskCompletionSource Over { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
