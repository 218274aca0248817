namespace NzbDav.Torrents.Peers;

/// <summary>A bound on bytes per second, shared by all who wait on it. Thread-safe.</summary>
internal sealed class RateLimit(long bytesPerSecond, TimeProvider time)
{
    private readonly Lock _gate = new();
    private long _free;

    /// <summary>Completes when so many more bytes may go.</summary>
    public ValueTask WaitAsync(int bytes, CancellationToken cancellationToken)
    {
        if (bytesPerSecond <= 0)
            return ValueTask.CompletedTask;
        TimeSpan delay;
        lock (_gate)
        {
            var now = time.GetElapsedTime(0).Ticks;
            var start = Math.Max(_free, now);
            _free = start + (long)(bytes * (double)TimeSpan.TicksPerSecond / bytesPerSecond);
            delay = TimeSpan.FromTicks(start - now);
        }

        return delay < TimeSpan.FromMilliseconds(1) ? ValueTask.CompletedTask : new ValueTask(Task.Delay(delay, time, cancellationToken));
    }
}
