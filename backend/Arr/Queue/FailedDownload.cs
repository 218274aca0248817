using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Queue;

/// <summary>
/// Makes an instance give up a torrent. No state that a torrent client reports does that: the applications only warn. So the release is blocklisted through their API, and another one is
/// searched for.
/// </summary>
public sealed class FailedDownload
{
    private readonly ArrClient _client;
    private readonly SearchGate _gate;

    /// <param name="client">The instance; not disposed.</param>
    /// <param name="gate">Shared by all that searches on this instance.</param>
    public FailedDownload(ArrClient client, SearchGate gate)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(gate);
        (_client, _gate) = (client, gate);
    }

    /// <summary>Gives a download up.</summary>
    /// <param name="infoHash">The torrent's, in either case: the applications keep it in upper case.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <returns>How it ended. A search that cannot be sent is not tried again: the release is blocklisted, and the instance searches by its own plan.</returns>
    public async Task<FailedDownloadOutcome> RunAsync(string infoHash, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(infoHash);
        var queue = await _client.QueueAsync("torrent", cancellationToken);
        if (!queue.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        var rows = queue.Value.Where(row => infoHash.Equals(row.DownloadId, StringComparison.OrdinalIgnoreCase)).ToArray();
        if (rows.Length == 0)
            return await ByHistoryAsync(infoHash.ToUpperInvariant(), cancellationToken);
        var config = await _client.DownloadClientConfigAsync(cancellationToken);
        if (!config.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        if (!_gate.TryEnter(out _))
            return FailedDownloadOutcome.Later;
        if (await _client.RemoveFromQueueAsync(rows[0].Id, new QueueRemoval { Blocklist = true }, cancellationToken) is not null)
        {
            _gate.Return();
            return FailedDownloadOutcome.NoAnswer;
        }

        // With that setting off the blocklisting does not search.
        int[] ids = [.. rows.Select(row => row.SearchId).OfType<int>().Distinct()];
        if (!config.Value.AutoRedownloadFailed && ids.Length > 0)
            await _client.SearchAsync(ids, cancellationToken);
        return FailedDownloadOutcome.Done;
    }

    /// <summary>One that is not in the queue any more may still be in the history as a grab that came to nothing.</summary>
    private async Task<FailedDownloadOutcome> ByHistoryAsync(string downloadId, CancellationToken cancellationToken)
    {
        var history = await _client.HistoryAsync(downloadId, cancellationToken);
        if (!history.Succeeded)
            return FailedDownloadOutcome.NoAnswer;
        if (history.Value.Any(static row => row.IsFailure || row.IsImport) || history.Value.FirstOrDefault(static row => row.IsGrab) is not { } grab)
            return FailedDownloadOutcome.Unknown;
        return await _client.MarkFailedAsync(grab.Id, cancellationToken) is null ? FailedDownloadOutcome.Done : FailedDownloadOutcome.NoAnswer;
    }
}
