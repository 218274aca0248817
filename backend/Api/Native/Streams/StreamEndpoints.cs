using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>Who reads what now: <c>/api/v1/streams</c>.</summary>
internal static class StreamEndpoints
{
    public static void MapStreams(this IEndpointRouteBuilder api)
    {
        var streams = api.MapGroup("/streams").WithTags("streams");
        streams.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listStreams");
        streams.MapDelete("/{id}", End).Needs(ApiRights.Change).WithName("endStream");
    }

    private static async Task<Ok<StreamListBody>> ListAsync(StreamList list, CancellationToken cancellationToken) => TypedResults.Ok(await list.TakeAsync(cancellationToken));

    private static Results<NoContent, NotFound<ErrorBody>> End(ActiveStreams streams, string id) =>
        streams.End(id) ? TypedResults.NoContent() : TypedResults.NotFound(new ErrorBody("There is no such stream any more."));
}
