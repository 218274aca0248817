using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Api.Native.Links;

/// <summary>Links to single files for people without a password: <c>/api/v1/links</c>.</summary>
public static class LinkEndpoints
{
    private const int DefaultHours = 24;

    /// <summary>Maps the routes.</summary>
    /// <param name="routes">The routes to add to.</param>
    /// <param name="revoke">Replaces the key of all links that people made; with true, also that of those in .strm files.</param>
    public static void MapLinks(this IEndpointRouteBuilder routes, Func<bool, Task> revoke)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var links = routes.MapGroup(NativeSetup.Root + "/links").WithTags("links");
        links.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listLinks");
        links.MapPost("", MakeAsync).Needs(ApiRights.Manage).WithName("makeLink").AcceptsJson<LinkBody>();
        links.MapDelete("", (SignedLinkStore store, CancellationToken cancellationToken, bool strm = false) =>
            RevokeAllAsync(store, revoke, strm, cancellationToken))
            .Needs(ApiRights.Manage).WithName("revokeLinks").Refuses(StatusCodes.Status503ServiceUnavailable);
        links.MapDelete("/{id}", RevokeAsync).Needs(ApiRights.Read).WithName("revokeLink");
    }

    internal static void AddLinks(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, LinksJson.Default));
        services.AddSingleton<MadeLinks>().AddSingleton<IMadeLinks>(static provider => provider.GetRequiredService<MadeLinks>());
    }

    /// <summary>What is wrong with the requested hours, as a sentence; null: nothing.</summary>
    internal static string? FaultOf(int? hours, int most) =>
        hours is { } asked && (asked < 1 || asked > most) ? $"A link lasts 1 to {most} hours." : null;

    private static async Task<Results<Ok<LinkListBody>, JsonHttpResult<ErrorBody>>> ListAsync(
        HttpContext http, MadeLinks links, TreeBrowser browser, CancellationToken cancellationToken, bool all = false)
    {
        if (all && !Caller.Of(http).Rights.HasFlag(ApiRights.Manage))
            return TypedResults.Json(
                new ErrorBody("It takes the right to manage to see the links of others."), statusCode: StatusCodes.Status403Forbidden);
        var list = await links.ListAsync(http, all, cancellationToken);
        var paths = await browser.PathsAsync([.. list.Select(static link => link.ItemId).Distinct()], cancellationToken);
        return TypedResults.Ok(
            new LinkListBody([.. list.Where(link => paths.ContainsKey(link.ItemId)).Select(link => Of(link, paths[link.ItemId]))]));
    }

    private static async Task<Results<Created<LinkAnswer>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> MakeAsync(
        HttpContext http, TreeStore tree, MadeLinks links, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, LinksJson.Default.LinkBody) is not { } body)
            return TypedResults.Empty;
        if (FaultOf(body.Hours, links.MostHours(http)) is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        if (body.Path is null || StorePath.TryParse(string.Join('/', body.Path.Split('/').Select(Uri.EscapeDataString)))
            is not { Segments: [JobStore.ContentCollection, ..] segments }
            || await tree.ResolveAsync(segments, cancellationToken) is not { IsCollection: false } item)
        {
            return TypedResults.UnprocessableEntity(new ErrorBody("There is no such file: write its path as /content/CATEGORY/JOB/FILE."));
        }

        var link = await links.MakeAsync(http, item, TimeSpan.FromHours(body.Hours ?? DefaultHours), isPlay: false, cancellationToken);
        return TypedResults.Created((string?)null, new LinkAnswer(link.Path, link.Expires));
    }

    private static async Task<Results<NoContent, NotFound<ErrorBody>>> RevokeAsync(
        HttpContext http, MadeLinks links, string id, CancellationToken cancellationToken) =>
        long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && await links.RevokeAsync(http, number, cancellationToken)
            ? TypedResults.NoContent()
            : TypedResults.NotFound(new ErrorBody("There is no such link, or it is not yours."));

    private static async Task<Results<NoContent, JsonHttpResult<ErrorBody>>> RevokeAllAsync(
        SignedLinkStore store, Func<bool, Task> revoke, bool strm, CancellationToken cancellationToken)
    {
        try
        {
            await revoke(strm);
            await store.ClearAsync(cancellationToken);
            return TypedResults.NoContent();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return TypedResults.Json(
                new ErrorBody($"The key of links cannot be written: {e.Message}"), statusCode: StatusCodes.Status503ServiceUnavailable);
        }
    }

    private static LinkInfoBody Of(SignedLink link, IReadOnlyList<PathStep> steps) => new()
    {
        Id = link.Id.ToString(CultureInfo.InvariantCulture),
        FileId = link.ItemId.ToString(CultureInfo.InvariantCulture),
        Path = "/" + string.Join('/', steps.Select(static step => step.Name)),
        Maker = link.Name,
        Via = link.Via,
        Play = link.IsPlay,
        Made = link.CreatedAt,
        Expires = link.Expires,
    };
}

/// <summary>A request for a link.</summary>
/// <param name="Path">The file: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="Hours">How many hours it works, from 1 to what <c>Access:LinkDays</c> allows; null: a day.</param>
internal sealed record LinkBody(string? Path, int? Hours);

/// <summary>A link that was made.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
internal sealed record LinkAnswer(string Path, DateTimeOffset Expires);

/// <summary>A link that somebody made and that opens a file now.</summary>
internal sealed record LinkInfoBody
{
    /// <summary>The link's id.</summary>
    public required string Id { get; init; }

    /// <summary>The file's id.</summary>
    public required string FileId { get; init; }

    /// <summary>The file's path: <c>/content/CATEGORY/JOB/FILE</c>.</summary>
    public required string Path { get; init; }

    /// <summary>
    /// Who made it: a user, <c>full</c> or <c>read</c> for an API key, the name of an add-on's key; empty for a caller who need not sign
    /// in.
    /// </summary>
    public required string Maker { get; init; }

    /// <summary>
    /// How the maker was identified: <c>password</c>, <c>oidc</c>, <c>key</c>, <c>proxy</c>, <c>network</c> or <c>addon</c>.
    /// </summary>
    public required string Via { get; init; }

    /// <summary>True for a player's link, false for one that was made to be shared.</summary>
    public required bool Play { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset Made { get; init; }

    /// <summary>When it stops working.</summary>
    public required DateTimeOffset Expires { get; init; }
}

/// <summary>Links.</summary>
/// <param name="Links">Latest first.</param>
internal sealed record LinkListBody(IReadOnlyList<LinkInfoBody> Links);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(LinkBody))]
[JsonSerializable(typeof(LinkAnswer))]
[JsonSerializable(typeof(LinkListBody))]
internal sealed partial class LinksJson : JsonSerializerContext;
