namespace NzbDav.Arr.Client;

/// <summary>The names that one application uses in its API. Immutable.</summary>
/// <param name="Api">Path of the API below the URL base, without leading or trailing slash.</param>
/// <param name="UnknownItems">Query parameter that includes queue rows which belong to nothing in the library; null: the application has no queue.</param>
/// <param name="FileResource">Resource of the library's files.</param>
/// <param name="OwnerResource">Resource of the series, films or artists that own files; null: the application has no library.</param>
/// <param name="OwnerParameter">Query parameter that names the owner.</param>
/// <param name="CategoryField">Field for the category in the settings of a download client.</param>
internal sealed record ArrDialect(
    string Api,
    string? UnknownItems,
    string? FileResource,
    string? OwnerResource,
    string? OwnerParameter,
    string CategoryField)
{
    private static readonly ArrDialect Sonarr = new("api/v3", "includeUnknownSeriesItems", "episodefile", "series", "seriesId", "tvCategory");
    private static readonly ArrDialect Radarr = new("api/v3", "includeUnknownMovieItems", "moviefile", "movie", "movieId", "movieCategory");
    private static readonly ArrDialect Lidarr = new("api/v1", "includeUnknownArtistItems", "trackfile", "artist", "artistId", "musicCategory");
    private static readonly ArrDialect Prowlarr = new("api/v1", null, null, null, null, "category");

    public static ArrDialect Of(ArrApplication application) => application switch
    {
        ArrApplication.Sonarr => Sonarr,
        ArrApplication.Radarr => Radarr,
        ArrApplication.Lidarr => Lidarr,
        ArrApplication.Prowlarr => Prowlarr,
        _ => throw new ArgumentOutOfRangeException(nameof(application), application, "Sonarr, Radarr, Lidarr or Prowlarr."),
    };
}
