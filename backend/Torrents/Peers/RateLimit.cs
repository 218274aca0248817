namespace NzbDav.Torrents.Peers;

/// <summary>A limit in bytes per second, shared by all callers that wait on it; may be changed at any time. Thread-safe.</summary>
internal sealed class RateLimit(long bytesPerSecond, TimeProvider time)
{
    private readonly Lock _gate = new();
    private long _rate = bytesPerSecond;
    private long _free;
    private CancellationTokenSource? _waiting;

    /// <summary>Bytes per second; 0 = no limit. Callers that wait under the old limit start over.</summary>
    public long BytesPerSecond
    {
        get => Interlocked.Read(ref _rate);
        set
        {
            CancellationTokenSource? waiting;
            lock (_gate)
            {
                if (_rate == value)
                    return;
                Interlocked.Exchange(ref _rate, value);
                _free = 0;
                waiting = _waiting;
                _waiting = null;
            }

            // Not disposed: waiting callers are still linked to it, and it holds nothing that outlives them.
            waiting?.Cancel();
        }
    }

    /// <summary>Completes when this many more bytes may be transferred.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask WaitAsync(int bytes, CancellationToken cancellationToken)
    {
        return Take(bytes, out var changed) is { Ticks: > 0 } delay
            ? new ValueTask(WaitAsync(bytes, delay, changed, cancellationToken)) : ValueTask.CompletedTask;
    }

    private async Task WaitAsync(int bytes, TimeSpan delay, CancellationToken changed, CancellationToken cancellationToken)
    {
        while (delay > TimeSpan.Zero)
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(changed, cancellationToken);
            try
            {
                await Task.Delay(delay, time, either.Token);
                return;
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                delay = Take(bytes, out changed);
            }
        }
    }

    /// <summary>Reserves the next time slot.</summary>
    /// <param name="bytes">Bytes to be transferred.</param>
    /// <param name="changed">Fires when the limit changes; the reserved slot is then lost.</param>
    /// <returns>How long to wait. Zero for less than a millisecond, which no timer can wait.</returns>
    private TimeSpan Take(int bytes, out CancellationToken changed)
    {
        changed = CancellationToken.None;
        if (Interlocked.Read(ref _rate) <= 0)
            return TimeSpan.Zero;
        lock (_gate)
        {
            if (_rate <= 0)
                return TimeSpan.Zero;
            var now = time.GetElapsedTime(0).Ticks;
            var start = Math.Max(_free, now);
            _free = start + (long)(bytes * (double)TimeSpan.TicksPerSecond / _rate);
            var delay = TimeSpan.FromTicks(start - now);
            if (delay < TimeSpan.FromMilliseconds(1))
                return TimeSpan.Zero;
            changed = (_waiting ??= new CancellationTokenSource()).Token;
            return delay;
        }
    }
}
