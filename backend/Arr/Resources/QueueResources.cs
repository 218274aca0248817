namespace NzbDav.Arr.Resources;

/// <summary>
/// A row of the queue. States are strings, so that a new state in a later version does not make the whole queue unreadable.
/// </summary>
public sealed record QueueItem : IArrRow
{
    /// <summary>Id for <see cref="Client.ArrClient.RemoveFromQueueAsync"/>.</summary>
    public int Id { get; init; }

    /// <summary>Sonarr; null when unknown.</summary>
    public int? SeriesId { get; init; }

    /// <summary>Sonarr; null when unknown.</summary>
    public int? EpisodeId { get; init; }

    /// <summary>Radarr; null when unknown.</summary>
    public int? MovieId { get; init; }

    /// <summary>Lidarr; null when unknown.</summary>
    public int? ArtistId { get; init; }

    /// <summary>Lidarr; null when unknown.</summary>
    public int? AlbumId { get; init; }

    /// <summary>Name of the release.</summary>
    public string? Title { get; init; }

    /// <summary>State in the download client: <c>downloading</c>, <c>completed</c>, <c>failed</c>, …</summary>
    public string? Status { get; init; }

    /// <summary><c>ok</c>, <c>warning</c> or <c>error</c>.</summary>
    public string? TrackedDownloadStatus { get; init; }

    /// <summary><c>downloading</c>, <c>importBlocked</c>, <c>importPending</c>, <c>importing</c>, <c>imported</c>, <c>failedPending</c>,
    /// <c>failed</c>, <c>ignored</c>.</summary>
    public string? TrackedDownloadState { get; init; }

    /// <summary>Why it does not continue.</summary>
    public IReadOnlyList<StatusMessage>? StatusMessages { get; init; }

    /// <summary>The last message of the download client.</summary>
    public string? ErrorMessage { get; init; }

    /// <summary>The id that the download client gave the download; null if it has not been sent there yet.</summary>
    public string? DownloadId { get; init; }

    /// <summary><c>usenet</c> or <c>torrent</c>.</summary>
    public string? Protocol { get; init; }

    /// <summary>The download client's name in the application.</summary>
    public string? DownloadClient { get; init; }

    /// <summary>Path of the download as the application sees it.</summary>
    public string? OutputPath { get; init; }

    /// <summary>Id of the episode, film or album, for a search; null if the row belongs to nothing in the library.</summary>
    internal int? SearchId => EpisodeId ?? MovieId ?? AlbumId;
}

/// <summary>Why a queue row does not continue, about one file or the whole download.</summary>
public sealed record StatusMessage
{
    /// <summary>The file or the download that it is about. Some messages have only a title.</summary>
    public string? Title { get; init; }

    /// <summary>The reasons.</summary>
    public IReadOnlyList<string> Messages { get; init; } = [];
}

/// <summary><c>queue/status</c>: counts of rows, and flags.</summary>
public sealed record QueueStatus
{
    /// <summary>All rows.</summary>
    public int TotalCount { get; init; }

    /// <summary>Rows that belong to the library.</summary>
    public int Count { get; init; }

    /// <summary>Rows that do not belong to the library.</summary>
    public int UnknownCount { get; init; }

    /// <summary>True if a row of the library has an error.</summary>
    public bool Errors { get; init; }

    /// <summary>True if a row of the library has a warning.</summary>
    public bool Warnings { get; init; }

    /// <summary>True if another row has an error.</summary>
    public bool UnknownErrors { get; init; }

    /// <summary>True if another row has a warning.</summary>
    public bool UnknownWarnings { get; init; }
}

/// <summary>What to do when a row is removed from the queue.</summary>
public sealed record QueueRemoval
{
    /// <summary>True: the application also deletes the download in the download client.</summary>
    public bool RemoveFromClient { get; init; } = true;

    /// <summary>True: the release is not grabbed again, and a search follows unless <see cref="SkipRedownload"/>.</summary>
    public bool Blocklist { get; init; }

    /// <summary>True: no search after blocklisting.</summary>
    public bool SkipRedownload { get; init; }
}

/// <summary>An event in the history of a download.</summary>
public sealed record HistoryItem : IArrRow
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Sonarr.</summary>
    public int? SeriesId { get; init; }

    /// <summary>Sonarr.</summary>
    public int? EpisodeId { get; init; }

    /// <summary>Radarr.</summary>
    public int? MovieId { get; init; }

    /// <summary>Lidarr.</summary>
    public int? ArtistId { get; init; }

    /// <summary>Lidarr.</summary>
    public int? AlbumId { get; init; }

    /// <summary><c>grabbed</c>, <c>downloadFolderImported</c>, <c>downloadFailed</c>, <c>episodeFileDeleted</c>, …</summary>
    public string EventType { get; init; } = string.Empty;

    /// <summary>When it happened.</summary>
    public DateTimeOffset Date { get; init; }

    /// <summary>The id that the download client gave the download.</summary>
    public string? DownloadId { get; init; }

    /// <summary>Name of the release.</summary>
    public string? SourceTitle { get; init; }

    /// <summary>True if the release was sent to the download client.</summary>
    public bool IsGrab => EventType.Equals("grabbed", StringComparison.OrdinalIgnoreCase);

    /// <summary>True if the download was marked as failed.</summary>
    public bool IsFailure => EventType.Equals("downloadFailed", StringComparison.OrdinalIgnoreCase);

    /// <summary>True if something of the download was imported into the library, or may have been: each application has several event types
    /// for that.</summary>
    public bool IsImport => EventType.Contains("import", StringComparison.OrdinalIgnoreCase);

    /// <summary>Further data. For an import: <c>droppedPath</c>, where the file was, and <c>importedPath</c>.</summary>
    public IReadOnlyDictionary<string, System.Text.Json.JsonElement>? Data { get; init; }

    /// <summary>The series, film or artist.</summary>
    internal int? OwnerId => SeriesId ?? MovieId ?? ArtistId;

    /// <summary>Id of the episode, film or album, for a search.</summary>
    internal int? SearchId => EpisodeId ?? MovieId ?? AlbumId;
}

/// <summary>One page of a list.</summary>
/// <typeparam name="T">Its rows' type.</typeparam>
internal sealed record ArrPage<T>
{
    public int Page { get; init; }

    public int PageSize { get; init; }

    public int TotalRecords { get; init; }

    public IReadOnlyList<T> Records { get; init; } = [];
}

/// <summary>A row of a paged list.</summary>
internal interface IArrRow
{
    /// <summary>Its id, unique in the list.</summary>
    int Id { get; }
}
