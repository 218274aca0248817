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
using NzbDav.Api.Native.Events;
using NzbDav.Api.Native.Replies;
using NzbDav.Catalog.Browsing;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Torrents and their swarms: <c>/api/v1/torrents</c>.</summary>
internal static class TorrentEndpoints
{
    /// <summary>Bytes per second. Less would be no upload at all: a block has 16 KiB.</summary>
    private const long LeastRate = 1_024;

    /// <summary>One block per second: a reader gives up when nothing arrives for a while.</summary>
    private const long LeastDownRate = 16_384;

    public static void MapTorrents(this IEndpointRouteBuilder api)
    {
        var torrents = api.MapGroup("/torrents").WithTags("torrents");
        torrents.MapGet("", async (TorrentList list, CancellationToken cancellationToken) =>
            TypedResults.Ok(await list.ListAsync(cancellationToken))).Needs(ApiRights.Read).WithName("listTorrents");
        torrents.MapGet("/{hash}", GetAsync).Needs(ApiRights.Read).WithName("getTorrent");
        torrents.MapGet("/network", GetNetwork).Needs(ApiRights.Read).WithName("getTorrentNetwork");
        torrents.MapPost("/actions", TorrentChanges.ActAsync).Needs(ApiRights.Change).WithName("actOnTorrents")
            .AcceptsJson<TorrentsActionBody>();
        torrents.MapPut("/{hash}/files", TorrentChanges.PrioritizeAsync).Needs(ApiRights.Change).WithName("prioritizeTorrentFiles")
            .AcceptsJson<TorrentPriorityBody>();
        torrents.MapPut("/{hash}/policy", TorrentChanges.SetPolicyAsync).Needs(ApiRights.Change).WithName("setTorrentPolicy")
            .AcceptsJson<TorrentPolicyBody>();
        torrents.MapPut("/{hash}/limits", LimitAsync).Needs(ApiRights.Change).WithName("limitTorrent").AcceptsJson<TorrentLimitsBody>();
    }

    private static async Task<Results<Ok<TorrentDetailsBody>, NotFound<ErrorBody>>> GetAsync(
        string hash, TorrentList list, CancellationToken cancellationToken) =>
        InfoHash.TryParse(hash, out var known) && await list.FindAsync(known, cancellationToken) is { } torrent
            ? TypedResults.Ok(torrent) : TypedResults.NotFound(Unknown(hash));

    private static Results<Ok<TorrentNetworkBody>, NotFound<ErrorBody>> GetNetwork(TorrentList list) =>
        list.Network is { } network ? TypedResults.Ok(network) : TypedResults.NotFound(TorrentChanges.Off);

    private static async Task<Results<
        Ok<TorrentLimitsBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, Conflict<ErrorBody>, EmptyHttpResult>> LimitAsync(
        HttpContext http, string hash, TorrentList list, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, TorrentJson.Default.TorrentLimitsBody) is not { } body)
            return TypedResults.Empty;
        if (body.UpRate is < LeastRate)
            return TypedResults.UnprocessableEntity(new ErrorBody("upRate is bytes per second, at least 1024; null for no limit."));
        if (body.DownRate is < LeastDownRate)
            return TypedResults.UnprocessableEntity(new ErrorBody("downRate is bytes per second, at least 16384; null for no limit."));
        if (!InfoHash.TryParse(hash, out var known) || await list.FindAsync(known, cancellationToken) is null)
            return TypedResults.NotFound(Unknown(hash));
        return await list.TryLimitAsync(known, body, cancellationToken) ? TypedResults.Ok(body) : TypedResults.Conflict(TorrentChanges.Off);
    }

    public static ErrorBody Unknown(string hash) => new($"There is no torrent {hash}.");
}

/// <summary>Registers the services of the torrent routes.</summary>
internal static class TorrentsSetup
{
    public static void AddTorrents(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, TorrentJson.Default));
        services.AddSingleton<TorrentPlaces>().AddSingleton<TorrentList>();
        services.AddTopic<TorrentTopic, TorrentsBody>();
    }
}

/// <summary>JSON serialization of torrents.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(TorrentsBody))]
[JsonSerializable(typeof(TorrentDetailsBody))]
[JsonSerializable(typeof(TorrentLimitsBody))]
[JsonSerializable(typeof(TorrentsActionBody))]
[JsonSerializable(typeof(TorrentPolicyBody))]
[JsonSerializable(typeof(TorrentPriorityBody))]
[JsonSerializable(typeof(TorrentNetworkBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
internal sealed partial class TorrentJson : JsonSerializerContext;
