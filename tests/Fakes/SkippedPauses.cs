namespace NzbDav.Fakes;

/// <summary>
/// The system's time, but timers of one length fire at once and are counted: for a server on real sockets, whose other timers must run as
/// usual. Thread-safe.
/// </summary>
/// <param name="pause">That length.</param>
public sealed class SkippedPauses(TimeSpan pause) : TimeProvider
{
    private int _count;

    /// <summary>Timers that were skipped.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime != pause)
            return base.CreateTimer(callback, state, dueTime, period);
        Interlocked.Increment(ref _count);
        return base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
