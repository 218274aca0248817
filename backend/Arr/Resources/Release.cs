namespace NzbDav.Arr.Resources;

/// <summary>What is searched for.</summary>
public enum ReleaseKind
{
    /// <summary>Anything with the words.</summary>
    Any,

    /// <summary>A film.</summary>
    Movie,

    /// <summary>An episode, a season or a series.</summary>
    Series,
}

/// <summary>A search. Ids find more exactly than words; an indexer that knows none of them gets the words. Immutable.</summary>
public sealed record ReleaseQuery
{
    /// <summary>Most characters of <see cref="Text"/>.</summary>
    public const int MostText = 200;

    /// <summary>Words of the title; null: the ids say enough.</summary>
    public string? Text { get; init; }

    /// <summary>What it is.</summary>
    public ReleaseKind Kind { get; init; }

    /// <summary>The season of a series; null: any.</summary>
    public int? Season { get; init; }

    /// <summary>The episode; null: any.</summary>
    public int? Episode { get; init; }

    /// <summary>Digits of the IMDb id, without <c>tt</c>; null: not known.</summary>
    public string? ImdbId { get; init; }

    /// <summary>The id at TheTVDB; null: not known.</summary>
    public int? TvdbId { get; init; }

    /// <summary>The id at TMDB; null: not known.</summary>
    public int? TmdbId { get; init; }

    /// <summary>True if there is an id by which this kind can be found.</summary>
    public bool HasId => Kind != ReleaseKind.Any
        && (ImdbId is not null || TmdbId is not null || (Kind == ReleaseKind.Series && TvdbId is not null));

    /// <summary>The words, with season and episode as titles have them: <c>Show S01E02</c>. Empty without words.</summary>
    public string Words => string.IsNullOrWhiteSpace(Text) ? ""
        : Kind != ReleaseKind.Series || Season is not { } season ? Text.Trim()
        : Episode is { } episode
            ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Text.Trim()} S{season:00}E{episode:00}")
            : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Text.Trim()} S{season:00}");
}

/// <summary>A post or torrent that an indexer lists. Immutable.</summary>
public sealed record Release
{
    /// <summary>Most releases of one answer that are looked at.</summary>
    public const int MostPerAnswer = 500;

    /// <summary>True unless title or link are longer than any real one.</summary>
    public static bool Fits(string title, string link)
    {
        ArgumentNullException.ThrowIfNull(title);
        ArgumentNullException.ThrowIfNull(link);
        return title.Length <= 500 && link.Length <= 8_000;
    }

    /// <summary>Its title, as posted.</summary>
    public required string Title { get; init; }

    /// <summary>The indexer that lists it.</summary>
    public required string Indexer { get; init; }

    /// <summary>
    /// A magnet link, or the address of its .nzb or .torrent. May hold the indexer's key: it belongs in no answer and no log.
    /// </summary>
    public required string Link { get; init; }

    /// <summary>True for a torrent.</summary>
    public bool IsTorrent { get; init; }

    /// <summary>Bytes; null: the indexer does not say.</summary>
    public long? Size { get; init; }

    /// <summary>When it was posted; null: the indexer does not say.</summary>
    public DateTimeOffset? Posted { get; init; }

    /// <summary>How often it was downloaded through the indexer; null: the indexer does not say.</summary>
    public int? Grabs { get; init; }

    /// <summary>Peers of a torrent that have all of it; null: not known.</summary>
    public int? Seeders { get; init; }

    /// <summary>Of a torrent, 40 lower-case hexadecimal digits; null: not known.</summary>
    public string? InfoHash { get; init; }

    /// <summary>True if the post is said to be encrypted with a password.</summary>
    public bool HasPassword { get; init; }

    /// <summary>Omits the link.</summary>
    public override string ToString() => $"{Title} ({Indexer})";
}
