using System.Globalization;
using System.Text.Json;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <content>Queue, history and commands.</content>
public sealed partial class ArrClient
{
    /// <summary>
    /// The whole queue of Usenet downloads, including those that belong to nothing in the library. A download with several episodes has
    /// several rows.
    /// </summary>
    public Task<ArrResult<IReadOnlyList<QueueItem>>> QueueAsync(CancellationToken cancellationToken = default) =>
        QueueAsync("usenet", cancellationToken);

    /// <summary>Like <see cref="QueueAsync(CancellationToken)"/>, for one protocol.</summary>
    /// <param name="protocol"><c>usenet</c> or <c>torrent</c>.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    public Task<ArrResult<IReadOnlyList<QueueItem>>> QueueAsync(string protocol, CancellationToken cancellationToken = default) =>
        _dialect.UnknownItems is { } unknown
        ? PagesAsync($"queue?protocol={protocol}&{unknown}=true", ArrJson.Default.ArrPageQueueItem, cancellationToken)
        : Task.FromResult(NotSupported<IReadOnlyList<QueueItem>>("queue"));

    /// <summary>Counts and flags of the queue. Cheap enough to poll.</summary>
    public Task<ArrResult<QueueStatus>> QueueStatusAsync(CancellationToken cancellationToken = default) => _dialect.UnknownItems is null
        ? Task.FromResult(NotSupported<QueueStatus>("queue"))
        : GetAsync("queue/status", ArrJson.Default.QueueStatus, cancellationToken);

    /// <summary>Removes a download from the queue, with all rows that have the same download id.</summary>
    /// <param name="id">The row's id.</param>
    /// <param name="removal">What else to do. All flags are sent, so as not to rely on the applications' defaults.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>Null if the row is gone, even if it did not exist before.</returns>
    public async Task<ArrError?> RemoveFromQueueAsync(int id, QueueRemoval removal, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(removal);
        if (_dialect.UnknownItems is null)
            return NotSupported("queue");
        return await DeleteAsync(
            $"queue/{Text(id)}?removeFromClient={Text(removal.RemoveFromClient)}&blocklist={Text(removal.Blocklist)}&skipRedownload={Text(removal.SkipRedownload)}",
            cancellationToken);
    }

    /// <summary>The history of a download, newest first.</summary>
    /// <param name="downloadId">The id that the download client gave it. The applications compare it case-sensitively.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    public Task<ArrResult<IReadOnlyList<HistoryItem>>> HistoryAsync(string downloadId, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(downloadId);

        // Asks for all event types: their numbers differ between applications, but their names in the answer do not.
        return _dialect.UnknownItems is null
            ? Task.FromResult(NotSupported<IReadOnlyList<HistoryItem>>("history of downloads"))
            : PagesAsync(
                $"history?downloadId={Uri.EscapeDataString(downloadId)}&sortKey=date&sortDirection=descending",
                ArrJson.Default.ArrPageHistoryItem,
                cancellationToken);
    }

    /// <summary>All history events since a time, in one answer.</summary>
    /// <param name="since">The time.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    public Task<ArrResult<HistoryItem[]>> HistorySinceAsync(DateTimeOffset since, CancellationToken cancellationToken = default) =>
        _dialect.UnknownItems is null
        ? Task.FromResult(NotSupported<HistoryItem[]>("history of downloads"))
        : GetAsync(
            $"history/since?date={since.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture)}",
            ArrJson.Default.HistoryItemArray, cancellationToken);

    /// <summary>Marks a grab as failed: its release is blocklisted, and a search follows if
    /// <see cref="DownloadClientConfig.AutoRedownloadFailed"/> is on.</summary>
    /// <param name="historyId">Id of the grab's history row. The application answers 500 if the grab is no longer in its history.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    public Task<ArrError?> MarkFailedAsync(int historyId, CancellationToken cancellationToken = default) => _dialect.UnknownItems is null
        ? Task.FromResult<ArrError?>(NotSupported("history of downloads"))
        : SendAsync(HttpMethod.Post, $"history/failed/{Text(historyId)}", null, Options.Timeout, cancellationToken);

    /// <summary>Starts a command.</summary>
    /// <param name="command">The command; see its factories.</param>
    /// <param name="cancellationToken">Ends the call, not the command.</param>
    public Task<ArrResult<CommandStatus>> CommandAsync(CommandRequest command, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        var body = JsonSerializer.SerializeToUtf8Bytes(command, ArrJson.Default.CommandRequest);
        return _transport.SendAsync(
            new ArrCall(HttpMethod.Post, "command", body, Options.Timeout), ArrJson.Default.CommandStatus, cancellationToken);
    }

    /// <summary>The status of a command.</summary>
    public Task<ArrResult<CommandStatus>> CommandStatusAsync(int id, CancellationToken cancellationToken = default) =>
        GetAsync($"command/{Text(id)}", ArrJson.Default.CommandStatus, cancellationToken);

    /// <summary>Searches for the content of a download or a file: episodes, films or albums, depending on the application.</summary>
    /// <param name="ids">Ids of episodes (Sonarr), films (Radarr) or albums (Lidarr); at least one.</param>
    /// <param name="cancellationToken">Ends the call, not the search.</param>
    public async Task<ArrError?> SearchAsync(IReadOnlyCollection<int> ids, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ids);
        if (ids.Count == 0)
            return new ArrError(ArrErrorKind.NotFound, $"{Options}: nothing to search for, since the item is not known.");
        CommandRequest? command = Application switch
        {
            ArrApplication.Sonarr => CommandRequest.EpisodeSearch(ids),
            ArrApplication.Radarr => CommandRequest.MoviesSearch(ids),
            ArrApplication.Lidarr => CommandRequest.AlbumSearch(ids),
            _ => null,
        };
        return command is null ? NotSupported("search of its own") : (await CommandAsync(command, cancellationToken)).Error;
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Text(bool value) => value ? "true" : "false";
}
