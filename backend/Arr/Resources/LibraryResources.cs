namespace NzbDav.Arr.Resources;

/// <summary>A series, film or artist.</summary>
public sealed record MediaOwner
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Its name; an artist's is in <see cref="ArtistName"/>.</summary>
    public string? Title { get; init; }

    /// <summary>Lidarr.</summary>
    public string? ArtistName { get; init; }

    /// <summary>Its folder.</summary>
    public string? Path { get; init; }

    /// <summary>Radarr: the film's file; null if there is none, and in the other applications.</summary>
    public MediaFile? MovieFile { get; init; }
}

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

/// <summary>An episode in Sonarr.</summary>
public sealed record Episode
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Its series.</summary>
    public int SeriesId { get; init; }

    /// <summary>Id of its file; 0 if it has none.</summary>
    public int EpisodeFileId { get; init; }

    /// <summary>Its season; 0 for specials.</summary>
    public int SeasonNumber { get; init; }

    /// <summary>Number in its season.</summary>
    public int EpisodeNumber { get; init; }

    /// <summary>True if Sonarr searches for it.</summary>
    public bool Monitored { get; init; }
}

/// <summary>A folder that holds a library.</summary>
public sealed record RootFolder
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Path as the application sees it.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>True if the application can write there.</summary>
    public bool Accessible { get; init; }

    /// <summary>Free space in bytes; null if unknown.</summary>
    public long? FreeSpace { get; init; }
}

/// <summary>
/// The contents of a folder as an application sees it. For a folder that it cannot read, or that does not exist, the application returns
/// empty lists (Sonarr's FileSystemLookupService).
/// </summary>
public sealed record FolderListing
{
    /// <summary>The folders in it.</summary>
    public IReadOnlyList<DiskEntry> Directories { get; init; } = [];

    /// <summary>The files in it.</summary>
    public IReadOnlyList<DiskEntry> Files { get; init; } = [];
}

/// <summary>A file or folder on an application's disk.</summary>
public sealed record DiskEntry
{
    /// <summary>Path as the application sees it; that of a folder ends with a separator.</summary>
    public string Path { get; init; } = string.Empty;
}
