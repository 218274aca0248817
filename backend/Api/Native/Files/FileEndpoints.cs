using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Replies;
using NzbDav.Catalog.Browsing;
using NzbDav.Library.Opening;
using NzbDav.Library.Posts;
using NzbDav.Library.Zip;
using NzbDav.Usenet;

namespace NzbDav.Api.Native.Files;

/// <summary>The tree of files: <c>/api/v1/files</c>.</summary>
internal static class FileEndpoints
{
    public static void MapFiles(this IEndpointRouteBuilder api)
    {
        var files = api.MapGroup("/files").WithTags("files");
        files.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listFiles");
        files.MapGet("/search", SearchAsync).Needs(ApiRights.Read).WithName("searchFiles");
        files.MapGet("/{id}", (HttpContext http, FileInspection inspection, string id, CancellationToken cancellationToken) =>
            inspection.GetAsync(http, id, cancellationToken)).Needs(ApiRights.Read).WithName("getFile");
        files.MapPost("/{id}/check", CheckAsync).Needs(ApiRights.Change).WithName("checkFile");
        files.MapGet("/{id}/media", (FileBytes bytes, string id, CancellationToken cancellationToken) =>
            bytes.MediaAsync(id, cancellationToken)).Needs(ApiRights.Read).WithName("getFileMedia");
        files.MapGet("/{id}/zip", ZipAsync).Needs(ApiRights.Read).WithName("zipFiles")
            .Produces(StatusCodes.Status200OK, contentType: "application/zip")
                .Produces(StatusCodes.Status206PartialContent, contentType: "application/zip")
            .Refuses(StatusCodes.Status404NotFound, StatusCodes.Status422UnprocessableEntity);
        files.MapMethods("/{id}/zip", ["HEAD"], ZipAsync).Needs(ApiRights.Read).ExcludeFromDescription();
        files.MapGet("/{id}/vtt", SubtitleAsync).Needs(ApiRights.Read).WithName("getSubtitle")
            .Produces<string>(StatusCodes.Status200OK, "text/vtt").Refuses(StatusCodes.Status503ServiceUnavailable);
        files.MapPost("/{id}/link", LinkAsync).Needs(ApiRights.Read).WithName("makePlayLink").AcceptsJson<PlayLinkRequestBody>();
        files.MapGet("/{id}/playlist", PlaylistAsync).Needs(ApiRights.Read).WithName("getPlaylist")
            .Produces<string>(StatusCodes.Status200OK, "audio/x-mpegurl");
        files.MapPost("/actions", ActAsync).Needs(ApiRights.Change).WithName("actOnFiles").AcceptsJson<FilesActionBody>();
    }

    private static Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>, NotFound<ErrorBody>>> ListAsync(
        FileFinder finder, TreeBrowser browser, string? parent, string? path, string? sort, bool? descending, int? offset, int? limit,
        CancellationToken cancellationToken) =>
        FileListing.ListAsync(finder, browser, parent, path, sort, descending, offset, limit, cancellationToken);

    private static Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>>> SearchAsync(
        TreeBrowser browser, string? query, string? kind, int? offset, int? limit, CancellationToken cancellationToken) =>
        FileListing.SearchAsync(browser, query, kind, offset, limit, cancellationToken);

    private static async Task<Results<Ok<FileCheckBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>>> CheckAsync(
        FileFinder finder, FileChecks checks, string id, CancellationToken cancellationToken)
    {
        if (await finder.FindAsync(id, cancellationToken) is not { } found)
            return TypedResults.NotFound(new ErrorBody("There is no such file."));
        return await checks.CheckAsync(found.Item, cancellationToken) is { } answer
            ? TypedResults.Ok(new FileCheckBody(answer.Articles, answer.Checked, answer.Gone, [.. answer.Providers.Select(
                one => new FileCheckProviderBody(one.Name, one.Found, one.Missing, one.Unanswered, one.Reason))], answer.Repair))
            : TypedResults.UnprocessableEntity(new ErrorBody("Only a file that was posted to Usenet has articles to check."));
    }

    private static Task ZipAsync(HttpContext http, FileBytes bytes, string id, CancellationToken cancellationToken) =>
        bytes.ZipAsync(http, id, cancellationToken);

    private static Task<Results<
        ContentHttpResult, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, JsonHttpResult<ErrorBody>>> SubtitleAsync(
        HttpContext http, FileBytes bytes, string id, double? shiftSeconds, CancellationToken cancellationToken) =>
            bytes.SubtitleAsync(http, id, shiftSeconds, cancellationToken);

    private static Task<Results<Ok<PlayLinkBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> LinkAsync(
        HttpContext http, PlayLinks links, string id, CancellationToken cancellationToken) => links.MakeAsync(http, id, cancellationToken);

    private static Task<Results<ContentHttpResult, NotFound<ErrorBody>, BadRequest<ErrorBody>>> PlaylistAsync(
        HttpContext http, PlayLinks links, string id, string? format, CancellationToken cancellationToken) =>
            links.PlaylistAsync(http, id, format, cancellationToken);

    private static Task<Results<Ok<ActionAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> ActAsync(
        HttpContext http, FileActions actions, CancellationToken cancellationToken) =>
        actions.ActAsync(http, cancellationToken);
}

/// <summary>Registers the services of the file routes. The host adds the tree and its store.</summary>
internal static class FilesSetup
{
    public static void AddFiles(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, FilesJson.Default));
        services.TryAddSingleton<TreeBrowser>();
        services.TryAddSingleton(static provider => provider.GetRequiredService<UsenetClient>().Gone);
        services.TryAddSingleton<FileLayouts>();
        services.TryAddSingleton<FileChecks>();
        services.TryAddSingleton<FileMedia>();
        services.TryAddSingleton<FolderZips>();
        services.AddSingleton<FileFinder>().AddSingleton<FileInspection>().AddSingleton<FileActions>().AddSingleton<PlayLinks>()
            .AddSingleton<FileBytes>();
    }
}

/// <summary>JSON serialization of the bodies about files.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(FilePageBody))]
[JsonSerializable(typeof(FileDetailsBody))]
[JsonSerializable(typeof(FileCheckBody))]
[JsonSerializable(typeof(MediaBody))]
[JsonSerializable(typeof(PlayLinkRequestBody))]
[JsonSerializable(typeof(PlayLinkBody))]
[JsonSerializable(typeof(FilesActionBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
internal sealed partial class FilesJson : JsonSerializerContext;

/// <summary>Which of a file's articles the providers have.</summary>
/// <param name="Articles">Articles that hold its bytes and are listed in the .nzb.</param>
/// <param name="Asked">How many of them were checked, spread over the file.</param>
/// <param name="Gone">How many of these every provider says it does not have, and no repair has restored from recovery data.</param>
/// <param name="Providers">The answers of each provider, in the order of the settings.</param>
/// <param name="Repair">State of the repair of the missing articles, as a sentence; null: there is nothing to repair.</param>
internal sealed record FileCheckBody(int Articles, int Asked, int Gone, IReadOnlyList<FileCheckProviderBody> Providers, string? Repair);

/// <summary>The answers of one provider about a file's articles.</summary>
/// <param name="Name">Name of the provider.</param>
/// <param name="Found">Articles that it says it has. Some providers claim to have articles that they cannot deliver.</param>
/// <param name="Missing">Articles that it says it does not have.</param>
/// <param name="Unanswered">Articles about which it gave no answer.</param>
/// <param name="Reason">Why it gave no answer, as text for people; null if it answered for all.</param>
internal sealed record FileCheckProviderBody(string Name, int Found, int Missing, int Unanswered, string? Reason);
