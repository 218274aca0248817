namespace NzbDav.MockSwarm.Pacing;

/// <summary>
/// A line with a given rate: computes when bytes have passed it. Pure arithmetic. Thread-safe, because a seeder's connections share it.
/// </summary>
internal sealed class Line(long bytesPerSecond)
{
    /// <summary>Time lost to a late wake-up is made up for, up to this limit. A blocked line gains no more than this.</summary>
    private const long Grace = 20 * TimeSpan.TicksPerMillisecond;

    /// <summary>Wake-ups are rounded up to multiples of this, so that one wake-up serves the blocks of many sessions. <see cref="Grace"/>
    /// makes up for the delay.</summary>
    private const long Beat = 4 * TimeSpan.TicksPerMillisecond;

    private readonly Lock _gate = new();
    private long _free;

    /// <summary>When to wake up for bytes that have passed at <paramref name="due"/>.</summary>
    public static long WakeUp(long due) => (due + Beat - 1) / Beat * Beat;

    /// <summary>Passes bytes if they are through by <paramref name="now"/>; otherwise computes when they would be.</summary>
    /// <param name="bytes">Number of bytes.</param>
    /// <param name="ready">When they could have started, had the line been free.</param>
    /// <param name="now">The time.</param>
    /// <param name="due">When they have passed.</param>
    public bool TryPass(int bytes, long ready, long now, out long due)
    {
        due = ready;
        if (bytesPerSecond <= 0)
            return true;
        lock (_gate)
        {
            var duration = (long)Math.Ceiling(bytes * (double)TimeSpan.TicksPerSecond / bytesPerSecond);
            due = Math.Max(Math.Max(_free, ready), now - Grace - duration) + duration;
            if (due > now)
                return false;
            _free = due;
            return true;
        }
    }
}
