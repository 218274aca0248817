using System.Collections.Concurrent;
using NzbDav.Catalog;
using NzbDav.Import;

namespace NzbDav.Api.Native.Jobs;

/// <summary>How far running jobs of this process are: told at once, while the catalog hears of it every 15 seconds. Thread-safe.</summary>
internal sealed class ProgressBoard
{
    private readonly ConcurrentDictionary<long, JobProgress> _progress = new();

    public ProgressBoard(ImportEvents events, JobStore jobs)
    {
        events.Progressed += progress =>
        {
            _progress[progress.JobId] = progress.Progress;
            Progressed?.Invoke(progress.JobId);
        };
        jobs.Changed += change =>
        {
            if (change.State != JobState.Running)
                _progress.TryRemove(change.JobId, out _);
        };
    }

    /// <summary>Raised on a worker's thread with the job's id: return quickly.</summary>
    public event Action<long>? Progressed;

    /// <summary>Null if nothing was told.</summary>
    public JobProgress? Of(long jobId) => _progress.TryGetValue(jobId, out var progress) ? progress : null;
}
