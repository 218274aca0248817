using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.History;

/// <summary><c>mode=retry</c>: retries a failed job as a new job, and removes the old entry; <c>retry_all</c>: all that failed.</summary>
internal sealed class RetryMode(JobStore jobs, JobHistory history, BlobStore blobs, SabIntake intake, UrlGrabs grabs, HistoryClock clock)
    : ISabMode
{
    public IReadOnlyList<string> Names => ["retry", "retry_all"];

    public ApiRights Needs(SabCall call) => ApiRights.Add | ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("mode") == "retry_all")
            return await RetryAllAsync(call, cancellationToken);
        return await call.IdsAsync("value", jobs, cancellationToken) is [var id, ..]
            ? await RetryAsync(id, call, cancellationToken)
            : ErrorAnswer.NoItem;
    }

    private async Task<object> RetryAllAsync(SabCall call, CancellationToken cancellationToken)
    {
        var (entries, _) = await history.ListAsync(
            new JobFilter { Standings = [JobStatus.Failed] }, 0, int.MaxValue, cancellationToken);
        var renewed = new List<string>();
        foreach (var entry in entries)
        {
            if (await RetryAsync(entry.Job.Id, call, cancellationToken) is JobAnswer again)
                renewed.Add(again.NzoId);
        }

        return new RetriedAnswer(renewed);
    }

    private async Task<object> RetryAsync(long id, SabCall call, CancellationToken cancellationToken)
    {
        if (await jobs.GetAsync(id, cancellationToken) is not { State: JobState.Failed } job)
            return ErrorAnswer.NoItem;
        string renewed;
        if (call.Form is { File: { } file } form && call.Text("mode") == "retry")
        {
            var taken = await intake.AddAsync(form.FileName, file, call, cancellationToken);
            if (taken is not { Job: { } added })
                return new ErrorAnswer(taken.Error!);
            renewed = NzoId.Of(added);
        }
        else if (job.Nzb is { } nzb)
        {
            await using var stored = await blobs.OpenReadAsync(nzb, cancellationToken);
            var again = new NewJob
            {
                Name = job.Name,
                Category = job.Category,
                Source = job.Source,
                Priority = job.Priority,
                Password = call.Text("password") ?? job.Password,
                ContentHash = job.ContentHash,
                TotalBytes = job.TotalBytes,
                FileCount = job.FileCount,
                Url = job.Url,
                Replaces = job.Id,
            };
            renewed = NzoId.Of(await jobs.EnqueueAsync(again, stored, cancellationToken));
        }
        else if (job.Url is { } url)
        {
            renewed = NzoId.Of(await grabs.AddAsync(new UrlGrab
            {
                Id = jobs.NewId(),
                Url = url,
                Name = job.Name,
                Category = job.Category,
                Priority = job.Priority,
                Password = job.Password
            }, cancellationToken));
        }
        else
        {
            return ErrorAnswer.NoItem;
        }

        await jobs.DeleteAsync(id, withContent: false, cancellationToken);
        clock.Touch();
        return new JobAnswer(renewed);
    }
}
