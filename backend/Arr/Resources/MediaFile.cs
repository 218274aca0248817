namespace NzbDav.Arr.Resources;

/// <summary>A file of the library: an episode's, a film's or a track's.</summary>
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

    /// <summary>Where the application sees it: the symlink or .strm file, not what it leads to.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>Bytes.</summary>
    public long Size { get; init; }
}
