using System.Collections.Concurrent;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Sab.Jobs;

/// <summary>Jobs as this interface shows them: in the queue until their content is known, then in the history.</summary>
internal sealed class SabJobs(
    JobStore jobs, UrlGrabs grabs, QueueSwitch pause, PostAges ages, Live<SabOptions> options, ICompletion completion, TimeProvider time)
{
    /// <summary>
    /// A message that the *arrs treat as a fault of this machine: they warn, but neither block the release nor search again.
    /// </summary>
    private const string LocalFault = "Unpacking failed, write error or disk is full?";

    /// <summary>The message that the *arrs know for missing articles.</summary>
    private const string NotComplete = "Aborted, cannot be completed - https://sabnzbd.org/not-complete";

    /// <summary>
    /// Longest estimate. The progress of a job that has waited for its providers for a day says nothing about the time left.
    /// </summary>
    private static readonly TimeSpan MostLeft = TimeSpan.FromHours(12);

    /// <summary>Progress of the whole import, in per cent, at the start and the end of each step.</summary>
    private static readonly (string Step, int From, int To)[] StepProgress = [
        ("parse", 0, 5), ("probe", 5, 70), ("name", 70, 75), ("layout", 75, 90), ("validate", 90, 95), ("publish", 95, 100)];

    /// <summary>All waiting and running jobs in their order, after those that are still being fetched.</summary>
    public async Task<List<QueueSlot>> QueueAsync(CancellationToken cancellationToken)
    {
        var paused = await pause.IsPausedAsync(cancellationToken);
        var slots = new List<QueueSlot>();
        foreach (var grab in grabs.Pending)
            slots.Add(Slot(slots.Count, grab));

        // A fetched file becomes a job a moment before its grab is removed.
        var fetched = slots.Select(slot => slot.Id).ToHashSet();
        await foreach (var job in UnfinishedAsync(cancellationToken))
        {
            if (!IsLate(job) && !fetched.Contains(job.Id))
                slots.Add(Slot(slots.Count, job, paused, await ages.OfAsync(job, cancellationToken), time.GetUtcNow()));
        }

        return slots;
    }

    /// <summary>Jobs whose content is known and that have not ended: they come first in the history.</summary>
    public async Task<List<HistorySlot>> LateAsync(CancellationToken cancellationToken)
    {
        var slots = new List<HistorySlot>();
        await foreach (var job in UnfinishedAsync(cancellationToken))
        {
            if (IsLate(job))
                slots.Add(Slot(new HistoryEntry(job, null)));
        }

        return slots;
    }

    /// <summary>The entry of an ended job. If the mount may not show its folder yet, its status is still "Moving".</summary>
    public HistorySlot Slot(HistoryEntry entry)
    {
        var job = entry.Job;
        var status = job.State switch
        {
            JobState.Completed => completion.IsVisible(job) ? "Completed" : "Moving",
            JobState.Failed => "Failed",
            _ => job.Step == "publish" ? "Moving" : "Verifying",
        };
        var isThere = status == "Completed" && entry.Collection is not null;
        var looking = job.Timings.Where(timing => timing.Step is "parse" or "probe" or "name" or "layout")
            .Sum(timing => timing.Duration.TotalSeconds);
        return new HistorySlot
        {
            NzoId = NzoId.Of(job),
            Name = entry.Collection?[^1] ?? job.Name,
            NzbName = job.Name + ".nzb",
            Category = job.Category,
            Status = status,
            Bytes = job.TotalBytes,
            Size = SabText.Size(job.TotalBytes),
            Storage = isThere ? $"{options.Value.CompletedPath}/{string.Join('/', entry.Collection!.Skip(1))}" : "",
            FailMessage = job.State == JobState.Failed ? FailMessage(job) : "",
            Completed = (job.Finished ?? time.GetUtcNow()).ToUnixTimeSeconds(),
            DownloadTime = (int)Math.Ceiling(looking),
            PostprocTime = (int)Math.Ceiling(job.Timings.Sum(timing => timing.Duration.TotalSeconds) - looking),
            StageLog = Stages(job),
            Url = job.Url ?? "",
            Md5sum = job.Nzb?.ToString() ?? "",
            Password = job.Password ?? "",
            ActionLine = status is "Verifying" or "Moving" ? status : "",
            Loaded = status is "Verifying" or "Moving",
            Retry = job.State == JobState.Failed && (job.Nzb is not null || job.Url is not null),
            Archive = job.Archived,
            TimeAdded = job.Created.ToUnixTimeSeconds(),
        };
    }

    /// <summary>True for a job whose content is known and that has not ended.</summary>
    public static bool IsLate(CatalogJob job) => job is { State: JobState.Running, Step: "validate" or "publish" };

    private static string FailMessage(CatalogJob job) => job.FailureCode switch
    {
        ImportFailure.Storage or ImportFailure.Internal or ImportFailure.Unavailable => LocalFault,
        ImportFailure.Missing or ImportFailure.Corrupt or ImportFailure.Incomplete => $"{NotComplete} ({job.FailureMessage})",
        _ => job.FailureMessage ?? "",
    };

    private static List<StageLog> Stages(CatalogJob job)
    {
        var stages = new List<StageLog>();
        if (job.Timings.Count > 0)
            stages.Add(new StageLog("Download", [.. job.Timings.Select(
                timing => FormattableString.Invariant($"{timing.Step}: {timing.Duration.TotalMilliseconds:F0} ms"))]));
        if (job.FailureMessage is { } message)
            stages.Add(new StageLog("Fail", [message]));
        return stages;
    }

    private static QueueSlot Slot(int index, UrlGrab grab) => new(grab.Id, TotalBytes: 0, LeftBytes: 0)
    {
        Index = index,
        NzoId = NzoId.Of(grab.Id),
        Filename = grab.Name,
        Status = "Grabbing",
        Cat = grab.Category,
        Priority = SabText.Priority(grab.Priority),
        Percentage = "0",
        AvgAge = "-",
        TimeAdded = grab.Added.ToUnixTimeSeconds(),
        Password = grab.Password ?? "",
    };

    private static QueueSlot Slot(int index, CatalogJob job, bool paused, string age, DateTimeOffset now)
    {
        var percent = Percent(job);
        var left = job.TotalBytes - (job.TotalBytes / 100 * percent);
        return new QueueSlot(job.Id, job.TotalBytes, left)
        {
            Index = index,
            NzoId = NzoId.Of(job),
            Filename = job.Name,
            Status = job.Paused || (paused && job.Priority < JobPriority.Force && job.State == JobState.Queued)
                ? "Paused" : job.State == JobState.Running ? "Downloading" : "Queued",
            Cat = job.Category,
            Priority = SabText.Priority(job.Priority),
            Percentage = SabText.Number(percent),
            AvgAge = age,
            Left = LeftOf(job, percent, now),
            Labels = job is { State: JobState.Queued, NotBefore: { } next } && next > now
                ? [FormattableString.Invariant($"WAIT {Math.Ceiling((next - now).TotalSeconds):F0} sec")] : [],
            TimeAdded = job.Created.ToUnixTimeSeconds(),
            Password = job.Password ?? "",
        };
    }

    /// <summary>Estimated time left for a running job at its speed so far; zero if that is not known.</summary>
    private static TimeSpan LeftOf(CatalogJob job, int percent, DateTimeOffset now)
    {
        if (job is not { State: JobState.Running, Started: { } started } || percent is 0 || now <= started)
            return TimeSpan.Zero;
        var left = (now - started) * ((100 - percent) / (double)percent);
        return left < MostLeft ? left : MostLeft;
    }

    private static int Percent(CatalogJob job)
    {
        if (job.State != JobState.Running)
            return 0;
        var (_, from, to) = Array.Find(StepProgress, share => share.Step == job.Step);
        return from + ((to - from) * Math.Clamp(job.Progress, 0, 1000) / 1000);
    }

    private IAsyncEnumerable<CatalogJob> UnfinishedAsync(CancellationToken cancellationToken) =>
        jobs.List.EachAsync(new JobFilter { Standings = JobFilter.InQueue, Kinds = [JobKind.Nzb] }, cancellationToken);
}

/// <summary>
/// How long ago queued posts were posted. Remembers it, because clients ask for the whole queue every few seconds. Thread-safe.
/// </summary>
internal sealed class PostAges(PostedFiles files, TimeProvider time)
{
    /// <summary>More than queues have; each takes some 50 bytes.</summary>
    private const int MostRemembered = 10_000;

    private readonly ConcurrentDictionary<long, DateTimeOffset?> _known = new();

    /// <summary>In SABnzbd's form.</summary>
    public async ValueTask<string> OfAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (!_known.TryGetValue(job.Id, out var posted))
        {
            if (_known.Count >= MostRemembered)
                _known.Clear();
            try
            {
                posted = await files.FirstPostedAsync(job, cancellationToken);
            }
            catch (IOException)
            {
                // The .nzb is gone or cannot be read. The list does without it, and the import reports it.
            }

            _known[job.Id] = posted;
        }

        return SabText.Age(posted is { } date ? time.GetUtcNow() - date : TimeSpan.FromTicks(-1));
    }
}
