namespace NzbDav.Arr.Resources;

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

    /// <summary>True if something of the download was imported into the library, or may have been: each application has several event types for that.</summary>
    public bool IsImport => EventType.Contains("import", StringComparison.OrdinalIgnoreCase);

    /// <summary>Further data. For an import: <c>droppedPath</c>, where the file was, and <c>importedPath</c>.</summary>
    public IReadOnlyDictionary<string, System.Text.Json.JsonElement>? Data { get; init; }

    /// <summary>The series, film or artist.</summary>
    internal int? OwnerId => SeriesId ?? MovieId ?? ArtistId;

    /// <summary>Id of the episode, film or album, for a search.</summary>
    internal int? SearchId => EpisodeId ?? MovieId ?? AlbumId;
}
