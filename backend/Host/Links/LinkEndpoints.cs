using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Links;

/// <summary>Links to single files for people without a password: <c>/api/v1/links</c>.</summary>
internal static class LinkEndpoints
{
    private const int DefaultHours = 24;
    private const int MostHours = 8_760;

    /// <param name="routes">The routes to add to.</param>
    /// <param name="revoke">Revokes all links; with true, also those in .strm files.</param>
    public static void MapLinks(this IEndpointRouteBuilder routes, Func<bool, Task> revoke)
    {
        var links = routes.MapGroup("/api/v1/links").WithTags("links");
        links.MapPost("", MakeAsync).Needs(ApiRights.Manage).WithName("makeLink").TakesJson<LinkBody>();
        links.MapDelete("", (bool strm = false) => RevokeAsync(revoke, strm)).Needs(ApiRights.Manage).WithName("revokeLinks").Refuses(StatusCodes.Status503ServiceUnavailable);
    }

    private static async Task<Results<Created<LinkAnswer>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> MakeAsync(
        HttpContext http, TreeStore tree, ViewLinks links, TimeProvider time)
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

        // The link contains the id, because the file may be renamed while it is valid. Not the stable path, which would count as a library's link.
        var expires = time.GetUtcNow().AddHours(body.Hours ?? DefaultHours);
        var link = links.PathTo(StorePath.TryParse(LibraryStore.PlayPath(item.Id))!, item.Name, expires);
        return TypedResults.Created((string?)null, new LinkAnswer(http.Request.PathBase.ToUriComponent() + link, expires));
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
