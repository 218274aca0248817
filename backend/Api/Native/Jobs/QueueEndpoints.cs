using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Native.Jobs;

/// <summary>The queue as a whole: <c>/api/v1/queue</c>.</summary>
internal static class QueueEndpoints
{
    private const double LongestPause = 31_536_000;

    public static void MapQueue(this IEndpointRouteBuilder api)
    {
        api.MapGet("/queue", GetAsync).Needs(ApiRights.Read).WithName("getQueue").WithTags("jobs");
        api.MapPut("/queue", ChangeAsync).Needs(ApiRights.Change).WithName("changeQueue").WithTags("jobs").AcceptsJson<QueueChangeBody>();
    }

    private static async Task<Ok<QueueBody>> GetAsync(
        QueueSwitch pause, ISabTraffic traffic, SabCategories categories, CancellationToken cancellationToken) =>
        TypedResults.Ok(await DescribeAsync(pause, traffic, categories, cancellationToken));

    private static async Task<Results<Ok<QueueBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> ChangeAsync(
        HttpContext http, QueueSwitch pause, ISabTraffic traffic, SpeedLimitKeeper line, SabCategories categories,
        CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, JobsJson.Default.QueueChangeBody) is not { } body)
            return TypedResults.Empty;
        if (body.PauseSeconds is { } seconds && (seconds is not (>= 1 and <= LongestPause) || body.Paused == false))
            return TypedResults.UnprocessableEntity(
                new ErrorBody("pauseSeconds must be 1 to 31536000, and needs paused to be true or left out."));
        if (body.SpeedLimit < 0)
            return TypedResults.UnprocessableEntity(new ErrorBody("speedLimit must be a number of bytes per second; 0 for no limit."));
        if (body.SpeedLimit is not null && !Caller.Of(http).Rights.HasFlag(ApiRights.Manage))
        {
            // The limit applies to playback too, so the right to change the queue is not enough.
            await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, "The speed limit needs the right to manage.");
            return TypedResults.Empty;
        }

        if (body.PauseSeconds is { } duration)
            await pause.PauseAsync(TimeSpan.FromSeconds(duration), cancellationToken);
        else if (body.Paused == true)
            await pause.PauseAsync(null, cancellationToken);
        else if (body.Paused == false)
            await pause.ResumeAsync(cancellationToken);
        if (body.SpeedLimit is { } limit)
            await line.SetAsync(limit == 0 ? null : limit, cancellationToken);
        return TypedResults.Ok(await DescribeAsync(pause, traffic, categories, cancellationToken));
    }

    /// <summary>The current state of the queue.</summary>
    internal static async Task<QueueBody> DescribeAsync(
        QueueSwitch pause, ISabTraffic traffic, SabCategories categories, CancellationToken cancellationToken)
    {
        var until = await pause.PausedUntilAsync(cancellationToken);
        return new QueueBody(until is not null, until == DateTimeOffset.MaxValue ? null : until, traffic.SpeedLimit,
            await categories.ListAsync(cancellationToken));
    }
}

/// <summary>The state of the queue.</summary>
/// <param name="Paused">No job is started, except those with priority 2.</param>
/// <param name="PausedUntil">When it resumes by itself; null: it is not paused, or has to be resumed by hand.</param>
/// <param name="SpeedLimit">Bytes per second from all providers together, including playback; null: no limit.</param>
/// <param name="Categories">All categories, by name.</param>
internal sealed record QueueBody(bool Paused, DateTimeOffset? PausedUntil, long? SpeedLimit, IReadOnlyList<string> Categories);

/// <summary>Changes to the queue. Fields that are left out stay unchanged.</summary>
/// <param name="Paused">True pauses the queue, false resumes it.</param>
/// <param name="PauseSeconds">Pause it for this many seconds; 1 to 31,536,000.</param>
/// <param name="SpeedLimit">Bytes per second from all providers together, including playback; 0: no limit. Needs the right to
/// manage.</param>
internal sealed record QueueChangeBody(bool? Paused = null, double? PauseSeconds = null, long? SpeedLimit = null);
