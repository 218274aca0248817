using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Holding;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Holding;

/// <summary>Files that libraries no longer use, and the actions on them: <c>/api/v1/library</c>.</summary>
internal static class LibraryEndpoints
{
    public static void MapLibrary(this IEndpointRouteBuilder routes)
    {
        var library = routes.MapGroup("/api/v1/library").WithTags("library");
        library.MapGet("", GetAsync).Needs(ApiRights.Read).WithName("getLibrary");
        library.MapPost("/sweep", SweepAsync).Needs(ApiRights.Manage).WithName("sweepLibrary").AcceptsJson<SweepBody>();
        library.MapPost("/keep", KeepAsync).Needs(ApiRights.Manage).WithName("keepItem").AcceptsJson<PathBody>();
        library.MapPost("/delete", DeleteAsync).Needs(ApiRights.Manage).WithName("deleteItem").AcceptsJson<PathBody>();
    }

    private static async Task<Ok<LibraryAnswer>> GetAsync(LibraryView view, CancellationToken cancellationToken) =>
        TypedResults.Ok(await view.DescribeAsync(cancellationToken));

    private static async Task<Results<Ok<LibraryAnswer>, EmptyHttpResult>> SweepAsync(
        HttpContext http, LibraryKeeper keeper, LibraryView view, TimeProvider time)
    {
        if (await JsonBody.ReadAsync(http, HoldingJson.Default.SweepBody) is not { } body)
            return TypedResults.Empty;
        await keeper.SweepAsync(time.GetUtcNow(), body.Accept, http.RequestAborted);
        return TypedResults.Ok(await view.DescribeAsync(http.RequestAborted));
    }

    private static async Task<Results<NoContent, Conflict<ErrorBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> KeepAsync(
        HttpContext http, TreeStore tree, UnwantedItems unwanted, TimeProvider time)
    {
        if (await JsonBody.ReadAsync(http, HoldingJson.Default.PathBody) is not { } body)
            return TypedResults.Empty;
        if (await FindAsync(tree, body, http.RequestAborted) is not { } item)
            return None();
        return await unwanted.KeepAsync(item.Id, time.GetUtcNow(), http.RequestAborted)
            ? TypedResults.NoContent() : TypedResults.Conflict(
                new ErrorBody("A library uses it, or no library ever used it: there is nothing to undo."));
    }

    private static async Task<Results<NoContent, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> DeleteAsync(
        HttpContext http, TreeStore tree, UnwantedItems unwanted)
    {
        if (await JsonBody.ReadAsync(http, HoldingJson.Default.PathBody) is not { } body)
            return TypedResults.Empty;
        if (await FindAsync(tree, body, http.RequestAborted) is not { } item)
            return None();
        await tree.DeleteAsync(item.Id, http.RequestAborted);
        await unwanted.LoadAsync(http.RequestAborted);
        return TypedResults.NoContent();
    }

    private static async ValueTask<CatalogItem?> FindAsync(TreeStore tree, PathBody body, CancellationToken cancellationToken) =>
        body.Path is not null && StorePath.TryParse(string.Join('/', body.Path.Split('/').Select(Uri.EscapeDataString)))
            is { Segments: [JobStore.ContentCollection, _, _, ..] names }
            ? await tree.ResolveAsync(names, cancellationToken) : null;

    private static UnprocessableEntity<ErrorBody> None() =>
        TypedResults.UnprocessableEntity(
            new ErrorBody("There is no such job or file: write its path as /content/CATEGORY/JOB or /content/CATEGORY/JOB/FILE."));
}

/// <summary>An item of the tree.</summary>
/// <param name="Path"><c>/content/CATEGORY/JOB</c>, or an item below it.</param>
internal sealed record PathBody(string? Path);

/// <summary>Requests a reading of all libraries.</summary>
/// <param name="Accept">True to accept that many files are lost, hidden or deleted at once.</param>
internal sealed record SweepBody(bool Accept);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(LibraryAnswer))]
[JsonSerializable(typeof(PathBody))]
[JsonSerializable(typeof(SweepBody))]
internal sealed partial class HoldingJson : JsonSerializerContext;
