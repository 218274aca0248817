using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Queue;

/// <summary>
/// Cleans up stuck imports in one instance's queue. Call <see cref="RunAsync"/> periodically, for instance once a minute. Downloads that
/// have to wait for the search limit are left to the next run. Not thread-safe: one run at a time.
/// </summary>
public sealed class QueueRules
{
    private readonly ArrClient _client;
    private readonly QueueRuleOptions _options;
    private readonly SearchGate _gate;
    private readonly TimeProvider _time;
    private Dictionary<string, (QueueRule Rule, long Since)> _stuck = new(StringComparer.Ordinal);

    /// <summary>Pending searches: the download is removed, but its search could not be sent.</summary>
    private readonly Queue<int[]> _pendingSearches = new();

    /// <param name="client">The instance; not disposed.</param>
    /// <param name="options">When and how.</param>
    /// <param name="gate">Shared by everything that searches on this instance.</param>
    /// <param name="time">Clock; the system's if null.</param>
    public QueueRules(ArrClient client, QueueRuleOptions options, SearchGate gate, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(gate);
        (_client, _options, _gate, _time) = (client, options, gate, time ?? TimeProvider.System);
    }

    /// <summary>Applies the rules to the queue once.</summary>
    /// <returns>The actions taken, or why the queue could not be read.</returns>
    public async Task<ArrResult<IReadOnlyList<QueueRuleResult>>> RunAsync(CancellationToken cancellationToken = default)
    {
        var queue = await _client.QueueAsync(cancellationToken);
        if (!queue.Succeeded)
            return new(queue.Error);

        await SendPendingSearchesAsync(cancellationToken);
        var results = new List<QueueRuleResult>();
        var stuck = new Dictionary<string, (QueueRule Rule, long Since)>(StringComparer.Ordinal);

        // A season pack has a row for each episode, but is one download and is handled once.
        foreach (var download in queue.Value.Where(IsCandidate).GroupBy(row => row.DownloadId!, StringComparer.Ordinal))
        {
            if (FindMatch(download) is not var (rule, reason) || rule.Action == QueueAction.Leave
                || !await _options.IsOurs(download.Key, cancellationToken))
                continue;
            var since = _stuck.TryGetValue(download.Key, out var before) && before.Rule == rule ? before.Since : _time.GetTimestamp();
            stuck[download.Key] = (rule, since);
            if (_time.GetElapsedTime(since) < _options.MinMatchTime)
                continue;
            var error = await FindLocalFaultAsync(rule.Action, download.First().OutputPath, cancellationToken);
            if (error is null && rule.Action == QueueAction.BlocklistAndSearch && !_gate.TryEnter(out _))
                continue;
            error ??= await ActAsync(rule.Action, [.. download], cancellationToken);
            if (error is null)
                stuck.Remove(download.Key);
            results.Add(new QueueRuleResult(download.Key, download.First().Title, rule.Name, rule.Action, reason, error));
        }

        _stuck = stuck;
        return new(results);
    }

    private bool IsCandidate(QueueItem row) =>
        row is { DownloadId.Length: > 0, TrackedDownloadState: { } state }
            && _options.States.Contains(state, StringComparer.OrdinalIgnoreCase);

    private (QueueRule Rule, string Reason)? FindMatch(IEnumerable<QueueItem> download)
    {
        var messages = download.SelectMany(Messages).Distinct(StringComparer.Ordinal).ToArray();
        foreach (var rule in _options.Rules)
        {
            if (messages.FirstOrDefault(rule.Matches) is { } reason)
                return (rule, reason);
        }

        return null;
    }

    /// <summary>
    /// The messages of a row. If a status message has no lines, its title is the message; otherwise its title is only a file name.
    /// </summary>
    private static IEnumerable<string> Messages(QueueItem row)
    {
        foreach (var status in row.StatusMessages ?? [])
        {
            if (status.Messages.Count == 0 && status.Title is { } title)
                yield return title;
            foreach (var message in status.Messages)
                yield return message;
        }

        if (row.ErrorMessage is { Length: > 0 } error)
            yield return error;
    }

    /// <summary>
    /// Checks whether the problem is on this side: the application does not see the download, because a mount or a path mapping is missing,
    /// or it cannot open it. The next release would be stuck in the same way.
    /// </summary>
    private async Task<ArrError?> FindLocalFaultAsync(QueueAction action, string? path, CancellationToken cancellationToken)
    {
        if (action == QueueAction.Warn)
        {
            return new(
                ArrErrorKind.Failed, $"{_client.Options} cannot open what is in {path}. If these are links, they lead to a path that "
                + "it does not have: mount NzbDav at the same path everywhere.");
        }

        if (action != QueueAction.BlocklistAndSearch)
            return null;
        if (string.IsNullOrEmpty(path))
            return new(ArrErrorKind.NotFound, $"{_client.Options} does not say where it looks for the download.");
        var (sees, error) = await _client.SeesAsync(path, cancellationToken);
        return sees ? null : error ?? PathNotSeen(_client, path);
    }

    /// <summary>The error for a path that an application does not see.</summary>
    internal static ArrError PathNotSeen(ArrClient client, string path) => new(
        ArrErrorKind.NotFound,
        $"{client.Options} does not see {path}, so it imports nothing. Mount NzbDav at that path there, or add a remote path mapping in "
        + $"{client.Application} (Settings, Download clients).");

    private async Task<ArrError?> ActAsync(QueueAction action, QueueItem[] rows, CancellationToken cancellationToken)
    {
        var searches = action == QueueAction.BlocklistAndSearch;
        var config = searches ? await _client.DownloadClientConfigAsync(cancellationToken) : null;
        var removal = new QueueRemoval { Blocklist = action != QueueAction.Remove, SkipRedownload = !searches };
        if (await _client.RemoveFromQueueAsync(rows[0].Id, removal, cancellationToken) is { } error)
        {
            if (searches)
                _gate.Return();
            return error;
        }

        // If that setting is off, blocklisting starts no search.
        if (!searches || config is { Succeeded: true, Value.AutoRedownloadFailed: true })
            return null;
        int[] ids = [.. rows.Select(row => row.SearchId).OfType<int>().Distinct()];
        if (ids.Length > 0 && await _client.SearchAsync(ids, cancellationToken) is not null)
            _pendingSearches.Enqueue(ids);
        return null;
    }

    private async Task SendPendingSearchesAsync(CancellationToken cancellationToken)
    {
        if (_pendingSearches.Count == 0 || !_gate.TryEnter(out _))
            return;
        if (await _client.SearchAsync(_pendingSearches.Peek(), cancellationToken) is null)
            _pendingSearches.Dequeue();
    }
}

/// <summary>When and how to clean up the queue. Immutable.</summary>
public sealed record QueueRuleOptions
{
    /// <summary>The rules, in order; the first that matches applies.</summary>
    public IReadOnlyList<QueueRule> Rules { get; init; } = QueueRule.Defaults;

    /// <summary>
    /// Values of <c>trackedDownloadState</c> in which a download can be stuck. Downloads in other states are never touched.
    /// </summary>
    public IReadOnlyList<string> States { get; init; } = ["importBlocked", "importPending"];

    /// <summary>
    /// How long a download must have matched the same rule: the applications retry by themselves, and mounts take time. Default 5 minutes.
    /// </summary>
    public TimeSpan MinMatchTime { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// Returns whether a download, given by its id, belongs to this gateway. Others are never touched. Called only for downloads that match
    /// a rule; an exception ends the run.
    /// </summary>
    public required Func<string, CancellationToken, ValueTask<bool>> IsOurs { get; init; }
}

/// <summary>What a rule did with one download, or why it left it alone although the user has to do something.</summary>
/// <param name="DownloadId">The download.</param>
/// <param name="Title">The release.</param>
/// <param name="Rule">The rule's name.</param>
/// <param name="Action">The rule's action.</param>
/// <param name="Reason">The message that the rule matched.</param>
/// <param name="Error">Why the action failed or was not taken; null if it succeeded.</param>
public sealed record QueueRuleResult(string DownloadId, string? Title, string Rule, QueueAction Action, string Reason, ArrError? Error);
