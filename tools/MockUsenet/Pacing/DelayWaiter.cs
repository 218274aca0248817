using System.Threading.Tasks.Sources;

namespace NzbDav.MockUsenet.Pacing;

/// <summary>A connection's delay, reused without allocating. One wait at a time; may be cancelled from any thread.</summary>
internal sealed class DelayWaiter(IDelayScheduler scheduler) : IValueTaskSource<bool>, IDisposable
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private bool _armed;
    private bool _cancelled;
    private bool _endless;
    private bool _impatient;

    /// <summary>The timer of a <see cref="TimerScheduler"/> for this waiter.</summary>
    public ITimer? Timer { get; set; }

    /// <summary>The version that <see cref="Timer"/> passes to <see cref="Fire"/>.</summary>
    public short TimerVersion { get; set; }

    /// <summary>
    /// Returns true at <paramref name="due"/>, or false at once when cancelled. <see cref="long.MaxValue"/> waits forever.
    /// </summary>
    public ValueTask<bool> UntilAsync(long due)
    {
        short version;
        lock (_gate)
        {
            if (_cancelled || (_impatient && due == long.MaxValue))
                return new ValueTask<bool>(false);
            if (due != long.MaxValue && due <= scheduler.Now)
                return new ValueTask<bool>(true);
            _core.Reset();
            version = _core.Version;
            _armed = true;
            _endless = due == long.MaxValue;
        }

        if (due != long.MaxValue)
            scheduler.Schedule(this, version, due);
        return new ValueTask<bool>(this, version);
    }

    public void Fire(short version) => Complete(true, version);

    /// <summary>Ends the wait in progress and all later ones with false.</summary>
    public void Cancel()
    {
        lock (_gate)
            _cancelled = true;
        Complete(false, null);
    }

    /// <summary>Ends present and later waits that would last forever, with false.</summary>
    public void CancelForever()
    {
        lock (_gate)
        {
            _impatient = true;
            if (!_endless)
                return;
        }

        Complete(false, null);
    }

    public void Dispose() => Timer?.Dispose();

    bool IValueTaskSource<bool>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Complete(bool result, short? version)
    {
        lock (_gate)
        {
            if (!_armed || (version is { } wanted && wanted != _core.Version))
                return;
            _armed = _endless = false;
        }

        _core.SetResult(result);
    }
}

/// <summary>Wakes <see cref="DelayWaiter"/>s. Times are ticks of 100 ns on the scheduler's own monotonic clock.</summary>
internal interface IDelayScheduler
{
    long Now { get; }

    /// <summary>Calls <see cref="DelayWaiter.Fire"/> with <paramref name="version"/> at <paramref name="due"/> or as soon as possible
    /// after, never before.</summary>
    void Schedule(DelayWaiter waiter, short version, long due);
}
