using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access;
using NzbDav.Catalog;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Links;

/// <summary>Links to single files for people without a password: <c>/api/v1/links</c>.</summary>
internal static class LinkEndpoints
{
    private const int DefaultHours = 24;
    private const int MostHours = 8_760;

    /// <param name="routes">Where.</param>
    /// <param name="revoke">Makes links open nothing any more; those in .strm files too if it is told so.</param>
    public static void MapLinks(this IEndpointRouteBuilder routes, Func<bool, Task> revoke)
    {
        var links = routes.MapGroup("/api/v1/links").WithTags("links");
        links.MapPost("", MakeAsync).Needs(ApiRights.Manage).WithName("makeLink").TakesJson<LinkBody>();
        links.MapDelete("", (bool strm = false) => RevokeAsync(revoke, strm)).Needs(ApiRights.Manage).WithName("revokeLinks").Refuses(StatusCodes.Status503ServiceUnavailable);
    }

    private static async Task<Results<Created<LinkAnswer>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> MakeAsync(
        HttpContext http, TreeStore tree, ViewLinks links, LiveAccess access, TimeProvider time)
    {
        if (await JsonBody.ReadAsync(http, LinksJson.Default.LinkBody) is not { } body)
            return TypedResults.Empty;
        if (body.Hours is < 1 or > MostHours)
            return TypedResults.UnprocessableEntity(new ErrorBody($"A link lasts 1 to {MostHours} hours."));
        if (body.Path is null || StorePath.TryParse(string.Join('/', body.Path.Split('/').Select(Uri.EscapeDataString))) is not { Segments: [JobStore.ContentCollection, ..] segments }
            || await tree.ResolveAsync(segments, http.RequestAborted) is not { IsCollection: false } item)
        {
            return TypedResults.UnprocessableEntity(new ErrorBody("There is no such file: write its path as /content/CATEGORY/JOB/FILE."));
        }

        // By its id: the file may be renamed while the link holds. Not by its stable path, which counts as the link of a library.
        var expires = time.GetUtcNow().AddHours(body.Hours ?? DefaultHours);
        var link = links.PathTo(StorePath.TryParse(LibraryStore.PlayPath(item.Id))!, item.Name, expires);
        return TypedResults.Created((string?)null, new LinkAnswer(access.Current.UrlBase.Value + link, expires));
    }

    private static async Task<Results<NoContent, JsonHttpResult<ErrorBody>>> RevokeAsync(Func<bool, Task> revoke, bool strm)
    {
        try
        {
            await revoke(strm);
            return TypedResults.NoContent();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return TypedResults.Json(new ErrorBody($"The key of links cannot be written: {e.Message}"), statusCode: StatusCodes.Status503ServiceUnavailable);
        }
    }
}
