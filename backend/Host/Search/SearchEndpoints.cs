using System.ComponentModel;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Arr.Resources;

namespace NzbDav.Host.Search;

/// <summary>Search for something to play: <c>GET /api/v1/search</c>.</summary>
internal static class SearchEndpoints
{
    public static void MapSearch(this IEndpointRouteBuilder routes) => routes.MapGet("/api/v1/search", SearchAsync)
        .Needs(ApiRights.Add | ApiRights.Read).WithName("searchReleases").WithTags("play");

    /// <summary>
    /// Searches all configured indexers at once. The ids of what they list are good for <c>POST /play</c>, for two hours. Films and series
    /// are found more exactly by an id than by words; with both, the words are used where an indexer knows no ids.
    /// </summary>
    private static async Task<Results<Ok<SearchAnswerBody>, UnprocessableEntity<ErrorBody>>> SearchAsync(
        ReleaseSearch search, CancellationToken cancellationToken,
        [Description("Words of the title.")] string? query = null,
        [Description("movie, series, or any, the default.")] string? kind = null,
        [Description("The season of a series.")] int? season = null,
        [Description("The episode.")] int? episode = null,
        [Description("The id at IMDb: tt0137523.")] string? imdb = null,
        [Description("The id at TheTVDB, for series.")] int? tvdb = null,
        [Description("The id at TMDB.")] int? tmdb = null)
    {
        if (new SearchQuery(query, kind, season, episode, imdb, tvdb, tmdb).Read(out var wanted) is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        var answer = await search.SearchAsync(wanted!, cancellationToken);
        return answer.Indexers == 0
            ? TypedResults.UnprocessableEntity(new ErrorBody(
                "No indexer is configured: add Prowlarr among the programs, or an indexer (NzbDav__Search__Indexers__0__Url)."))
            : TypedResults.Ok(answer);
    }
}

/// <summary>The parameters of a search, as they were sent.</summary>
internal sealed record SearchQuery(string? Query, string? Kind, int? Season, int? Episode, string? Imdb, int? Tvdb, int? Tmdb)
{
    /// <summary>What is wrong with it; null: nothing.</summary>
    public string? Read(out ReleaseQuery? query)
    {
        query = null;
        if (!Enum.TryParse<ReleaseKind>(Kind ?? nameof(ReleaseKind.Any), ignoreCase: true, out var kind) || !Enum.IsDefined(kind)
            || char.IsAsciiDigit((Kind ?? "a")[0]))
            return "kind must be any, movie or series.";
        var digits = Imdb?.StartsWith("tt", StringComparison.OrdinalIgnoreCase) == true ? Imdb[2..] : Imdb;
        if (digits is not null && (digits.Length is 0 or > 12 || !digits.All(char.IsAsciiDigit)))
            return "imdb must be an id such as tt0137523.";
        if (Query?.Length > ReleaseQuery.MostText)
            return $"query may have {ReleaseQuery.MostText} characters.";
        if (Season < 0 || Episode < 0 || Tvdb < 1 || Tmdb < 1)
            return "season, episode and ids must be positive numbers.";
        query = new ReleaseQuery
        {
            Text = string.IsNullOrWhiteSpace(Query) ? null : Query.Trim(),
            Kind = kind,
            Season = Season,
            Episode = Episode,
            ImdbId = digits,
            TvdbId = Tvdb,
            TmdbId = Tmdb,
        };
        return query.HasId || query.Words.Length > 0 ? null : "Write words into query, or name the kind and an id.";
    }
}

/// <summary>What the indexers list.</summary>
/// <param name="Indexers">How many were asked; a Prowlarr counts as one.</param>
/// <param name="Releases">All releases; copies of one name follow each other, the best first.</param>
/// <param name="Faults">The indexers that did not answer.</param>
internal sealed record SearchAnswerBody(int Indexers, IReadOnlyList<ReleaseBody> Releases, IReadOnlyList<SearchFaultBody> Faults);

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
internal sealed record ReleaseBody(string Id, string Title, string Indexer, bool Torrent, long? Size, DateTimeOffset? Posted, int? Grabs,
    int? Seeders, bool HasPassword, int Copies)
{
    public static ReleaseBody Of(string id, Release release, int copies) => new(id, release.Title, release.Indexer, release.IsTorrent,
        release.Size, release.Posted, release.Grabs, release.Seeders, release.HasPassword, copies);
}

/// <summary>An indexer that did not answer.</summary>
/// <param name="Indexer">Its name.</param>
/// <param name="Error">Why, as text.</param>
internal sealed record SearchFaultBody(string Indexer, string Error);

/// <summary>JSON serialization of searches.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(SearchAnswerBody))]
internal sealed partial class SearchJson : JsonSerializerContext;
