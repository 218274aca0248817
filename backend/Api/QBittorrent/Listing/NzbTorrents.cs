using System.Globalization;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.History;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Names;
using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>
/// Shows NZB jobs as torrents, for dashboards that can only show one list. Their hashes contain the job's id after a prefix that no torrent's hash has. Thread-safe.
/// </summary>
internal sealed class NzbTorrents(JobStore jobs, JobHistory history, JobRemoval removal, QueueOrder order, ICompletion completion, HistoryClock clock, Live<SabOptions> paths)
{
    /// <summary>"nzbdav job:" and a zero byte, in hexadecimal digits.</summary>
    private const string Prefix = "6e7a62646176206a6f623a00";

    /// <summary>Most ended jobs shown: a history of years has many.</summary>
    private const int MostEnded = 500;

    private const int Permille = 1_000;

    /// <summary>The job that a hash stands for; null for a torrent's hash.</summary>
    public static long? JobOf(string hash) =>
        hash.StartsWith(Prefix, StringComparison.Ordinal) && long.TryParse(hash.AsSpan(Prefix.Length), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var id) ? id : null;

    /// <summary>The hash that stands for a job.</summary>
    public static string HashOf(long job) => Prefix + job.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>Waiting and running jobs in their order, then ended jobs, latest first.</summary>
    public async ValueTask<IReadOnlyList<QbitTorrent>> ListAsync(CancellationToken cancellationToken)
    {
        var all = new List<QbitTorrent>();
        await foreach (var job in jobs.ListAsync(new JobFilter { States = [JobState.Queued, JobState.Running], Kinds = [JobKind.Nzb] }, cancellationToken))
            all.Add(Of(new HistoryEntry(job, null), all.Count + 1));
        var (ended, _) = await history.ListAsync(new HistoryFilter { Limit = MostEnded }, cancellationToken);
        all.AddRange(ended.Select(entry => Of(entry, 0)));
        return all;
    }

    /// <summary>One job; null if there is no such job.</summary>
    public async ValueTask<QbitTorrent?> FindAsync(long id, CancellationToken cancellationToken) =>
        (await ListAsync(cancellationToken)).FirstOrDefault(torrent => torrent.Hash == HashOf(id));

    public Task PauseAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken) => ForEachAsync(ids, id => jobs.PauseAsync(id, cancellationToken));

    /// <summary>Resumes jobs; failed ones are retried.</summary>
    public Task ResumeAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken) =>
        ForEachAsync(ids, async id => await jobs.ResumeAsync(id, cancellationToken) || await jobs.RetryAsync(id, cancellationToken));

    public Task SetCategoryAsync(IReadOnlyList<long> ids, string category, CancellationToken cancellationToken) => ForEachAsync(ids, id => jobs.SetCategoryAsync(id, category, cancellationToken));

    /// <returns>False if the job is published already, or the name is not a valid folder name.</returns>
    public async Task<bool> RenameAsync(long id, string name, CancellationToken cancellationToken) =>
        SafeName.Of(name) is { } safe && await jobs.RenameAsync(id, safe, password: null, cancellationToken);

    /// <summary>Moves jobs to the front or the end. Moves by one place are ignored.</summary>
    public Task MoveAsync(IReadOnlyList<long> ids, QueueMove move, CancellationToken cancellationToken) => move switch
    {
        QueueMove.Top => order.MoveAsync([.. ids], 0, cancellationToken),
        QueueMove.Bottom => order.MoveAsync([.. ids], -1, cancellationToken),
        _ => Task.CompletedTask,
    };

    /// <summary>Removes jobs, as the SABnzbd interface does.</summary>
    public async Task RemoveAsync(IReadOnlyList<long> ids, bool withFiles, CancellationToken cancellationToken)
    {
        foreach (var id in ids)
        {
            if (await jobs.GetAsync(id, cancellationToken) is { State: JobState.Queued or JobState.Running })
                await jobs.DeleteAsync(id, withContent: false, cancellationToken);
            else
                await removal.RemoveEndedAsync(id, withFiles, archive: true, cancellationToken);
        }

        if (ids.Count > 0)
            clock.Touch();
    }

    private static async Task ForEachAsync(IReadOnlyList<long> ids, Func<long, Task<bool>> act)
    {
        foreach (var id in ids)
            await act(id);
    }

    private static double ProgressOf(CatalogJob job) => job.State == JobState.Running ? Math.Clamp(job.Progress, 0, Permille - 1) / (double)Permille : 0;

    private QbitTorrent Of(HistoryEntry entry, int place)
    {
        var job = entry.Job;
        var completed = paths.Value.CompletedPath;
        var isDone = job.State == JobState.Completed;
        var progress = isDone ? 1 : ProgressOf(job);
        return new QbitTorrent
        {
            Hash = HashOf(job.Id),
            Name = entry.Collection?[^1] ?? job.Name,
            State = job.State switch
            {
                JobState.Completed => completion.IsVisible(job) ? QbitState.StoppedUp : QbitState.Moving,
                JobState.Failed => QbitState.Error,
                _ when job.Paused => QbitState.StoppedDown,
                JobState.Running => QbitState.Downloading,
                _ => QbitState.QueuedDown,
            },
            Category = job.Category,
            SavePath = $"{completed}/{job.Category}",
            ContentPath = entry.Collection is { } path ? $"{completed}/{string.Join('/', path.Skip(1))}" : $"{completed}/{job.Category}/{job.Name}",
            RootPath = $"{completed}/{job.Category}/{job.Name}",
            AddedOn = job.Created.ToUnixTimeSeconds(),
            CompletionOn = isDone ? job.Finished?.ToUnixTimeSeconds() ?? -1 : -1,
            LastActivity = (job.Finished ?? job.Started ?? job.Created).ToUnixTimeSeconds(),
            Progress = progress,
            Size = job.TotalBytes,
            TotalSize = job.TotalBytes,
            AmountLeft = (long)(job.TotalBytes * (1 - progress)),
            Completed = (long)(job.TotalBytes * progress),
            Downloaded = (long)(job.TotalBytes * progress),
            RatioLimit = 0,
            Priority = place,
            HasMetadata = true,
            IsPrivate = false,
        };
    }
}
