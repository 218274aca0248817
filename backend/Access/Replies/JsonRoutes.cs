using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Replies;

/// <summary>What routes below <c>/api/v1</c> say of themselves for the API's document.</summary>
public static class JsonRoutes
{
    /// <summary>The route reads its body by <see cref="JsonBody"/>, with the refusals that come of it.</summary>
    public static RouteHandlerBuilder TakesJson<T>(this RouteHandlerBuilder route)
        where T : notnull => route.Accepts<T>("application/json").Refuses(StatusCodes.Status400BadRequest, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType);

    /// <summary>The route may answer with an <see cref="ErrorBody"/> and one of these statuses. 401 and 403 follow from its rule.</summary>
    public static RouteHandlerBuilder Refuses(this RouteHandlerBuilder route, params ReadOnlySpan<int> statuses)
    {
        foreach (var status in statuses)
            route.Produces<ErrorBody>(status);
        return route;
    }
}
