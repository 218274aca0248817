using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;
using NzbDav.Arr.Repair;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Settings;
using NzbDav.Library.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>The health of posts, and the actions on it: <c>/api/v1/health</c>.</summary>
internal static class UpkeepEndpoints
{
    private const int MostPosts = 500;

    public static void MapUpkeep(this IEndpointRouteBuilder routes)
    {
        var health = routes.MapGroup("/api/v1/health").WithTags("health");
        health.MapGet("", async (HealthView view, CancellationToken cancellationToken) =>
            TypedResults.Ok(await view.DescribeAsync(cancellationToken))).Needs(ApiRights.Read).WithName("getHealth");
        health.MapGet("/posts", ListAsync).Needs(ApiRights.Read).WithName("listHealth");
        health.MapGet("/posts/{id}", FindAsync).Needs(ApiRights.Read).WithName("getHealthOfPost");
        health.MapPost("/posts/{id}/check", CheckAsync).Needs(ApiRights.Change).WithName("checkHealthOfPost");
        health.MapPost("/posts/{id}/undo", UndoAsync).Needs(ApiRights.Change).WithName("undoHealthOfPost");
        health.MapPost("/posts/{id}/keep", KeepAsync).Needs(ApiRights.Change).WithName("keepPost").AcceptsJson<HealthKeepBody>();
        health.MapPost("/pause", PauseAsync).Needs(ApiRights.Manage).WithName("pauseHealth").AcceptsJson<HealthPauseBody>();
        health.MapPost("/release", AllowRemovalsAsync).Needs(ApiRights.Manage).WithName("releaseRemovals");
    }

    private static async Task<Results<Ok<HealthListBody>, BadRequest<ErrorBody>>> ListAsync(
        HealthView view, CancellationToken cancellationToken, string? verdict = null, string? text = null, int start = 0, int limit = 100)
    {
        if (start < 0 || limit is < 1 or > MostPosts)
            return TypedResults.BadRequest(new ErrorBody($"start must be at least 0, and limit 1 … {MostPosts}."));
        var verdicts = new List<HealthVerdict>();
        foreach (var name in (verdict ?? "").Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (char.IsAsciiDigit(name[0]) || !Enum.TryParse<HealthVerdict>(name, ignoreCase: true, out var known))
                return TypedResults.BadRequest(
                    new ErrorBody($"'{name}' is not one of new, healthy, suspect, missing, repaired, replaced and givenUp."));
            verdicts.Add(known);
        }

        return TypedResults.Ok(await view.ListAsync(verdicts, text, start, limit, cancellationToken));
    }

    private static async Task<Results<Ok<HealthDetailBody>, NotFound<ErrorBody>>> FindAsync(
        string id, HealthView view, CancellationToken cancellationToken) =>
        IdOf(id) is { } item && await view.FindAsync(item, cancellationToken) is { } detail ? TypedResults.Ok(detail) : None();

    private static async Task<Results<Ok<HealthDetailBody>, NotFound<ErrorBody>, Conflict<ErrorBody>>> CheckAsync(
        string id, HealthKeeper keeper, HealthView view, Live<HealthOptions> options, CancellationToken cancellationToken)
    {
        if (options.Value.StatsPerDay == 0)
            return TypedResults.Conflict(
                new ErrorBody("Health checks are switched off: set the number of checks a day (Health:StatsPerDay)."));
        return IdOf(id) is { } item && await keeper.CheckAsync(item, cancellationToken) is not null
            && await view.FindAsync(item, cancellationToken) is { } detail ? TypedResults.Ok(detail) : None();
    }

    private static async Task<Results<Ok<HealthDetailBody>, NotFound<ErrorBody>, Conflict<ErrorBody>>> UndoAsync(
        string id, HealthDesk desk, HealthView view, CancellationToken cancellationToken)
    {
        if (IdOf(id) is not { } item || await view.FindAsync(item, cancellationToken) is null)
            return None();
        if (!await desk.UndoAsync(item, cancellationToken))
            return TypedResults.Conflict(new ErrorBody("There is no action on this post that can be undone."));
        return await view.FindAsync(item, cancellationToken) is { } detail ? TypedResults.Ok(detail) : None();
    }

    private static async Task<Results<Ok<HealthDetailBody>, NotFound<ErrorBody>, EmptyHttpResult>> KeepAsync(
        HttpContext http, string id, HealthDesk desk, HealthKeeper keeper, HealthView view)
    {
        if (await JsonBody.ReadAsync(http, UpkeepJson.Default.HealthKeepBody) is not { } body)
            return TypedResults.Empty;
        if (IdOf(id) is not { } item || !await desk.KeepAsync(item, body.Keep, http.RequestAborted))
            return None();
        keeper.RunSoon();
        return await view.FindAsync(item, http.RequestAborted) is { } detail ? TypedResults.Ok(detail) : None();
    }

    private static async Task<Results<Ok<HealthOverviewBody>, EmptyHttpResult>> PauseAsync(
        HttpContext http, HealthDesk desk, HealthKeeper keeper, HealthView view)
    {
        if (await JsonBody.ReadAsync(http, UpkeepJson.Default.HealthPauseBody) is not { } body)
            return TypedResults.Empty;
        await desk.PauseAsync(body.Pause, http.RequestAborted);
        keeper.RunSoon();
        return TypedResults.Ok(await view.DescribeAsync(http.RequestAborted));
    }

    private static async Task<Results<Ok<HealthOverviewBody>, Conflict<ErrorBody>>> AllowRemovalsAsync(
        HealthDesk desk, HealthKeeper keeper, HealthView view, CancellationToken cancellationToken)
    {
        if (!await desk.AllowRemovalsAsync(cancellationToken))
            return TypedResults.Conflict(new ErrorBody("No removal is waiting for approval."));
        keeper.RunSoon();
        return TypedResults.Ok(await view.DescribeAsync(cancellationToken));
    }

    private static long? IdOf(string id) => long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var item) ? item : null;

    private static NotFound<ErrorBody> None() =>
        TypedResults.NotFound(new ErrorBody("There is no such post, or it is not known to the health checks yet."));
}

/// <summary>Whether a post is left unchanged.</summary>
/// <param name="Keep">True: it is checked, and nothing is done about it.</param>
internal sealed record HealthKeepBody(bool Keep);

/// <summary>Whether checks are paused.</summary>
/// <param name="Pause">True: nothing is checked until checks are resumed.</param>
internal sealed record HealthPauseBody(bool Pause);

/// <summary>Notifies pages that the health of posts changed.</summary>
internal sealed class HealthTopic : StateTopic<HealthNewsBody>
{
    private readonly TimeProvider _time;

    public HealthTopic(HealthStore store, TimeProvider time)
        : base("health", TimeSpan.FromSeconds(1))
    {
        _time = time;
        store.Changed += Note;
    }

    protected override HealthNewsBody Snapshot() => new(_time.GetUtcNow());
}

/// <summary>The health of posts changed and has to be read again.</summary>
/// <param name="At">When it changed.</param>
internal sealed record HealthNewsBody(DateTimeOffset At);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(HealthOverviewBody))]
[JsonSerializable(typeof(HealthListBody))]
[JsonSerializable(typeof(HealthDetailBody))]
[JsonSerializable(typeof(HealthNewsBody))]
[JsonSerializable(typeof(HealthKeepBody))]
[JsonSerializable(typeof(HealthPauseBody))]
[JsonSerializable(typeof(ReplacementSearch))]
internal sealed partial class UpkeepJson : JsonSerializerContext;
