using NzbDav.Catalog.Jobs;

namespace NzbDav.Import.Queue;

/// <summary>Waits until a job has ended, whichever process runs it.</summary>
public sealed class JobOutcome(JobStore jobs, TimeProvider time)
{
    /// <summary>Poll interval: with SQLite, changes made by another process raise no event here.</summary>
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(500);

    /// <summary>Returns the job once it is completed or failed; null if it was deleted.</summary>
    public Task<CatalogJob?> WaitAsync(long id, CancellationToken cancellationToken) =>
        WaitAsync(id, static job => job.State is JobState.Completed or JobState.Failed, cancellationToken);

    /// <summary>Returns the job once it is in a state; null if it was deleted.</summary>
    public async Task<CatalogJob?> WaitAsync(long id, Predicate<CatalogJob> isThere, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(isThere);

        // A completion source, because it needs no disposal: a handler may still run after this method has unsubscribed.
        var changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnChanged(JobChange change)
        {
            if (change.JobId == id)
                Volatile.Read(ref changed).TrySetResult();
        }

        jobs.Changed += OnChanged;
        try
        {
            while (true)
            {
                var next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                Volatile.Write(ref changed, next);
                var job = await jobs.GetAsync(id, cancellationToken);
                if (job is null || isThere(job))
                    return job;
                try
                {
                    await next.Task.WaitAsync(PollInterval, time, cancellationToken);
                }
                catch (TimeoutException)
                {
                }
            }
        }
        finally
        {
            jobs.Changed -= OnChanged;
        }
    }
}
