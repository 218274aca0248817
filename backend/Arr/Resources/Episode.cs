namespace NzbDav.Arr.Resources;

/// <summary>An episode of Sonarr's.</summary>
public sealed record Episode
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Its series.</summary>
    public int SeriesId { get; init; }

    /// <summary>0 if it has none.</summary>
    public int EpisodeFileId { get; init; }

    /// <summary>0 for specials.</summary>
    public int SeasonNumber { get; init; }

    /// <summary>Number in its season.</summary>
    public int EpisodeNumber { get; init; }

    /// <summary>Whether Sonarr wants it.</summary>
    public bool Monitored { get; init; }
}
