using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>The number that tells clients whether the history changed since they looked. Thread-safe.</summary>
internal sealed class HistoryClock
{
    private readonly TimeProvider _time;
    private long _now;

    public HistoryClock(JobStore jobs, TimeProvider time)
    {
        _time = time;
        _now = time.GetUtcNow().ToUnixTimeSeconds();
        jobs.Changed += change =>
        {
            if (change.State is null or JobState.Completed or JobState.Failed)
                Touch();
        };
    }

    /// <summary>A number that only grows; close to the seconds since 1970.</summary>
    public long Now => Interlocked.Read(ref _now);

    /// <summary>The history changed.</summary>
    public void Touch()
    {
        long old;
        do
        {
            old = Interlocked.Read(ref _now);
        }
        while (Interlocked.CompareExchange(ref _now, Math.Max(old + 1, _time.GetUtcNow().ToUnixTimeSeconds()), old) != old);
    }
}
