using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Api.Native.Files;

/// <summary>Lists pages of the tree, and searches it.</summary>
internal static class FileListing
{
    private const int UsualLimit = 100;
    private const int MostLimit = 500;

    /// <summary>No name contains a longer query.</summary>
    private const int LongestQuery = 500;

    public static async Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>, NotFound<ErrorBody>>> ListAsync(
        FileFinder finder, TreeBrowser browser, string? parent, string? path, string? sort, bool? descending, int? offset, int? limit,
        CancellationToken cancellationToken)
    {
        if (PagingFault(offset, limit) is { } fault)
            return TypedResults.BadRequest(new ErrorBody(fault));
        if (parent is not null && path is not null)
            return TypedResults.BadRequest(new ErrorBody("Name the collection by parent or by path, not by both."));
        TreeOrder? order =
            sort switch { null or "name" => TreeOrder.Name, "size" => TreeOrder.Size, "modified" => TreeOrder.Modified, _ => null };
        if (order is null)
            return TypedResults.BadRequest(new ErrorBody($"sort must be name, size or modified, not {sort}."));
        var found = parent is not null ? await finder.FindAsync(parent, cancellationToken) : await finder.FindByPathAsync(
            path ?? "/" + JobStore.ContentCollection, cancellationToken);
        if (found is not { Item.IsCollection: true })
            return TypedResults.NotFound(new ErrorBody("There is no such collection."));
        var page = await browser.ListAsync(
            found.Item.Id, order.Value, descending ?? false, offset ?? 0, limit ?? UsualLimit, cancellationToken);
        var above = found.Path + "/";
        return TypedResults.Ok(new FilePageBody(
            [.. page.Items.Select(item => FileFinder.BodyOf(item, above + item.Name))], page.Total, offset ?? 0, FileFinder.BodyOf(found),
            [.. found.Steps.SkipLast(1).Select(step => new FileAncestorBody(FileFinder.IdOf(step.Id), step.Name))]));
    }

    public static async Task<Results<Ok<FilePageBody>, BadRequest<ErrorBody>>> SearchAsync(
        TreeBrowser browser, string? query, string? kind, int? offset, int? limit, CancellationToken cancellationToken)
    {
        if (PagingFault(offset, limit) is { } fault)
            return TypedResults.BadRequest(new ErrorBody(fault));
        if (kind is not (null or "file" or "collection"))
            return TypedResults.BadRequest(new ErrorBody($"kind must be file or collection, not {kind}."));
        if (query is null or { Length: > LongestQuery })
            return TypedResults.BadRequest(
                new ErrorBody($"query must contain the words to search for, at most {LongestQuery} characters."));
        CatalogItemKind? only = kind switch { "file" => CatalogItemKind.File, "collection" => CatalogItemKind.Collection, _ => null };
        var page = await browser.SearchAsync(query, only, offset ?? 0, limit ?? UsualLimit, cancellationToken);
        var paths = await browser.PathsAsync([.. page.Items.Select(item => item.Id)], cancellationToken);
        var items = page.Items.Where(item => paths.ContainsKey(item.Id))
            .Select(item => FileFinder.BodyOf(new FoundItem(item, paths[item.Id])));
        return TypedResults.Ok(new FilePageBody([.. items], page.Total, offset ?? 0, Parent: null, []));
    }

    private static string? PagingFault(int? offset, int? limit) =>
        offset < 0 ? "offset must be 0 or more." : limit is < 1 or > MostLimit ? $"limit must be 1 to {MostLimit}." : null;
}

/// <summary>Part of a list of files and collections.</summary>
/// <param name="Items">In the requested order.</param>
/// <param name="Total">How many there are without paging.</param>
/// <param name="Offset">How many come before the first of these.</param>
/// <param name="Parent">The collection that is listed; null for a search.</param>
/// <param name="Ancestors">From the root down to the collection that holds <paramref name="Parent"/>.</param>
internal sealed record FilePageBody(
    IReadOnlyList<FileItemBody> Items, int Total, int Offset, FileItemBody? Parent, IReadOnlyList<FileAncestorBody> Ancestors);

/// <summary>A collection above another one.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
internal sealed record FileAncestorBody(string Id, string Name);
