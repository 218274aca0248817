namespace NzbDav.Usenet.Tests.Providers;

/// <summary>The time of day, but for timers of one length, which fire at once and are counted.</summary>
/// <param name="pause">That length.</param>
internal sealed class SkippedPauses(TimeSpan pause) : TimeProvider
{
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime != pause)
            return base.CreateTimer(callback, state, dueTime, period);
        Interlocked.Increment(ref _count);
        return base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
