namespace NzbDav.MockUsenet.Pacing;

/// <summary>Delays from the timers of a <see cref="TimeProvider"/>, for tests with a manual clock.</summary>
internal sealed class TimerScheduler(TimeProvider time) : IDelayScheduler
{
    public long Now => time.GetElapsedTime(0).Ticks;

    public void Schedule(DelayWaiter waiter, short version, long due)
    {
        waiter.TimerVersion = version;
        waiter.Timer ??= time.CreateTimer(
            static state => ((DelayWaiter)state!).Fire(((DelayWaiter)state).TimerVersion), waiter, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        waiter.Timer.Change(TimeSpan.FromTicks(Math.Max(0, due - Now)), Timeout.InfiniteTimeSpan);
    }
}
