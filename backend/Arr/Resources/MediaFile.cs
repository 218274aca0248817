namespace NzbDav.Arr.Resources;

/// <summary>A file in the library: of episodes, a film or a track.</summary>
public sealed record MediaFile
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Sonarr.</summary>
    public int? SeriesId { get; init; }

    /// <summary>Radarr.</summary>
    public int? MovieId { get; init; }

    /// <summary>Lidarr.</summary>
    public int? ArtistId { get; init; }

    /// <summary>Lidarr.</summary>
    public int? AlbumId { get; init; }

    /// <summary>Path as the application sees it: of the symlink or .strm file, not of its target.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>Size in bytes.</summary>
    public long Size { get; init; }
}
