using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Api.Native.Files;

/// <summary>The tree of files: <c>/files</c>.</summary>
public static class FileEndpoints
{
    private const string Later = "This call is not there yet.";

    /// <summary>Maps the routes.</summary>
    /// <param name="api">The group <c>/api/v1</c>.</param>
    public static void MapFiles(this IEndpointRouteBuilder api)
    {
        api.MapGet("/files", ListAsync).Needs(ApiRights.Read).WithName("listFiles").WithTags("files");
        api.MapGet("/files/search", SearchAsync).Needs(ApiRights.Read).WithName("searchFiles").WithTags("files");
        api.MapGet("/files/{id}", GetAsync).Needs(ApiRights.Read).WithName("getFile").WithTags("files");
        api.MapGet("/files/{id}/media", MediaAsync).Needs(ApiRights.Read).WithName("getFileMedia").WithTags("files");
        api.MapMethods("/files/{id}/zip", ["GET", "HEAD"], ZipAsync).Needs(ApiRights.Read).WithName("zipFiles").WithTags("files")
            .Produces(StatusCodes.Status200OK, contentType: "application/zip").Produces(StatusCodes.Status206PartialContent, contentType: "application/zip")
            .Produces<ErrorBody>(StatusCodes.Status404NotFound).Produces<ErrorBody>(StatusCodes.Status422UnprocessableEntity);
        api.MapGet("/files/{id}/vtt", SubtitleAsync).Needs(ApiRights.Read).WithName("getSubtitle").WithTags("files")
            .Produces<string>(StatusCodes.Status200OK, "text/vtt").Produces<ErrorBody>(StatusCodes.Status404NotFound).Produces<ErrorBody>(StatusCodes.Status422UnprocessableEntity);
        api.MapPost("/files/{id}/link", LinkAsync).Needs(ApiRights.Read).WithName("makePlayLink").WithTags("files").Accepts<PlayLinkRequestBody>(isOptional: true, "application/json");
        api.MapGet("/files/{id}/playlist", PlaylistAsync).Needs(ApiRights.Read).WithName("getPlaylist").WithTags("files")
            .Produces<string>(StatusCodes.Status200OK, "audio/x-mpegurl").Produces<ErrorBody>(StatusCodes.Status400BadRequest).Produces<ErrorBody>(StatusCodes.Status404NotFound);
        api.MapPost("/files/actions", ActAsync).Needs(ApiRights.Change).WithName("actOnFiles").WithTags("files").Accepts<FilesActionBody>("application/json");
    }

    private static async Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>, NotFound<ErrorBody>>> ListAsync(
        string? parent, string? path, string? sort, bool descending = false, int offset = 0, int limit = 100, CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        return TypedResults.NotFound(new ErrorBody(Later));
    }

    private static async Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>>> SearchAsync(
        string query, string? kind, int offset = 0, int limit = 100, CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        return TypedResults.BadRequest(new ErrorBody(Later));
    }

    private static async Task<Results<Ok<FileDetailsBody>, NotFound<ErrorBody>>> GetAsync(string id, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return TypedResults.NotFound(new ErrorBody(Later));
    }

    private static async Task<Results<Ok<MediaBody>, NotFound<ErrorBody>>> MediaAsync(string id, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return TypedResults.NotFound(new ErrorBody(Later));
    }

    private static async Task ZipAsync(HttpContext http, string id) => await JsonReply.RefuseAsync(http, StatusCodes.Status501NotImplemented, Later);

    private static async Task SubtitleAsync(HttpContext http, string id, double shiftSeconds = 0) => await JsonReply.RefuseAsync(http, StatusCodes.Status501NotImplemented, Later);

    private static async Task<Results<Ok<PlayLinkBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>>> LinkAsync(HttpContext http, string id)
    {
        await Task.Yield();
        return TypedResults.NotFound(new ErrorBody(Later));
    }

    private static async Task PlaylistAsync(HttpContext http, string id, string? format) => await JsonReply.RefuseAsync(http, StatusCodes.Status501NotImplemented, Later);

    private static async Task<Results<Ok<ActionAnswerBody>, BadRequest<ErrorBody>, UnprocessableEntity<ErrorBody>>> ActAsync(HttpContext http, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return TypedResults.BadRequest(new ErrorBody(Later));
    }
}
