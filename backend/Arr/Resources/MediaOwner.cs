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
