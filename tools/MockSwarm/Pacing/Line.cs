namespace NzbDav.MockSwarm.Pacing;

/// <summary>A line of a given rate: tells when bytes that are handed to it have passed. Pure arithmetic; thread-safe, as a seeder's connections share it.</summary>
internal sealed class Line(long bytesPerSecond)
{
    /// <summary>Time lost to a late wake-up is made good up to here; a line that stood blocked gains nothing beyond.</summary>
    private const long Grace = 20 * TimeSpan.TicksPerMillisecond;

    /// <summary>All sessions' blocks wait for the same moments, so that one wake-up serves many. Lateness is made good, see <see cref="Grace"/>.</summary>
    private const long Beat = 4 * TimeSpan.TicksPerMillisecond;

    private readonly Lock _gate = new();
    private long _free;

    /// <summary>When to wake up for bytes that have passed at <paramref name="due"/>.</summary>
    public static long WakeUp(long due) => (due + Beat - 1) / Beat * Beat;

    /// <summary>Takes the line for bytes if they have passed by <paramref name="now"/>; else tells when they would have.</summary>
    /// <param name="bytes">What is to pass.</param>
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
