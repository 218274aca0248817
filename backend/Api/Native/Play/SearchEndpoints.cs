using System.ComponentModel;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Api.Native.Play;

/// <summary>Searches the configured indexers, and remembers what was found. Implemented by the host. Thread-safe.</summary>
public interface IReleaseSearch
{
    /// <summary>The settings.</summary>
    SearchOptions Options { get; }

    /// <summary>Searches all indexers at once. One that fails or is late costs its own results alone.</summary>
    Task<ReleaseList> SearchAsync(ReleaseWish wish, CancellationToken cancellationToken);

    /// <summary>A release with its further copies, the best first; null: it was not found, or that was long ago.</summary>
    IReadOnlyList<FoundRelease>? Find(string id);
}

/// <summary>Settings of searches. Immutable.</summary>
public sealed record SearchOptions
{
    /// <summary>
    /// How many of the first releases are checked before they are shown, 0 … 10. Each is fetched from its indexer for that.
    /// </summary>
    public int Checks { get; init; }

    /// <summary>The Stremio add-on that knows titles by IMDb id, without <c>/manifest.json</c>; null: none is asked.</summary>
    public Uri? Titles { get; init; }

    /// <summary>The same for the ids of Kitsu.</summary>
    public Uri? AnimeTitles { get; init; }
}

/// <summary>What is searched for.</summary>
public enum WishKind
{
    /// <summary>Anything with the words.</summary>
    Any,

    /// <summary>A film.</summary>
    Movie,

    /// <summary>An episode, a season or a series.</summary>
    Series,
}

/// <summary>A search. Ids find more exactly than words; an indexer that knows none of them gets the words. Immutable.</summary>
public sealed record ReleaseWish
{
    /// <summary>Words of the title; null: the ids say enough.</summary>
    public string? Text { get; init; }

    /// <summary>What it is.</summary>
    public WishKind Kind { get; init; }

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

    /// <summary>How long the slowest indexer is waited for.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(30);
}

/// <summary>A release that a search has found.</summary>
/// <param name="Title">Its title.</param>
/// <param name="Indexer">Where it is listed.</param>
/// <param name="Link">A magnet link or an address. May hold the indexer's key: it belongs in no answer and no log.</param>
public sealed record FoundRelease(string Title, string Indexer, string Link)
{
    /// <summary>Omits the link.</summary>
    public override string ToString() => $"{Title} ({Indexer})";
}

/// <summary>What the indexers list.</summary>
/// <param name="Indexers">How many were asked; a Prowlarr counts as one.</param>
/// <param name="Rows">All releases; copies of one name follow each other, the best first.</param>
/// <param name="Faults">The indexers that did not answer, with the reasons.</param>
public sealed record ReleaseList(
    int Indexers, IReadOnlyList<ReleaseRow> Rows, IReadOnlyList<(string Indexer, string Error)> Faults);

/// <summary>A release that an indexer lists.</summary>
/// <param name="Id">For <see cref="IReleaseSearch.Find"/>.</param>
/// <param name="Title">Its title.</param>
/// <param name="Indexer">The indexer.</param>
/// <param name="IsTorrent">True for a torrent, false for a post.</param>
/// <param name="Size">Bytes; null: not known.</param>
/// <param name="Posted">When it was posted; null: not known.</param>
/// <param name="Grabs">How often it was downloaded through the indexer; null: not known.</param>
/// <param name="Seeders">Peers that have all of a torrent; null: not known.</param>
/// <param name="HasPassword">True if the post is said to be encrypted with a password.</param>
/// <param name="Copies">How many releases of this name there are.</param>
public sealed record ReleaseRow(
    string Id, string Title, string Indexer, bool IsTorrent, long? Size, DateTimeOffset? Posted, int? Grabs, int? Seeders,
    bool HasPassword, int Copies);

/// <summary>Search for something to play: <c>GET /api/v1/search</c>.</summary>
internal static class SearchEndpoints
{
    /// <summary>Most releases that one search may have checked: each is a download in the eyes of its indexer.</summary>
    public const int MostChecks = 10;

    public static void MapSearch(this IEndpointRouteBuilder api) => api.MapGet("/search", SearchAsync)
        .Needs(ApiRights.Add | ApiRights.Read).WithName("searchReleases").WithTags("play");

    /// <summary>
    /// Searches all configured indexers at once. The ids of what they list are good for <c>POST /play</c>, for two hours. Films and series
    /// are found more exactly by an id than by words; with both, the words are used where an indexer knows no ids. Releases that are known
    /// to be dead say so.
    /// </summary>
    private static async Task<Results<Ok<SearchAnswerBody>, UnprocessableEntity<ErrorBody>>> SearchAsync(
        [FromServices] IReleaseSearch search, ReleaseChecks checks, CancellationToken cancellationToken,
        [Description("Words of the title.")] string? query = null,
        [Description("movie, series, or any, the default.")] string? kind = null,
        [Description("The season of a series.")] int? season = null,
        [Description("The episode.")] int? episode = null,
        [Description("The id at IMDb: tt0137523.")] string? imdb = null,
        [Description("The id at TheTVDB, for series.")] int? tvdb = null,
        [Description("The id at TMDB.")] int? tmdb = null,
        [Description("How many of the first releases are checked, 0 to 10. Each is fetched from its indexer, which counts it as a " +
            "download. The default is that of the settings.")] int? check = null)
    {
        if (new SearchQuery(query, kind, season, episode, imdb, tvdb, tmdb).Read(out var wanted) is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        if (check is < 0 or > MostChecks)
            return TypedResults.UnprocessableEntity(new ErrorBody($"check must be a number from 0 to {MostChecks}."));
        var answer = await search.SearchAsync(wanted!, cancellationToken);
        return answer.Indexers == 0
            ? TypedResults.UnprocessableEntity(new ErrorBody(
                "No indexer is configured: add Prowlarr among the programs, or an indexer (NzbDav__Search__Indexers__0__Url)."))
            : TypedResults.Ok(new SearchAnswerBody(
                answer.Indexers, await checks.CheckAsync(answer.Rows, check ?? search.Options.Checks, cancellationToken),
                [.. answer.Faults.Select(static one => new SearchFaultBody(one.Indexer, one.Error))]));
    }
}

/// <summary>The parameters of a search, as they were sent.</summary>
internal sealed record SearchQuery(string? Query, string? Kind, int? Season, int? Episode, string? Imdb, int? Tvdb, int? Tmdb)
{
    /// <summary>Most characters of the words.</summary>
    private const int MostText = 200;

    /// <summary>What is wrong with it; null: nothing.</summary>
    public string? Read(out ReleaseWish? wish)
    {
        wish = null;
        if (!Enum.TryParse<WishKind>(Kind ?? nameof(WishKind.Any), ignoreCase: true, out var kind) || !Enum.IsDefined(kind)
            || char.IsAsciiDigit((Kind ?? "a")[0]))
            return "kind must be any, movie or series.";
        var digits = Imdb?.StartsWith("tt", StringComparison.OrdinalIgnoreCase) == true ? Imdb[2..] : Imdb;
        if (digits is not null && (digits.Length is 0 or > 12 || !digits.All(char.IsAsciiDigit)))
            return "imdb must be an id such as tt0137523.";
        if (Query?.Length > MostText)
            return $"query may have at most {MostText} characters.";
        if (Season < 0 || Episode < 0 || Tvdb < 1 || Tmdb < 1)
            return "season and episode must not be negative, and ids must be positive numbers.";
        wish = new ReleaseWish
        {
            Text = string.IsNullOrWhiteSpace(Query) ? null : Query.Trim(),
            Kind = kind,
            Season = Season,
            Episode = Episode,
            ImdbId = digits,
            TvdbId = Tvdb,
            TmdbId = Tmdb,
        };
        var hasId = kind != WishKind.Any && (digits is not null || Tmdb is not null || (kind == WishKind.Series && Tvdb is not null));
        return hasId || wish.Text is not null ? null : "Write words into query, or name the kind and an id.";
    }
}

/// <summary>What the indexers list.</summary>
/// <param name="Indexers">How many were asked; a Prowlarr counts as one.</param>
/// <param name="Releases">All releases; copies of one name follow each other, the best first.</param>
/// <param name="Faults">The indexers that did not answer.</param>
internal sealed record SearchAnswerBody(int Indexers, IReadOnlyList<ReleaseBody> Releases, IReadOnlyList<SearchFaultBody> Faults);

/// <summary>What is known of a release beside what its indexer says.</summary>
internal enum ReleaseState
{
    /// <summary>It has not been looked at.</summary>
    Unknown,

    /// <summary>The providers have articles from all of its files, and it can be streamed.</summary>
    Sound,

    /// <summary>It cannot be played.</summary>
    Dead,
}

/// <summary>A release that an indexer lists.</summary>
/// <param name="Id">For <c>POST /play</c>.</param>
/// <param name="Title">Its title.</param>
/// <param name="Indexer">The indexer.</param>
/// <param name="Torrent">True for a torrent, false for a post.</param>
/// <param name="Size">Bytes; null: not known.</param>
/// <param name="Posted">When it was posted; null: not known.</param>
/// <param name="Grabs">How often it was downloaded through the indexer; null: not known.</param>
/// <param name="Seeders">Peers that have all of a torrent; null: not known.</param>
/// <param name="HasPassword">True if the post is said to be encrypted with a password.</param>
/// <param name="Copies">How many releases of this name there are.</param>
/// <param name="State">What is known of it here.</param>
/// <param name="Reason">Why it cannot be played; null: nothing is known against it.</param>
internal sealed record ReleaseBody(string Id, string Title, string Indexer, bool Torrent, long? Size, DateTimeOffset? Posted, int? Grabs,
    int? Seeders, bool HasPassword, int Copies, ReleaseState State, string? Reason)
{
    public static ReleaseBody Of(ReleaseRow row, ReleaseState state, string? reason) => new(row.Id, row.Title, row.Indexer, row.IsTorrent,
        row.Size, row.Posted, row.Grabs, row.Seeders, row.HasPassword, row.Copies, state, reason);
}

/// <summary>An indexer that did not answer.</summary>
/// <param name="Indexer">Its name.</param>
/// <param name="Error">Why, as text.</param>
internal sealed record SearchFaultBody(string Indexer, string Error);
