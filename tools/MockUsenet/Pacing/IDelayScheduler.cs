namespace NzbDav.MockUsenet.Pacing;

/// <summary>Wakes <see cref="DelayWaiter"/>s. Times are ticks of 100 ns on the scheduler's own monotonic clock.</summary>
internal interface IDelayScheduler
{
    long Now { get; }

    /// <summary>Calls <see cref="DelayWaiter.Fire"/> with <paramref name="version"/> at <paramref name="due"/> or as soon as possible after, never before.</summary>
    void Schedule(DelayWaiter waiter, short version, long due);
}
