using System.Diagnostics.CodeAnalysis;
using NzbDav.Arr.Client;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Repair;

/// <summary>
/// Makes one instance replace an imported file whose articles are gone. Finds the instance's file by the target of its link, finds the grab
/// in the history, deletes the file, then marks the grab as failed (its release is blocklisted and a search follows) or starts a search.
/// Does one repair at a time and one search a minute. Repairs each file once; after a failure, the next call continues where the last one
/// stopped. The progress is only kept in memory: after a restart between deletion and search, the search is not sent. Thread-safe.
/// </summary>
public sealed class ArrRepair : IDisposable
{
    /// <summary>How long the list of owners is cached: a full list of films takes seconds and megabytes.</summary>
    private static readonly TimeSpan OwnersKept = TimeSpan.FromMinutes(10);

    private readonly ArrClient _client;
    private readonly ILinkTargets _links;
    private readonly SearchGate _gate;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly HashSet<string> _done = new(StringComparer.Ordinal);
    private readonly Dictionary<string, RepairStep> _started = new(StringComparer.Ordinal);
    private MediaOwner[]? _owners;
    private long _ownersRead;

    /// <param name="client">The instance; not disposed.</param>
    /// <param name="links">Reads the library's links.</param>
    /// <param name="gate">Shared by everything that searches on this instance.</param>
    /// <param name="time">Clock; the system's if null.</param>
    public ArrRepair(ArrClient client, ILinkTargets links, SearchGate gate, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(links);
        ArgumentNullException.ThrowIfNull(gate);
        (_client, _links, _gate, _time) = (client, links, gate, time ?? TimeProvider.System);
    }

    /// <summary>Repairs one file, if it belongs to this instance.</summary>
    /// <param name="request">The file.</param>
    /// <param name="cancellationToken">Ends the repair between two calls or during one; it can be continued later.</param>
    public async Task<RepairOutcome> RepairAsync(RepairRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            if (_done.Contains(request.FileId))
                return new(RepairStatus.Done, "This file was repaired before.");
            if (!_started.TryGetValue(request.FileId, out var step))
            {
                var (found, outcome) = await PlanAsync(request, cancellationToken);
                if (found is null)
                    return outcome!;
                step = found;
            }

            // Checked before the deletion: no file is deleted while its search would have to wait.
            if (!_gate.TryEnter(out var wait))
                return new(RepairStatus.Later, "Another search began less than a minute ago.") { RetryAfter = wait };
            var sent = false;
            try
            {
                var failure = await ExecuteAsync(request.FileId, step, () => sent = true, cancellationToken);
                return failure ?? new(RepairStatus.Searching, "The file is deleted and a search is under way.");
            }
            finally
            {
                if (!sent)
                    _gate.Return();
            }
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _mutex.Dispose();

    private static RepairOutcome Failure(ArrError error) => new(RepairStatus.Failed, error.Message) { Error = error };

    /// <summary>Finds the file of a request, its grab, and what to search for. Changes nothing.</summary>
    /// <returns>The step with the id of the series, film or artist. Null with an outcome if the file is not this instance's or a call
    /// failed.</returns>
    internal async Task<(RepairStep? Step, RepairOutcome? Outcome, int OwnerId)> FindPlanAsync(
        RepairRequest request, CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            return await PlanOfOwnerAsync(request, cancellationToken);
        }
        finally
        {
            _mutex.Release();
        }
    }

    private async Task<(RepairStep? Step, RepairOutcome? Outcome)> PlanAsync(RepairRequest request, CancellationToken cancellationToken)
    {
        var (step, outcome, _) = await PlanOfOwnerAsync(request, cancellationToken);
        return (step, outcome);
    }

    /// <summary>Determines the steps of the repair. Changes nothing.</summary>
    private async Task<(RepairStep? Step, RepairOutcome? Outcome, int OwnerId)> PlanOfOwnerAsync(
        RepairRequest request, CancellationToken cancellationToken)
    {
        IReadOnlyList<HistoryItem> history = [];
        if (request.DownloadId is { Length: > 0 } downloadId)
        {
            var read = await _client.HistoryAsync(downloadId, cancellationToken);
            if (!read.Succeeded)
                return (null, Failure(read.Error), 0);
            history = read.Value;
        }

        var (file, outcome) = await FindAsync(request, history, cancellationToken);
        if (file is null)
            return (null, outcome, 0);

        // Another broken file of the download may have marked the grab already. Marking it again would blocklist and search for the whole
        // download once more.
        var grab = history.Where(item => item.IsGrab).MaxBy(item => item.Date);
        if (grab is not null && history.Any(item => item.IsFailure && item.Date >= grab.Date))
            grab = null;

        var (ids, error) = await SearchIdsAsync(file, cancellationToken);
        return error is null
            ? (new RepairStep(file.Id, grab?.Id, ids, Deleted: false, Marked: false), null,
                file.SeriesId ?? file.MovieId ?? file.ArtistId ?? 0) : (null, Failure(error), 0);
    }

    private async Task<(MediaFile? File, RepairOutcome? Outcome)> FindAsync(
        RepairRequest request, IReadOnlyList<HistoryItem> history, CancellationToken cancellationToken)
    {
        // The history has the owner's id, so that a call or two are enough, instead of reading the whole library.
        var looked = new HashSet<int>();
        var unreadable = 0;
        foreach (var owner in history.Select(item => item.OwnerId).OfType<int>().Distinct())
        {
            looked.Add(owner);
            var files = await _client.FilesAsync(owner, cancellationToken);
            if (files.Error is { Kind: ArrErrorKind.NotFound })
                continue;
            if (!files.Succeeded)
                return (null, Failure(files.Error));
            if (Match(request, files.Value, ref unreadable, out var match))
                return (match, null);
        }

        if (_owners is null || _time.GetElapsedTime(_ownersRead) >= OwnersKept)
        {
            var owners = await _client.OwnersAsync(cancellationToken);
            if (!owners.Succeeded)
                return (null, Failure(owners.Error));
            (_owners, _ownersRead) = (owners.Value, _time.GetTimestamp());
        }

        foreach (var owner in _owners)
        {
            if (looked.Contains(owner.Id) || (_client.Application == ArrApplication.Radarr && owner.MovieFile is null))
                continue;
            if (owner.MovieFile is { } embedded)
            {
                if (Match(request, [embedded], ref unreadable, out var film))
                    return (film with { MovieId = film.MovieId ?? owner.Id }, null);
                continue;
            }

            var files = await _client.FilesAsync(owner.Id, cancellationToken);
            if (files.Error is { Kind: ArrErrorKind.NotFound })
                continue;
            if (!files.Succeeded)
                return (null, Failure(files.Error));
            if (Match(request, files.Value, ref unreadable, out var match))
                return (match, null);
        }

        return (null, new RepairOutcome(
            RepairStatus.NotFound,
            $"No file of {_client.Options} leads to {request.TargetPath}; {unreadable} files are not links or cannot be read from here " +
            $"(check the library paths if that is all of them)."));
    }

    private bool Match(RepairRequest request, IEnumerable<MediaFile> files, ref int unreadable, [NotNullWhen(true)] out MediaFile? match)
    {
        foreach (var file in files)
        {
            if (_links.TargetOf(file.Path) is not { } target)
                unreadable++;
            else if (request.IsTarget(target))
            {
                match = file;
                return true;
            }
        }

        match = null;
        return false;
    }

    /// <summary>
    /// Finds what to search for. Must be called before the deletion, because the application then forgets what was in the file.
    /// </summary>
    private async Task<(int[] Ids, ArrError? Error)> SearchIdsAsync(MediaFile file, CancellationToken cancellationToken)
    {
        if (_client.Application != ArrApplication.Sonarr)
            return ((file.MovieId ?? file.AlbumId) is { } id ? [id] : [], null);
        var episodes = await _client.EpisodesOfFileAsync(file.Id, cancellationToken);
        return episodes.Succeeded ? ([.. episodes.Value.Select(episode => episode.Id)], null) : ([], episodes.Error);
    }

    /// <returns>Null on success.</returns>
    private async Task<RepairOutcome?> ExecuteAsync(string fileId, RepairStep step, Action sent, CancellationToken cancellationToken)
    {
        if (!step.Deleted)
        {
            if (await _client.DeleteFileAsync(step.FileId, cancellationToken) is { } undeleted)
                return Failure(undeleted);
            _started[fileId] = step = step with { Deleted = true };
        }

        var search = step.GrabId is null || step.Marked;
        if (step.GrabId is { } grab && !step.Marked)
        {
            // A setting decides whether marking also searches. If it is unknown, continue: an extra search does no harm.
            var config = await _client.DownloadClientConfigAsync(cancellationToken);
            sent();
            var unmarked = await _client.MarkFailedAsync(grab, cancellationToken);
            if (unmarked is { Kind: ArrErrorKind.Unreachable or ArrErrorKind.TimedOut or ArrErrorKind.Unauthorized })
                return Failure(unmarked);

            // 500: the grab is no longer in the history, so a search is all that can be done.
            _started[fileId] = step = step with { Marked = true };
            search = unmarked is not null || config is not { Succeeded: true, Value.AutoRedownloadFailed: true };
        }

        if (search)
        {
            sent();
            if (await _client.SearchAsync(step.SearchIds, cancellationToken) is { } unsearched)
                return Failure(unsearched);
        }

        _started.Remove(fileId);
        _done.Add(fileId);
        return null;
    }
}

/// <summary>The outcome of a repair.</summary>
/// <param name="Status">The outcome.</param>
/// <param name="Message">Explanation for people.</param>
public sealed record RepairOutcome(RepairStatus Status, string Message)
{
    /// <summary>The error, for <see cref="RepairStatus.Failed"/>.</summary>
    public ArrError? Error { get; init; }

    /// <summary>When to try again, for <see cref="RepairStatus.Later"/>.</summary>
    public TimeSpan? RetryAfter { get; init; }
}

/// <summary>Outcome of a repair.</summary>
public enum RepairStatus
{
    /// <summary>The file is deleted and a search is under way.</summary>
    Searching,

    /// <summary>This file was repaired before; nothing was done.</summary>
    Done,

    /// <summary>Another search began less than a minute ago; nothing was done. Ask again after
    /// <see cref="RepairOutcome.RetryAfter"/>.</summary>
    Later,

    /// <summary>No file of this library leads to the broken file; nothing was done.</summary>
    NotFound,

    /// <summary>A call failed. Ask again: completed steps are not repeated.</summary>
    Failed,
}

/// <summary>Progress of the repair of one file.</summary>
/// <param name="FileId">The application's id of the file.</param>
/// <param name="GrabId">History row to mark as failed; null to search instead.</param>
/// <param name="SearchIds">Episodes, films or albums to search for.</param>
/// <param name="Deleted">True once the file is deleted.</param>
/// <param name="Marked">True once the grab is marked as failed.</param>
internal sealed record RepairStep(int FileId, int? GrabId, IReadOnlyList<int> SearchIds, bool Deleted, bool Marked);
