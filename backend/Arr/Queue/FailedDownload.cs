using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Queue;

/// <summary>
/// Makes an instance give up a torrent. The applications only show a warning for failed torrents, whatever state the client reports, so
/// this blocklists the release through their API and searches for another one.
/// </summary>
public sealed class FailedDownload
{
    private readonly ArrClient _client;
    private readonly SearchGate _gate;

    /// <param name="client">The instance; not disposed.</param>
    /// <param name="gate">Shared by everything that searches on this instance.</param>
    public FailedDownload(ArrClient client, SearchGate gate)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(gate);
        (_client, _gate) = (client, gate);
    }

    /// <summary>Makes the instance give up a download.</summary>
    /// <param name="infoHash">The torrent's info-hash, in either case: the applications store it in upper case.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <returns>The outcome. A search that cannot be sent is not repeated: the release is blocklisted, and the instance searches on its own
    /// schedule.</returns>
    public async Task<FailedDownloadOutcome> RunAsync(string infoHash, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(infoHash);
        var queue = await _client.QueueAsync("torrent", cancellationToken);
        if (!queue.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        var rows = queue.Value.Where(row => infoHash.Equals(row.DownloadId, StringComparison.OrdinalIgnoreCase)).ToArray();
        if (rows.Length == 0)
            return await ByHistoryAsync(infoHash.ToUpperInvariant(), cancellationToken);
        int[] ids = [.. rows.Select(static row => row.SearchId).OfType<int>().Distinct()];
        return await BlocklistAsync(() =>
            _client.RemoveFromQueueAsync(rows[0].Id, new QueueRemoval { Blocklist = true }, cancellationToken),
            ids, cancellationToken);
    }

    /// <summary>
    /// Gives up a download that is no longer in the queue, if the history still has it as a grab that was neither imported nor failed.
    /// </summary>
    private async Task<FailedDownloadOutcome> ByHistoryAsync(string downloadId, CancellationToken cancellationToken)
    {
        var history = await _client.HistoryAsync(downloadId, cancellationToken);
        if (!history.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        HistoryItem[] grabs = [.. history.Value.Where(static row => row.IsGrab)];
        if (grabs.Length == 0 || history.Value.Any(static row => row.IsFailure || row.IsImport))
            return FailedDownloadOutcome.Unknown;
        int[] ids = [.. grabs.Select(static grab => grab.SearchId).OfType<int>().Distinct()];
        return await BlocklistAsync(() => _client.MarkFailedAsync(grabs[0].Id, cancellationToken), ids, cancellationToken);
    }

    /// <summary>
    /// Blocklists the release, when the gate allows the search that follows, and searches if the instance does not do so by itself.
    /// </summary>
    /// <param name="blocklist">Blocklists it; null on success.</param>
    /// <param name="ids">What to search for.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    private async Task<FailedDownloadOutcome> BlocklistAsync(
        Func<Task<ArrError?>> blocklist, int[] ids, CancellationToken cancellationToken)
    {
        var config = await _client.DownloadClientConfigAsync(cancellationToken);
        if (!config.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        if (!_gate.TryEnter(out _))
            return FailedDownloadOutcome.Later;
        if (await blocklist() is not null)
        {
            _gate.Return();
            return FailedDownloadOutcome.NoAnswer;
        }

        // If that setting is off, blocklisting starts no search.
        if (!config.Value.AutoRedownloadFailed && ids.Length > 0)
            await _client.SearchAsync(ids, cancellationToken);
        return FailedDownloadOutcome.Done;
    }
}

/// <summary>Outcome of giving up a download.</summary>
public enum FailedDownloadOutcome
{
    /// <summary>Its release is blocklisted, and a search for another one was started.</summary>
    Done,

    /// <summary>The instance did not grab it, or has imported it or given it up already.</summary>
    Unknown,

    /// <summary>Too soon after another search: try again in a minute.</summary>
    Later,

    /// <summary>The instance does not answer, or refuses: try again in a minute.</summary>
    NoAnswer,
}
