using System.Globalization;
using System.Text;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

public sealed partial class ArrClient
{
    /// <summary>Time-out of a search: Prowlarr waits for its slowest indexer.</summary>
    private static readonly TimeSpan SearchTimeout = TimeSpan.FromSeconds(25);

    /// <summary>Prowlarr: searches all its indexers by ids, and by words if that finds nothing.</summary>
    public async Task<ArrResult<IReadOnlyList<Release>>> FindReleasesAsync(ReleaseQuery query, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(query);
        if (Application != ArrApplication.Prowlarr)
            return NotSupported<IReadOnlyList<Release>>("search");
        var (type, words) = ProwlarrQuery(query);
        var found = await AskProwlarrAsync(type, words, cancellationToken);
        return found is { Succeeded: true, Value.Count: 0 } && query.HasId && query.Words.Length > 0
            ? await AskProwlarrAsync("search", query.Words, cancellationToken) : found;
    }

    private async Task<ArrResult<IReadOnlyList<Release>>> AskProwlarrAsync(string type, string words, CancellationToken cancellationToken)
    {
        var path = $"search?type={type}&limit=100&query={Uri.EscapeDataString(words)}";
        var found = await _transport.SendAsync(
            new ArrCall(HttpMethod.Get, path, null, SearchTimeout) { IsTriedOnce = true }, ArrJson.Default.ProwlarrReleaseArray,
            cancellationToken);
        if (!found.Succeeded)
            return new(found.Error);
        return new([.. found.Value.Select(static release => release.ToRelease()).OfType<Release>().Take(Release.MostPerAnswer)]);
    }

    /// <summary>Prowlarr reads ids, season and episode out of the words: <c>{ImdbId:tt0137523}</c>.</summary>
    private static (string Type, string Words) ProwlarrQuery(ReleaseQuery query)
    {
        if (!query.HasId)
            return (query.Kind == ReleaseKind.Any ? "search" : query.Kind == ReleaseKind.Movie ? "movie" : "tvsearch", query.Words);
        var text = new StringBuilder();
        if (query.ImdbId is { } imdb)
            text.Append(CultureInfo.InvariantCulture, $"{{ImdbId:tt{imdb}}}");
        if (query.TmdbId is { } tmdb)
            text.Append(CultureInfo.InvariantCulture, $"{{TmdbId:{tmdb}}}");
        if (query.Kind == ReleaseKind.Movie)
            return ("movie", text.ToString());
        if (query.TvdbId is { } tvdb)
            text.Append(CultureInfo.InvariantCulture, $"{{TvdbId:{tvdb}}}");
        if (query.Season is { } season)
            text.Append(CultureInfo.InvariantCulture, $"{{Season:{season:00}}}");
        if (query.Episode is { } episode)
            text.Append(CultureInfo.InvariantCulture, $"{{Episode:{episode:00}}}");
        return ("tvsearch", text.ToString());
    }
}

/// <summary>A result of Prowlarr's search.</summary>
internal sealed record ProwlarrRelease
{
    public string? Title { get; init; }

    public string? Indexer { get; init; }

    public string? Guid { get; init; }

    public string? DownloadUrl { get; init; }

    public string? MagnetUrl { get; init; }

    public string? InfoHash { get; init; }

    public string? Protocol { get; init; }

    public long? Size { get; init; }

    public int? Grabs { get; init; }

    public int? Seeders { get; init; }

    public DateTimeOffset? PublishDate { get; init; }

    /// <summary>Null if it has no title or nothing that could be fetched.</summary>
    public Release? ToRelease()
    {
        // Indexers of torrents may give the magnet link as the guid alone.
        var magnet = Guid?.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase) == true ? Guid : null;
        var link = magnet ?? DownloadUrl ?? MagnetUrl;
        return string.IsNullOrWhiteSpace(Title) || string.IsNullOrWhiteSpace(link) || !Release.Fits(Title, link) ? null : new Release
        {
            Title = Title.Trim(),
            Indexer = Indexer ?? "Prowlarr",
            Link = link,
            IsTorrent = string.Equals(Protocol, "torrent", StringComparison.OrdinalIgnoreCase),
            Size = Size is > 0 ? Size : null,
            Posted = PublishDate,
            Grabs = Grabs,
            Seeders = Seeders,
            InfoHash = string.IsNullOrEmpty(InfoHash) ? null : InfoHash.ToLowerInvariant(),
        };
    }
}
