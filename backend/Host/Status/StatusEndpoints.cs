using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Host.Status;

/// <summary>The state of the server, now and over time: <c>/api/v1/status</c>, <c>/api/v1/series</c>.</summary>
internal static class StatusEndpoints
{
    public static void MapStatus(this IEndpointRouteBuilder routes)
    {
        var api = routes.MapGroup("/api/v1").WithTags("status");
        api.MapGet("/status", async (StatusReporter status, CancellationToken cancellationToken) => TypedResults.Ok(await status.ReportAsync(cancellationToken)))
            .Needs(ApiRights.Read).WithName("getStatus");
        api.MapGet("/series", Read).Needs(ApiRights.Read).WithName("getSeries");
    }

    private static Results<Ok<SeriesBody>, BadRequest<ErrorBody>> Read(SeriesRecorder series, string? span = "hour") => span switch
    {
        "hour" => TypedResults.Ok(series.Read(SeriesSpan.Hour)),
        "day" => TypedResults.Ok(series.Read(SeriesSpan.Day)),
        _ => TypedResults.BadRequest(new ErrorBody($"span must be hour or day, not '{span}'.")),
    };
}
