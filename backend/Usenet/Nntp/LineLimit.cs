namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Speed limit of all providers together. After each receive a connection asks how long to leave its socket alone; TCP then slows the
/// sender. Thread-safe; costs one read of a field while there is no limit.
/// </summary>
internal sealed class LineLimit(TimeProvider time)
{
    /// <summary>Burst allowed after a quiet time, in seconds of the limit.</summary>
    private const double Burst = 0.1;

    /// <summary>Least bytes that a connection asks for at a time, so that a low limit does not cause many tiny reads.</summary>
    private const int LeastRead = 2 << 10;

    private readonly Lock _gate = new();
    private long _limit;
    private long _freeAt;
    private TaskCompletionSource _changed = NewSignal();

    /// <summary>Bytes per second; null: no limit. A change ends all waits: bytes received before it no longer count.</summary>
    public long? BytesPerSecond
    {
        get => Interlocked.Read(ref _limit) is > 0 and var limit ? limit : null;
        set
        {
            var limit = Math.Max(0, value ?? 0);
            TaskCompletionSource changed;
            lock (_gate)
            {
                if (Interlocked.Exchange(ref _limit, limit) == limit)
                    return;
                _freeAt = 0;
                changed = _changed;
                _changed = NewSignal();
            }

            changed.SetResult();
        }
    }

    /// <summary>Bytes that a connection should receive at once, so that many of them share a low limit evenly.</summary>
    public int ReadSize(int most) =>
        Interlocked.Read(ref _limit) is > 0 and var limit ? (int)Math.Clamp(limit / 64, Math.Min(LeastRead, most), most) : most;

    /// <summary>Counts received bytes.</summary>
    /// <returns>How long to wait before the next receive.</returns>
    public LineHold Received(int bytes)
    {
        if (Interlocked.Read(ref _limit) == 0)
            return LineHold.None;
        lock (_gate)
        {
            // Read under the lock: the cost at a former limit would still be owed after the change.
            if (_limit == 0)
                return LineHold.None;
            var now = time.GetTimestamp();
            var cost = (long)(bytes / (double)_limit * time.TimestampFrequency);
            _freeAt = Math.Max(_freeAt, now - (long)(Burst * time.TimestampFrequency)) + cost;
            return _freeAt > now ? new LineHold(time.GetElapsedTime(now, _freeAt), _changed.Task) : LineHold.None;
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>The wait that the speed limit demands of a connection after a receive.</summary>
/// <param name="Wait">How long to leave its socket alone.</param>
/// <param name="Changed">Completes when the limit changes: then the wait is over.</param>
internal readonly record struct LineHold(TimeSpan Wait, Task Changed)
{
    /// <summary>No wait.</summary>
    public static LineHold None { get; } = new(TimeSpan.Zero, Task.CompletedTask);
}
