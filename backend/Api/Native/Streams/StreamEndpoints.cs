using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Api.Native.Streams;

/// <summary>Who reads what now: <c>/streams</c>.</summary>
public static class StreamEndpoints
{
    /// <summary>Maps the routes.</summary>
    /// <param name="api">The group <c>/api/v1</c>.</param>
    public static void MapStreams(this IEndpointRouteBuilder api)
    {
        api.MapGet("/streams", List).Needs(ApiRights.Read).WithName("listStreams").WithTags("streams");
        api.MapDelete("/streams/{id}", End).Needs(ApiRights.Change).WithName("endStream").WithTags("streams");
    }

    private static Ok<StreamListBody> List() => TypedResults.Ok(new StreamListBody([]));

    private static Results<NoContent, NotFound<ErrorBody>> End(string id) => TypedResults.NotFound(new ErrorBody($"There is no stream {id}."));
}
