using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Replies;
using NzbDav.Api.Native;
using NzbDav.Api.Native.Play;
using NzbDav.Catalog.Links;

namespace NzbDav.Api.Stremio;

/// <summary>
/// The add-on for Stremio, below <c>/stremio/KEY</c>, and its keys: <c>/api/v1/stremio</c>. The protocol is that of Stremio's SDK
/// (github.com/Stremio/stremio-addon-sdk, docs/protocol.md). Below <c>/stremio/KEY/direct</c> it is the same, but that files of the library
/// have addresses without a redirect, which end after a time.
/// </summary>
public static class StremioEndpoints
{
    /// <summary>Path of the add-on, before the key.</summary>
    internal const string Root = "/stremio";

    private const string DirectPart = "direct";

    /// <summary>How long a client may keep a list of streams: an indexer counts each search. One without is asked for again.</summary>
    private const int KeepSeconds = 300;

    /// <summary>Registers the services.</summary>
    public static IServiceCollection AddStremio(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, StremioKeysJson.Default));
        return services.AddSingleton<StremioTitles>().AddSingleton<StremioLibrary>().AddSingleton<StremioStreams>();
    }

    /// <summary>Maps the routes.</summary>
    public static void MapStremio(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var keys = routes.MapGroup(NativeSetup.Root + "/stremio").WithTags("stremio");
        keys.MapGet("", ListKeysAsync).Needs(ApiRights.Manage).WithName("listAddonKeys");
        keys.MapPost("", AddKeyAsync).Needs(ApiRights.Manage).WithName("addAddonKey").AcceptsJson<AddonKeyNameBody>();
        keys.MapDelete("/{id}", RevokeKeyAsync).Needs(ApiRights.Manage).WithName("revokeAddonKey");

        foreach (var root in (string[])[$"{Root}/{{{AccessRules.AddonKeyValue}}}", $"{Root}/{{{AccessRules.AddonKeyValue}}}/{DirectPart}"])
        {
            var addon = routes.MapGroup(root).NeedsAddonKey().ExcludeFromDescription();
            addon.MapGet("/manifest.json", ManifestAsync);
            addon.MapGet("/catalog/{type}/{id}.json", CatalogAsync);
            addon.MapGet("/catalog/{type}/{id}/{extra}.json", CatalogAsync);
            addon.MapGet("/meta/{type}/{id}.json", MetaAsync);
            addon.MapGet("/stream/{type}/{id}.json", StreamsAsync);
            addon.MapMethods("/play/{release}/{name}", [HttpMethods.Get, HttpMethods.Head], PlayAsync);
            addon.MapMethods("/file/{id}/{name}", [HttpMethods.Get, HttpMethods.Head], PlayFileAsync);
        }
    }

    /// <summary>The server's address as the caller has it, without a slash at its end and without the URL base.</summary>
    internal static string RootOf(HttpContext http) => $"{http.Request.Scheme}://{http.Request.Host}";

    /// <summary>An address of this add-on for the caller.</summary>
    internal static string AddressOf(HttpContext http, string rest) =>
        $"{RootOf(http)}{http.Request.PathBase}{Root}/{http.GetRouteValue(AccessRules.AddonKeyValue)}/{rest}";

    private static async Task<Ok<AddonKeysBody>> ListKeysAsync(AddonKeys keys, CancellationToken cancellationToken) =>
        TypedResults.Ok(new AddonKeysBody([.. (await keys.ListAsync(cancellationToken)).Select(AddonKeyBody.Of)]));

    private static async Task<Results<Created<AddonAddressBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> AddKeyAsync(
        HttpContext http, AddonKeys keys, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, StremioKeysJson.Default.AddonKeyNameBody) is not { } body)
            return TypedResults.Empty;
        if (body.Name?.Trim() is not { Length: > 0 and <= AddonKeys.LongestName } name)
            return TypedResults.UnprocessableEntity(new ErrorBody($"Give it a name of at most {AddonKeys.LongestName} characters."));
        if (await keys.AddAsync(name, cancellationToken) is not var (row, key))
        {
            return TypedResults.UnprocessableEntity(
                new ErrorBody($"There are {AddonKeys.Most} addresses already: revoke those that are no longer used."));
        }

        http.Response.Headers.CacheControl = "no-store";
        var path = $"{http.Request.PathBase}{Root}/{key}/manifest.json";
        return TypedResults.Created((string?)null, new AddonAddressBody(
            AddonKeyBody.Of(row), path, RootOf(http) + path, $"stremio://{http.Request.Host}{path}"));
    }

    private static async Task<Results<NoContent, NotFound<ErrorBody>>> RevokeKeyAsync(
        AddonKeys keys, string id, CancellationToken cancellationToken) =>
        long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && await keys.RemoveAsync(number, cancellationToken)
            ? TypedResults.NoContent() : TypedResults.NotFound(new ErrorBody("There is no such address."));

    private static async Task ManifestAsync(HttpContext http, ServerFacts facts)
    {
        var version = facts.Version.Split('+')[0];
        var extra = (StremioExtra[])[new("search"), new("skip")];
        await SendAsync(http, new StremioManifest(
            IsDirect(http) ? "org.nzbdav.direct" : "org.nzbdav", Version.TryParse(version.Split('-')[0], out _) ? version : "0.0.0",
            "NzbDav", "Plays from Usenet and torrents at once: what is in the library, and what the indexers list.",
            [
                new("catalog", [StremioMeta.Movie, StremioMeta.Series], null),
                new("meta", [StremioMeta.Movie, StremioMeta.Series], [StremioLibrary.Prefix]),
                new("stream", [StremioMeta.Movie, StremioMeta.Series, "anime"],
                    [StremioId.Imdb, StremioId.Tvdb + ":", StremioId.Tmdb + ":", StremioId.Kitsu + ":", StremioLibrary.Prefix]),
            ],
            [StremioMeta.Movie, StremioMeta.Series, "anime"],
            [
                new(StremioMeta.Movie, "nzbdav-movies", "NzbDav", extra), new(StremioMeta.Series, "nzbdav-series", "NzbDav", extra),
            ]), StremioJson.Default.StremioManifest);
    }

    private static async Task CatalogAsync(HttpContext http, StremioLibrary library, string type)
    {
        var extra = http.GetRouteValue("extra") is null ? [] : ExtraOf(http);
        var skip = extra.TryGetValue("skip", out var text) && int.TryParse(text, CultureInfo.InvariantCulture, out var number)
            ? Math.Clamp(number, 0, 100_000) : 0;
        var search = extra.TryGetValue("search", out var words) ? words.ToString() : null;
        var metas = type is StremioMeta.Movie or StremioMeta.Series
            ? await library.ListAsync(type == StremioMeta.Series, search, skip, http.RequestAborted) : [];
        await SendAsync(http, new StremioMetasBody(metas), StremioJson.Default.StremioMetasBody);
    }

    private static async Task MetaAsync(HttpContext http, StremioLibrary library, string id) =>
        await SendAsync(http, new StremioMetaBody(await library.FindAsync(id, http.RequestAborted)), StremioJson.Default.StremioMetaBody);

    private static async Task StreamsAsync(HttpContext http, StremioStreams streams, string type, string id)
    {
        var found = await streams.FindAsync(http, type, id, IsDirect(http));
        await SendAsync(http, found, StremioJson.Default.StremioStreamsBody, found.Streams.Count > 0 ? KeepSeconds : 0);
    }

    private static async Task PlayAsync(HttpContext http, StremioStreams streams, string release, string name)
    {
        var (path, failure) = await streams.PlayAsync(
            http, release, Path.GetFileNameWithoutExtension(name), Number("season"), Number("episode"));
        await RedirectAsync(http, path, failure);

        int? Number(string name) =>
            int.TryParse(http.Request.Query[name], NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
    }

    private static async Task PlayFileAsync(HttpContext http, StremioStreams streams, string id) =>
        await RedirectAsync(http, await streams.PlayFileAsync(http, id), failure: null);

    /// <summary>Sends the player on to the file. The address that it gets dies with the key, too.</summary>
    private static async Task RedirectAsync(HttpContext http, string? path, PlayFailure? failure)
    {
        http.Response.Headers.CacheControl = "no-store";
        http.Response.Headers["Referrer-Policy"] = "no-referrer";
        if (path is not null)
        {
            http.Response.Redirect(path);
            return;
        }

        http.Response.StatusCode = failure is { MayPass: true } ? StatusCodes.Status503ServiceUnavailable : StatusCodes.Status404NotFound;
        http.Response.ContentType = "text/plain; charset=utf-8";
        if (!HttpMethods.IsHead(http.Request.Method))
            await http.Response.WriteAsync(failure?.Message ?? "There is no such file.", http.RequestAborted);
    }

    private static bool IsDirect(HttpContext http) =>
        http.Request.Path.Value!.Split('/') is [_, _, _, DirectPart, ..];

    /// <summary>
    /// The parameters of a catalogue, <c>search=tom%20%26%20jerry&amp;skip=100</c>, from the address as it was sent: the route's value is
    /// decoded already, so that an ampersand in a word looks like one between parameters.
    /// </summary>
    private static Dictionary<string, Microsoft.Extensions.Primitives.StringValues> ExtraOf(HttpContext http)
    {
        var target = http.Features.Get<IHttpRequestFeature>()!.RawTarget.Split('?')[0];
        var last = target[(target.LastIndexOf('/') + 1)..];
        return QueryHelpers.ParseQuery(last.EndsWith(".json", StringComparison.Ordinal) ? last[..^5] : last);
    }

    private static async Task SendAsync<T>(
        HttpContext http, T body, System.Text.Json.Serialization.Metadata.JsonTypeInfo<T> type, int keepSeconds = 0)
    {
        http.Response.Headers.CacheControl = keepSeconds > 0
            ? string.Create(CultureInfo.InvariantCulture, $"private, max-age={keepSeconds}") : "no-store";
        await http.Response.WriteAsJsonAsync(body, type, contentType: null, http.RequestAborted);
    }
}

/// <summary>Request for an address of the add-on.</summary>
/// <param name="Name">What it is for, such as the device.</param>
internal sealed record AddonKeyNameBody(string? Name);

/// <summary>A key of the add-on, which is not told.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">What it is for.</param>
/// <param name="Made">When it was made.</param>
internal sealed record AddonKeyBody(string Id, string Name, DateTimeOffset Made)
{
    public static AddonKeyBody Of(AddonKey key) => new(key.Id.ToString(CultureInfo.InvariantCulture), key.Name, key.Made);
}

/// <summary>The keys of the add-on.</summary>
/// <param name="Keys">The latest first.</param>
internal sealed record AddonKeysBody(IReadOnlyList<AddonKeyBody> Keys);

/// <summary>A new address of the add-on. It is told once.</summary>
/// <param name="Key">Its key's row.</param>
/// <param name="Path">What follows scheme and host, with the URL base.</param>
/// <param name="Address">The same with the scheme and host of the call.</param>
/// <param name="Install">The address that opens Stremio and installs the add-on.</param>
internal sealed record AddonAddressBody(AddonKeyBody Key, string Path, string Address, string Install);

/// <summary>JSON settings of the keys.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(AddonKeyNameBody))]
[JsonSerializable(typeof(AddonKeysBody))]
[JsonSerializable(typeof(AddonAddressBody))]
internal sealed partial class StremioKeysJson : JsonSerializerContext;

/// <summary>What the add-on is and can.</summary>
internal sealed record StremioManifest(
    string Id, string Version, string Name, string Description, IReadOnlyList<StremioResource> Resources, IReadOnlyList<string> Types,
    IReadOnlyList<StremioCatalog> Catalogs);

/// <summary>A resource of the add-on.</summary>
internal sealed record StremioResource(string Name, IReadOnlyList<string> Types, IReadOnlyList<string>? IdPrefixes);

/// <summary>A catalogue of the add-on.</summary>
internal sealed record StremioCatalog(string Type, string Id, string Name, IReadOnlyList<StremioExtra> Extra);

/// <summary>A parameter of a catalogue.</summary>
internal sealed record StremioExtra(string Name);

/// <summary>An entry of a catalogue.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Type"><see cref="Movie"/> or <see cref="Series"/>.</param>
/// <param name="Name">Its title.</param>
internal sealed record StremioMeta(string Id, string Type, string Name)
{
    public const string Movie = "movie";
    public const string Series = "series";

    /// <summary>The year; null: not known.</summary>
    public string? ReleaseInfo { get; init; }

    /// <summary>The release; null: there are several.</summary>
    public string? Description { get; init; }

    /// <summary>The episodes; null: a film.</summary>
    public IReadOnlyList<StremioVideo>? Videos { get; init; }
}

/// <summary>An episode.</summary>
internal sealed record StremioVideo(string Id, string Title, int Season, int Episode, DateTimeOffset Released);

/// <summary>A page of a catalogue.</summary>
internal sealed record StremioMetasBody(IReadOnlyList<StremioMeta> Metas);

/// <summary>An entry; null: there is none.</summary>
internal sealed record StremioMetaBody([property: JsonIgnore(Condition = JsonIgnoreCondition.Never)] StremioMeta? Meta);

/// <summary>A way to play an id.</summary>
/// <param name="Name">The first lines, beside the list.</param>
/// <param name="Description">What it is.</param>
/// <param name="Url">Its address.</param>
/// <param name="BehaviorHints">For the player.</param>
internal sealed record StremioStream(string Name, string Description, string Url, StremioHints BehaviorHints);

/// <summary>Hints for the player.</summary>
/// <param name="Filename">The file's name; null: not known yet.</param>
/// <param name="VideoSize">Its bytes; null: not known.</param>
/// <param name="BingeGroup">The next episode plays from a stream of the same group.</param>
internal sealed record StremioHints(string? Filename, long? VideoSize, string BingeGroup)
{
    /// <summary>True: the container may be one that a browser does not play, so Stremio plays it by its own server.</summary>
    public bool NotWebReady { get; } = true;
}

/// <summary>The streams of an id.</summary>
/// <param name="Streams">The streams, the best first.</param>
internal sealed record StremioStreamsBody(IReadOnlyList<StremioStream> Streams);

/// <summary>JSON settings of the add-on.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(StremioManifest))]
[JsonSerializable(typeof(StremioMetasBody))]
[JsonSerializable(typeof(StremioMetaBody))]
[JsonSerializable(typeof(StremioStreamsBody))]
internal sealed partial class StremioJson : JsonSerializerContext;
