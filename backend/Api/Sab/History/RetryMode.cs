using NzbDav.Access.Keys;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.History;

/// <summary><c>mode=retry</c>: retries a failed job as a new job, and removes the old entry; <c>retry_all</c>: all that failed.</summary>
internal sealed class RetryMode(JobStore jobs, JobHistory history, SabIntake intake, JobActions actions) : ISabMode
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
        if (call.File is { } file && call.Text("mode") == "retry")
        {
            var taken = await intake.AddAsync(file.Name, file.Content, call, cancellationToken);
            if (taken is not { Job: { } added })
                return new ErrorAnswer(taken.Error!);
            await actions.DeleteReplacedAsync(id, cancellationToken);
            return new JobAnswer(NzoId.Of(added));
        }

        return await actions.RetryAsNewAsync(job, call.Text("password"), byPerson: false, cancellationToken) is { } renewed
            ? new JobAnswer(renewed) : ErrorAnswer.NoItem;
    }
}
