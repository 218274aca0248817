using NzbDav.Api.Completion;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Calls;

/// <summary>A number by which clients see whether the history has changed. Thread-safe.</summary>
internal sealed class HistoryClock
{
    private readonly TimeProvider _time;
    private long _now;

    public HistoryClock(JobStore jobs, ICompletion completion, TimeProvider time)
    {
        _time = time;
        _now = time.GetUtcNow().ToUnixTimeSeconds();
        jobs.Changed += change =>
        {
            if (change.State is null or JobState.Completed or JobState.Failed)
                Touch();
        };
        jobs.NoticesLost += Touch;

        // A job that was moving is completed now.
        completion.Shown += Touch;
    }

    /// <summary>The current number. It only grows, and is close to the seconds since 1970.</summary>
    public long Now => Interlocked.Read(ref _now);

    /// <summary>Reports a change of the history.</summary>
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
