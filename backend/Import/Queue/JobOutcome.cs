using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>Waits for jobs, whichever process runs them.</summary>
public sealed class JobOutcome(JobStore jobs, TimeProvider time)
{
    /// <summary>What another process does is not told: it has to be looked for.</summary>
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(500);

    /// <summary>The job when it is completed or failed; null when it was deleted.</summary>
    public async Task<CatalogJob?> WaitAsync(long id, CancellationToken cancellationToken)
    {
        // Nothing to dispose of: who tells of a change may have begun before this has stopped listening.
        var news = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnChanged(JobChange change)
        {
            if (change.JobId == id)
                Volatile.Read(ref news).TrySetResult();
        }

        jobs.Changed += OnChanged;
        try
        {
            while (true)
            {
                var next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                Volatile.Write(ref news, next);
                var job = await jobs.GetAsync(id, cancellationToken);
                if (job is null or { State: JobState.Completed or JobState.Failed })
                    return job;
                try
                {
                    await next.Task.WaitAsync(LookEvery, time, cancellationToken);
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
