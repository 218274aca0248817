using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=get_files</c>: the files that a job's .nzb lists.</summary>
internal sealed class FilesMode(JobStore jobs, PostedFiles files, TimeProvider time) : ISabMode
{
    public IReadOnlyList<string> Names => ["get_files"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids)
            return ErrorAnswer.OneParameter;
        if (ids is not [var id, ..] || await jobs.GetAsync(id, cancellationToken) is not { } job)
            return new FilesAnswer([]);
        var now = time.GetUtcNow();
        var listed = await files.ListAsync(job, cancellationToken);
        return new FilesAnswer([.. listed.Select((file, index) => new FileSlot
        {
            Filename = file.Name,
            Mb = SabText.Megabytes(file.Bytes),
            Mbleft = SabText.Megabytes(job.State == JobState.Completed ? 0 : file.Bytes),
            Bytes = SabText.Number(file.Bytes),
            Age = SabText.Age(file.Posted == DateTimeOffset.UnixEpoch ? TimeSpan.FromTicks(-1) : now - file.Posted),
            NzfId = $"SABnzbd_nzf_{NzoId.Of(job.Id)[^13..]}_{index}",
            Status = job.State == JobState.Running ? "active" : job.State == JobState.Queued ? "queued" : "finished",
        })]);
    }
}
