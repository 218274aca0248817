using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access;

/// <summary>How routes describe themselves for OpenAPI.</summary>
public static class ReplyMetadata
{
    /// <summary>Declares refusals with an <see cref="ErrorBody"/>.</summary>
    /// <param name="route">The route.</param>
    /// <param name="statuses">Beside 401, 403, 429 and 503, which every route that needs rights may answer with.</param>
    public static RouteHandlerBuilder Refuses(this RouteHandlerBuilder route, params ReadOnlySpan<int> statuses)
    {
        foreach (var status in (ReadOnlySpan<int>)[.. statuses, StatusCodes.Status401Unauthorized, StatusCodes.Status403Forbidden, StatusCodes.Status429TooManyRequests, StatusCodes.Status503ServiceUnavailable])
            route.Produces<ErrorBody>(status);
        return route;
    }

    /// <summary>Declares a body that <see cref="JsonBody"/> reads, and its refusals.</summary>
    public static RouteHandlerBuilder Reads<T>(this RouteHandlerBuilder route)
        where T : notnull =>
        route.Accepts<T>("application/json").Produces<ErrorBody>(StatusCodes.Status400BadRequest).Produces<ErrorBody>(StatusCodes.Status413PayloadTooLarge).Produces<ErrorBody>(StatusCodes.Status415UnsupportedMediaType);
}
