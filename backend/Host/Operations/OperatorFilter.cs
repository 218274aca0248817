using NzbDav.Api;

namespace NzbDav.Host.Operations;

/// <summary>Lets those in who may do everything: whoever sends the full API key, as <c>X-Api-Key</c> or as bearer token. Others get 401.</summary>
internal sealed class OperatorFilter(ApiKeys keys) : IEndpointFilter
{
    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next) =>
        MayPass(context.HttpContext)
            ? await next(context)
            : Results.Text("This needs the API key: X-Api-Key: KEY, or Authorization: Bearer KEY.\n", statusCode: StatusCodes.Status401Unauthorized);

    private bool MayPass(HttpContext http)
    {
        const string Scheme = "Bearer ";
        var header = http.Request.Headers.Authorization.ToString();
        var key = header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) ? header[Scheme.Length..] : http.Request.Headers["X-Api-Key"].ToString();
        return keys.RightsOf(key).HasFlag(ApiRights.Full);
    }
}
