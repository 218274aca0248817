namespace NzbDav.Arr.Resources;

/// <summary>A row of the queue. States are text: a version with a new one must not make the whole queue unreadable.</summary>
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

    /// <summary>The release.</summary>
    public string? Title { get; init; }

    /// <summary>What the download client says: <c>downloading</c>, <c>completed</c>, <c>failed</c>, …</summary>
    public string? Status { get; init; }

    /// <summary><c>ok</c>, <c>warning</c> or <c>error</c>.</summary>
    public string? TrackedDownloadStatus { get; init; }

    /// <summary><c>downloading</c>, <c>importBlocked</c>, <c>importPending</c>, <c>importing</c>, <c>imported</c>, <c>failedPending</c>, <c>failed</c>, <c>ignored</c>.</summary>
    public string? TrackedDownloadState { get; init; }

    /// <summary>Why it does not go on.</summary>
    public IReadOnlyList<StatusMessage>? StatusMessages { get; init; }

    /// <summary>What the download client said last.</summary>
    public string? ErrorMessage { get; init; }

    /// <summary>The download client's id of it; null for what only waits to be sent there.</summary>
    public string? DownloadId { get; init; }

    /// <summary><c>usenet</c> or <c>torrent</c>.</summary>
    public string? Protocol { get; init; }

    /// <summary>The download client's name in the application.</summary>
    public string? DownloadClient { get; init; }

    /// <summary>Where the download is, as the application sees it.</summary>
    public string? OutputPath { get; init; }

    /// <summary>What a search for it needs: the id of the episode, film or album; null when the row belongs to nothing.</summary>
    internal int? SearchId => EpisodeId ?? MovieId ?? AlbumId;
}
