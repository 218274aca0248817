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
        using var news = new SemaphoreSlim(0);
        void OnChanged(JobChange change)
        {
            if (change.JobId == id)
                news.Release();
        }

        jobs.Changed += OnChanged;
        try
        {
            while (true)
            {
                var job = await jobs.GetAsync(id, cancellationToken);
                if (job is null or { State: JobState.Completed or JobState.Failed })
                    return job;
                using var limit = new CancellationTokenSource(LookEvery, time);
                using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
                try
                {
                    await news.WaitAsync(both.Token);
                }
                catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
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
