using System.Globalization;
using NzbDav.Api.Completion;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Names;
using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>
/// Shows NZB jobs as torrents, for dashboards that can only show one list. Their hashes contain the job's id after a prefix that no
/// torrent's hash has. Thread-safe.
/// </summary>
internal sealed class NzbTorrents(
    JobStore jobs, JobActions actions, JobHistory history, QueueOrder order, ICompletion completion, Live<SabOptions> paths)
{
    /// <summary>"nzbdav job:" and a zero byte, in hexadecimal digits.</summary>
    private const string Prefix = "6e7a62646176206a6f623a00";

    /// <summary>Most ended jobs shown: a history of years has many.</summary>
    private const int MostEnded = 500;

    private const int Permille = 1_000;

    /// <summary>The job that a hash stands for; null for a torrent's hash.</summary>
    public static long? JobOf(string hash) =>
        hash.StartsWith(Prefix, StringComparison.Ordinal)
            && long.TryParse(hash.AsSpan(Prefix.Length), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var id) ? id : null;

    /// <summary>The hash that stands for a job.</summary>
    public static string HashOf(long job) => Prefix + job.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>Waiting and running jobs in their order, then ended jobs, latest first.</summary>
    public async ValueTask<IReadOnlyList<QbitTorrent>> ListAsync(CancellationToken cancellationToken)
    {
        var all = new List<QbitTorrent>();
        await foreach (var job in jobs.List.EachAsync(
            new JobFilter { Standings = JobFilter.InQueue, Kinds = [JobKind.Nzb] }, cancellationToken))
            all.Add(Of(new HistoryEntry(job, null), all.Count + 1));
        var (ended, _) = await history.ListAsync(new JobFilter(), 0, MostEnded, cancellationToken);
        all.AddRange(ended.Select(entry => Of(entry, 0)));
        return all;
    }

    /// <summary>One job; null if there is no such job.</summary>
    public async ValueTask<QbitTorrent?> FindAsync(long id, CancellationToken cancellationToken) =>
        (await ListAsync(cancellationToken)).FirstOrDefault(torrent => torrent.Hash == HashOf(id));

    public Task PauseAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken) =>
        ForEachAsync(ids, job => actions.PauseAsync(job, cancellationToken), cancellationToken);

    /// <summary>Resumes jobs; failed ones are retried.</summary>
    public Task ResumeAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken) => ForEachAsync(
        ids,
        job => job.State == JobState.Failed ? actions.RetryAsync(job, cancellationToken) : actions.ResumeAsync(job, cancellationToken),
        cancellationToken);

    public Task SetCategoryAsync(IReadOnlyList<long> ids, string category, CancellationToken cancellationToken) =>
        ForEachAsync(ids, job => actions.SetCategoryAsync(job, category, cancellationToken), cancellationToken);

    /// <returns>False if the job is published already, or the name is not a valid folder name.</returns>
    public async Task<bool> RenameAsync(long id, string name, CancellationToken cancellationToken) =>
        SafeName.Of(name) is { } safe && await jobs.GetAsync(id, cancellationToken) is { } job
        && await actions.RenameAsync(job, safe, password: null, cancellationToken) is null;

    /// <summary>Moves jobs to the front or the end. Moves by one place are ignored.</summary>
    public async Task MoveAsync(IReadOnlyList<long> ids, QueueMove move, CancellationToken cancellationToken)
    {
        if (move is not (QueueMove.Top or QueueMove.Bottom))
            return;
        var found = await FindAsync(ids, cancellationToken);
        await order.MoveAsync([.. found.Select(static job => job.Id)], move == QueueMove.Top ? 0 : -1, cancellationToken);
    }

    /// <summary>Removes jobs, as the SABnzbd interface does.</summary>
    public Task RemoveAsync(IReadOnlyList<long> ids, bool withFiles, CancellationToken cancellationToken)
    {
        var how = new JobDeletion(withFiles ? JobFiles.Abandon : JobFiles.Keep, Archives: true);
        return ForEachAsync(ids, job => actions.DeleteAsync(job, how, cancellationToken), cancellationToken);
    }

    private async Task ForEachAsync(IReadOnlyList<long> ids, Func<CatalogJob, Task<string?>> act, CancellationToken cancellationToken)
    {
        foreach (var job in await FindAsync(ids, cancellationToken))
            await act(job);
    }

    /// <summary>The .nzb jobs among these: the id of a torrent's job means nothing here.</summary>
    private async ValueTask<IReadOnlyList<CatalogJob>> FindAsync(IReadOnlyList<long> ids, CancellationToken cancellationToken)
    {
        var found = new List<CatalogJob>(ids.Count);
        foreach (var id in ids)
        {
            if (await jobs.GetAsync(id, cancellationToken) is { Kind: JobKind.Nzb } job)
                found.Add(job);
        }

        return found;
    }

    private static double ProgressOf(CatalogJob job) =>
        job.State == JobState.Running ? Math.Clamp(job.Progress, 0, Permille - 1) / (double)Permille : 0;

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
            ContentPath = entry.Collection is { } path
                ? $"{completed}/{string.Join('/', path.Skip(1))}" : $"{completed}/{job.Category}/{job.Name}",
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
