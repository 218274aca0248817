namespace NzbDav.Arr.Resources;

/// <summary>A row of the queue. States are strings, so that a new state in a later version does not make the whole queue unreadable.</summary>
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

    /// <summary><c>downloading</c>, <c>importBlocked</c>, <c>importPending</c>, <c>importing</c>, <c>imported</c>, <c>failedPending</c>, <c>failed</c>, <c>ignored</c>.</summary>
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
