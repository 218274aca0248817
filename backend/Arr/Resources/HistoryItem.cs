namespace NzbDav.Arr.Resources;

/// <summary>An event of a download's life.</summary>
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

    /// <summary>When.</summary>
    public DateTimeOffset Date { get; init; }

    /// <summary>The download client's id.</summary>
    public string? DownloadId { get; init; }

    /// <summary>The release.</summary>
    public string? SourceTitle { get; init; }

    /// <summary>Whether the release was sent to the download client.</summary>
    public bool IsGrab => EventType.Equals("grabbed", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether the download was marked as failed.</summary>
    public bool IsFailure => EventType.Equals("downloadFailed", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether something of the download was taken into the library, or may have been: each application has several kinds of that.</summary>
    public bool IsImport => EventType.Contains("import", StringComparison.OrdinalIgnoreCase);

    /// <summary>What else there is to say; of an import <c>droppedPath</c>, where the file was, and <c>importedPath</c>.</summary>
    public IReadOnlyDictionary<string, System.Text.Json.JsonElement>? Data { get; init; }

    /// <summary>The series, film or artist.</summary>
    internal int? OwnerId => SeriesId ?? MovieId ?? ArtistId;
}
