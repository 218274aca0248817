namespace NzbDav.Arr.Resources;

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
