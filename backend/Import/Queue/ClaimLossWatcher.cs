using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Import.Queue;

/// <summary>
/// Cancels a running job when it is deleted or paused: at once in this process, and otherwise when another process's notice arrives, at the
/// latest at the next renewal of the claim.
/// </summary>
internal sealed class ClaimLossWatcher : IDisposable
{
    private readonly JobStore _jobs;
    private readonly CatalogJob _job;
    private readonly CancellationTokenSource _lost;

    /// <param name="jobs">Raises the changes.</param>
    /// <param name="job">The job as it was claimed.</param>
    /// <param name="lost">Cancelled when the worker no longer holds the job.</param>
    public ClaimLossWatcher(JobStore jobs, CatalogJob job, CancellationTokenSource lost)
    {
        (_jobs, _job, _lost) = (jobs, job, lost);
        _jobs.Changed += OnChanged;
    }

    public void Dispose() => _jobs.Changed -= OnChanged;

    private void OnChanged(JobChange change)
    {
        if (change.JobId != _job.Id)
            return;
        if (change.State is null)
            Cancel();
        else if (change.State == JobState.Queued)
            _ = CancelUnlessHeldAsync();
    }

    /// <summary>
    /// Decides what a change to <see cref="JobState.Queued"/> means while a worker holds the job. Either the job was paused or its lease
    /// ran out: then it is cancelled. Or the event is a late one from before the claim: a worker can claim a job before all handlers were
    /// notified that it was queued.
    /// </summary>
    private async Task CancelUnlessHeldAsync()
    {
        try
        {
            var now = await _jobs.GetAsync(_job.Id, CancellationToken.None);
            if (now is not { State: JobState.Running } || now.Owner != _job.Owner || now.Attempts != _job.Attempts)
                Cancel();
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            // The next renewal shows whether the claim still holds.
        }
    }

    private void Cancel()
    {
        try
        {
            _ = _lost.CancelAsync();
        }
        catch (ObjectDisposedException)
        {
            // The job ended in the meantime.
        }
    }
}
