namespace NzbDav.Arr.Resources;

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
    public static CommandRequest EpisodeSearch(IReadOnlyCollection<int> episodes) => new() { Name = "EpisodeSearch", EpisodeIds = episodes };

    /// <summary>Sonarr.</summary>
    public static CommandRequest SeasonSearch(int series, int season) => new() { Name = "SeasonSearch", SeriesId = series, SeasonNumber = season };

    /// <summary>Sonarr: rescans a series' folder.</summary>
    public static CommandRequest RescanSeries(int series) => new() { Name = "RescanSeries", SeriesId = series };

    /// <summary>Radarr.</summary>
    public static CommandRequest MoviesSearch(IReadOnlyCollection<int> movies) => new() { Name = "MoviesSearch", MovieIds = movies };

    /// <summary>Radarr: rescans a film's folder.</summary>
    public static CommandRequest RescanMovie(int movie) => new() { Name = "RescanMovie", MovieId = movie };

    /// <summary>Lidarr.</summary>
    public static CommandRequest AlbumSearch(IReadOnlyCollection<int> albums) => new() { Name = "AlbumSearch", AlbumIds = albums };
}
