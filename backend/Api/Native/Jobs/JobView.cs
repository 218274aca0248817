using System.Collections.Concurrent;
using System.Globalization;
using NzbDav.Api.Sab.Adding;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Progress;

namespace NzbDav.Api.Native.Jobs;

/// <summary>
/// Jobs as this interface shows them. A job whose file is still being fetched from an address is listed first, as running. Thread-safe.
/// </summary>
internal sealed class JobView(JobList list, TreeStore tree, UrlGrabs grabs, ProgressBoard board, TimeProvider time)
{
    private static readonly string[] PostSteps = ["parse", "probe", "name", "layout", "validate", "publish"];
    private static readonly string[] TorrentSteps = ["metadata", "publish"];

    /// <summary>The text of an id.</summary>
    public static string Text(long id) => id.ToString(CultureInfo.InvariantCulture);

    /// <summary>Number of jobs by state.</summary>
    public async ValueTask<JobCountsBody> CountAsync(CancellationToken cancellationToken) =>
        Counts(await list.CountAsync(new JobFilter(), cancellationToken), grabs.Pending.Count);

    /// <summary>A part of the list.</summary>
    public async ValueTask<JobPageBody> ListAsync(JobFilter filter, JobPaging paging, CancellationToken cancellationToken)
    {
        var fetched = grabs.Pending.Where(grab => Matches(grab, filter)).ToList();
        var isWanted = filter.Standings?.Contains(JobStatus.Running) ?? true;
        var inFront = isWanted ? fetched.Skip(paging.Offset).Take(paging.Limit).ToList() : [];
        var ahead = isWanted ? fetched.Count : 0;
        var part = paging with { Offset = Math.Max(0, paging.Offset - ahead), Limit = paging.Limit - inFront.Count };
        var (jobs, counts) = await list.ListAsync(filter, part, cancellationToken);
        var places = await PlacesAsync(filter, part, jobs, cancellationToken);
        var items = new List<JobBody>(inFront.Count + jobs.Count);
        items.AddRange(inFront.Select(Of));
        foreach (var job in jobs)
            items.Add(await OfAsync(new JobBody(), job, places.TryGetValue(job.Id, out var place) ? place : null, cancellationToken));
        return new JobPageBody(items, counts.Of(filter.Standings) + ahead, paging.Offset, Counts(counts, fetched.Count));
    }

    /// <summary>The current state of these jobs, without their places. Jobs that do not exist are left out.</summary>
    public async ValueTask<IReadOnlyList<JobBody>> GetAsync(IReadOnlyCollection<long> ids, CancellationToken cancellationToken)
    {
        var bodies = new List<JobBody>();
        foreach (var job in await list.GetAsync(ids, cancellationToken))
            bodies.Add(await OfAsync(new JobBody(), job, null, cancellationToken));
        var found = bodies.Select(body => body.Id).ToHashSet(StringComparer.Ordinal);
        return [.. grabs.Pending.Where(grab => ids.Contains(grab.Id) && !found.Contains(Text(grab.Id))).Select(Of), .. bodies];
    }

    /// <summary>The details of a job; null if there is no such job.</summary>
    public async ValueTask<JobDetailsBody?> FindAsync(long id, CancellationToken cancellationToken)
    {
        if (await list.GetAsync([id], cancellationToken) is not [var job])
            return grabs.Pending.FirstOrDefault(grab => grab.Id == id) is { } grab
                ? (JobDetailsBody)Fill(new JobDetailsBody { Url = Shown(grab.Url) }, grab) : null;
        var places = await list.PlacesAsync([id], cancellationToken);
        var details = new JobDetailsBody
        {
            Timings = [.. job.Timings.Select(timing => new StepTimeBody(timing.Step, timing.Duration.TotalSeconds))],
            SourceBytes = job.NzbSize,
            Url = job.Url is { } url ? Shown(url) : null,
            InfoHash = job.Kind == JobKind.Nzb ? null : job.ContentHash,
        };
        return (JobDetailsBody)await OfAsync(details, job, places.TryGetValue(id, out var place) ? place : null, cancellationToken);
    }

    /// <summary>A job that was just added.</summary>
    public ValueTask<JobBody> OfAsync(CatalogJob job, CancellationToken cancellationToken) =>
        OfAsync(new JobBody(), job, null, cancellationToken);

    /// <summary>A file that is to be fetched.</summary>
    public static JobBody Of(UrlGrab grab) => Fill(new JobBody(), grab);

    /// <summary>An address without user, password and query, which may contain keys.</summary>
    public static string Shown(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out var address)
            ? address.GetComponents(UriComponents.Scheme | UriComponents.HostAndPort | UriComponents.Path, UriFormat.UriEscaped) : "";

    private static JobCountsBody Counts(JobStatusCounts counts, int fetched) =>
        new(counts.Queued, counts.Waiting, counts.Paused, counts.Running + fetched, counts.Completed, counts.Failed);

    private static bool Matches(UrlGrab grab, JobFilter filter) =>
        (filter.Kinds?.Contains(JobKind.Nzb) ?? true)
        && (filter.Categories?.Contains(grab.Category, StringComparer.Ordinal) ?? true)
        && (filter.Search is null || grab.Name.Contains(filter.Search, StringComparison.OrdinalIgnoreCase));

    private static JobBody Fill(JobBody body, UrlGrab grab) => body with
    {
        Id = Text(grab.Id),
        Name = grab.Name,
        Category = grab.Category,
        Kind = JobKind.Nzb,
        State = JobStatus.Running,
        Source = JobSource.Api,
        Priority = grab.Priority,
        Added = grab.Added,
        Step = "fetch",
        StepCount = PostSteps.Length,
        HasPassword = grab.Password is not null,
    };

    private async ValueTask<IReadOnlyDictionary<long, int>> PlacesAsync(
        JobFilter filter, JobPaging paging, IReadOnlyList<CatalogJob> jobs, CancellationToken cancellationToken)
    {
        var queued = jobs.Where(job => job.State is JobState.Queued or JobState.Running).ToList();
        if (paging.Sort != JobListSort.Turn || queued.Count == 0)
            return new Dictionary<long, int>();

        // Without a filter the list is the queue.
        if (filter == new JobFilter())
            return queued.Select((job, index) => (job.Id, Place: paging.Offset + index)).ToDictionary(pair => pair.Id, pair => pair.Place);
        return await list.PlacesAsync([.. queued.Select(job => job.Id)], cancellationToken);
    }

    private async ValueTask<JobBody> OfAsync(JobBody body, CatalogJob job, int? place, CancellationToken cancellationToken)
    {
        var standing = JobList.StatusOf(job, time.GetUtcNow());
        var isRunning = standing == JobStatus.Running;
        var progress = (isRunning ? board.Of(job.Id) : null)
            ?? new JobProgress(job.Step ?? "", job.Progress, job.TotalBytes, job.FileCount);
        var steps = job.Kind == JobKind.Nzb ? PostSteps : TorrentSteps;
        var step = isRunning && progress.Step.Length > 0 ? progress.Step : null;
        var path = job.ItemId is { } item ? await tree.GetPathAsync(item, cancellationToken) : null;
        return body with
        {
            Id = Text(job.Id),
            Name = job.Name,
            Category = job.Category,
            Kind = job.Kind,
            State = standing,
            Source = job.Source,
            Priority = job.Priority,
            Position = place,
            Added = job.Created,
            Started = job.Started,
            Finished = job.Finished,
            Step = step,
            StepIndex = step is not null && Array.IndexOf(steps, step) is >= 0 and var index ? index : null,
            StepCount = steps.Length,
            Progress = standing == JobStatus.Completed ? 1 : isRunning ? Math.Clamp(progress.PerMille, 0, 1000) / 1000.0 : 0,
            Bytes = progress.TotalBytes > 0 ? progress.TotalBytes : job.TotalBytes,
            Files = progress.FileCount > 0 ? progress.FileCount : job.FileCount,
            Failure = job.FailureCode is { } code ? new JobFailureBody(code, job.FailureMessage ?? "") : null,
            RetryAt = standing == JobStatus.Waiting ? job.NotBefore : null,
            Attempts = job.Attempts,
            HasPassword = job.Password is not null,
            ItemId = path is null ? null : Text(job.ItemId!.Value),
            Path = path is null ? null : "/" + string.Join('/', path),
        };
    }
}

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
