using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>Stops a job at once when somebody in this process deletes it or holds it back; what other processes do is seen at the next renewal.</summary>
internal sealed class TakenAway : IDisposable
{
    private readonly JobStore _jobs;
    private readonly CatalogJob _job;
    private readonly CancellationTokenSource _lost;

    /// <param name="jobs">Tells of changes.</param>
    /// <param name="job">As it was claimed.</param>
    /// <param name="lost">Cancelled when it is not held any more.</param>
    public TakenAway(JobStore jobs, CatalogJob job, CancellationTokenSource lost)
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
    /// Back in the queue while a worker has it: it was paused, or its lease ran out. Or this tells of its coming into the queue, from where it was claimed before all had been told.
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
            // The next renewal finds out.
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
            // It ended meanwhile.
        }
    }
}
