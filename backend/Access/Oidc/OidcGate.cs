using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary>
/// Runs before ASP.NET Core's handler: fetches the provider's document, or responds with an error. So an unreachable provider affects only
/// users who sign in with it.
/// </summary>
internal sealed class OidcGate(LiveAccess access, OidcDiscovery discovery)
{
    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var path = http.Request.Path;
        if (path != OidcPaths.Start && path != OidcPaths.Callback)
        {
            await next(http);
            return;
        }

        OidcException? failure = null;
        try
        {
            if (access.Current.Oidc is { } oidc)
                await discovery.GetAsync(oidc, http.RequestAborted);
            else
                failure = OidcException.None();
        }
        catch (OidcException e)
        {
            failure = e;
        }

        await (failure is null ? next(http) : OidcFailure.AnswerAsync(http, failure));
    }
}
