using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Arr.Resources;

/// <summary><c>system/status</c>.</summary>
public sealed record SystemStatus
{
    /// <summary><c>Sonarr</c>, <c>Radarr</c>, …</summary>
    public string AppName { get; init; } = string.Empty;

    /// <summary>The instance's name, as set by its operator.</summary>
    public string? InstanceName { get; init; }

    /// <summary>Version: four numbers.</summary>
    public string Version { get; init; } = string.Empty;

    /// <summary>URL base with a leading slash, or empty.</summary>
    public string? UrlBase { get; init; }
}

/// <summary>A download client's definition in an application.</summary>
public sealed record DownloadClient
{
    /// <summary>0 until it is saved.</summary>
    public int Id { get; init; }

    /// <summary>Unique in the application.</summary>
    public string? Name { get; init; }

    /// <summary>True if it is enabled.</summary>
    public bool Enable { get; init; }

    /// <summary><c>Sabnzbd</c>, <c>QBittorrent</c>, …</summary>
    public string Implementation { get; init; } = string.Empty;

    /// <summary>Its settings.</summary>
    public IReadOnlyList<DownloadClientField> Fields { get; init; } = [];

    /// <summary>All other members, sent back unchanged: priority, tags, actions after imports.</summary>
    [JsonExtensionData]
    public Dictionary<string, JsonElement>? Other { get; set; }

    /// <summary>A setting's value as text, or null.</summary>
    /// <param name="name">The field's name.</param>
    public string? Text(string name) =>
        Fields.FirstOrDefault(field => field.Name.Equals(name, StringComparison.OrdinalIgnoreCase))?.Value?.ToString();
}

/// <summary>A setting of a download client's definition.</summary>
public sealed record DownloadClientField
{
    /// <summary><c>host</c>, <c>port</c>, <c>apiKey</c>, …</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Text, number or flag; null if there is none.</summary>
    public JsonElement? Value { get; init; }

    /// <summary>All other members, sent back unchanged.</summary>
    [JsonExtensionData]
    public Dictionary<string, JsonElement>? Other { get; set; }
}

/// <summary><c>config/downloadclient</c>.</summary>
public sealed record DownloadClientConfig
{
    /// <summary>True if completed downloads are imported.</summary>
    public bool EnableCompletedDownloadHandling { get; init; }

    /// <summary>True if a failed download causes another search.</summary>
    public bool AutoRedownloadFailed { get; init; }
}

/// <summary>Maps a path of a download client to a path of the application.</summary>
public sealed record RemotePathMapping
{
    /// <summary>0 until it is saved.</summary>
    public int Id { get; init; }

    /// <summary>Host exactly as in the download client's definition.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>Path as the download client reports it.</summary>
    public string RemotePath { get; init; } = string.Empty;

    /// <summary>Path where the application finds it.</summary>
    public string LocalPath { get; init; } = string.Empty;
}

/// <summary>A command with its arguments.</summary>
public sealed record CommandRequest
{
    /// <summary>Its name, as the application spells it.</summary>
    public required string Name { get; init; }

    /// <summary>For <c>EpisodeSearch</c>.</summary>
    public IReadOnlyCollection<int>? EpisodeIds { get; init; }

    /// <summary>For <c>MoviesSearch</c>.</summary>
    public IReadOnlyCollection<int>? MovieIds { get; init; }

    /// <summary>For <c>AlbumSearch</c>.</summary>
    public IReadOnlyCollection<int>? AlbumIds { get; init; }

    /// <summary>For <c>SeasonSearch</c>, <c>SeriesSearch</c>, <c>RescanSeries</c>.</summary>
    public int? SeriesId { get; init; }

    /// <summary>For <c>SeasonSearch</c>.</summary>
    public int? SeasonNumber { get; init; }

    /// <summary>For <c>RescanMovie</c>.</summary>
    public int? MovieId { get; init; }

    /// <summary>Polls the download clients now, which saves the wait of up to a minute after a completion.</summary>
    public static CommandRequest RefreshMonitoredDownloads { get; } = new() { Name = "RefreshMonitoredDownloads" };

    /// <summary>Imports completed downloads now.</summary>
    public static CommandRequest ProcessMonitoredDownloads { get; } = new() { Name = "ProcessMonitoredDownloads" };

    /// <summary>Sonarr.</summary>
    public static CommandRequest EpisodeSearch(IReadOnlyCollection<int> episodes) =>
        new() { Name = "EpisodeSearch", EpisodeIds = episodes };

    /// <summary>Sonarr.</summary>
    public static CommandRequest SeasonSearch(int series, int season) =>
        new() { Name = "SeasonSearch", SeriesId = series, SeasonNumber = season };

    /// <summary>Sonarr: rescans a series' folder.</summary>
    public static CommandRequest RescanSeries(int series) => new() { Name = "RescanSeries", SeriesId = series };

    /// <summary>Radarr.</summary>
    public static CommandRequest MoviesSearch(IReadOnlyCollection<int> movies) => new() { Name = "MoviesSearch", MovieIds = movies };

    /// <summary>Radarr: rescans a film's folder.</summary>
    public static CommandRequest RescanMovie(int movie) => new() { Name = "RescanMovie", MovieId = movie };

    /// <summary>Lidarr.</summary>
    public static CommandRequest AlbumSearch(IReadOnlyCollection<int> albums) => new() { Name = "AlbumSearch", AlbumIds = albums };
}

/// <summary>The status of a command.</summary>
public sealed record CommandStatus
{
    /// <summary>Id for <c>ArrClient.CommandStatusAsync</c>.</summary>
    public int Id { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>queued</c>, <c>started</c>, <c>completed</c>, <c>failed</c>, …</summary>
    public string? Status { get; init; }
}

/// <summary>An application's objection to one field.</summary>
public sealed record ArrValidation
{
    /// <summary>The field: <c>Host</c>, <c>ApiKey</c>, …; empty for the object as a whole.</summary>
    public string PropertyName { get; init; } = string.Empty;

    /// <summary>The application's message.</summary>
    public string ErrorMessage { get; init; } = string.Empty;

    /// <summary>True if the object could be saved anyway.</summary>
    public bool IsWarning { get; init; }
}

/// <summary>Body with which an application reports a failure.</summary>
internal sealed record ArrMessage
{
    public string? Message { get; init; }
}
