using System.Collections.Concurrent;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Progress;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Current progress of this process's running jobs; the catalog is updated only every 15 seconds. Thread-safe.</summary>
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

    /// <summary>Raised on a worker's thread with the job's id; handlers must return quickly.</summary>
    public event Action<long>? Progressed;

    /// <summary>Null if the job has reported no progress.</summary>
    public JobProgress? Of(long jobId) => _progress.TryGetValue(jobId, out var progress) ? progress : null;
}
