using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Api.Native.Events;

/// <summary>What changes, as it changes: <c>/api/v1/events</c>.</summary>
internal static class EventEndpoints
{
    public static void MapEvents(this IEndpointRouteBuilder api) => api.MapGet("/events", ListenAsync).Needs(ApiRights.Read).WithName("listen").WithTags("events")
        .Produces<string>(StatusCodes.Status200OK, "text/event-stream").Refuses(StatusCodes.Status400BadRequest);

    /// <param name="http">The call.</param>
    /// <param name="topics">Separated by commas; all usual ones if nothing is said.</param>
    /// <param name="after">The id of the last event that was heard, where no Last-Event-ID can be sent.</param>
    private static Task ListenAsync(HttpContext http, string? topics, string? after) =>
        throw new BadHttpRequestException("Events are not there yet.", StatusCodes.Status501NotImplemented);
}
