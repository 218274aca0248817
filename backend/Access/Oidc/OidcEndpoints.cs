using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary><c>/signin/oidc</c>: redirects to the provider. The handler processes the return.</summary>
internal static class OidcEndpoints
{
    public static void MapOidc(this IEndpointRouteBuilder routes) =>
        routes.MapGet(OidcPaths.Start.Value!, BeginAsync).IsOpen().ExcludeFromDescription();

    private static Task BeginAsync(HttpContext http)
    {
        var wanted = http.Request.Query["return"].ToString();
        var target = IsLocal(wanted) ? wanted : http.Request.PathBase.Add("/").ToUriComponent();
        http.Response.Headers.CacheControl = "no-store";
        return http.ChallengeAsync(OidcPaths.Scheme, new AuthenticationProperties { RedirectUri = target });
    }

    /// <summary>Prevents redirects to other sites: <c>//host</c> and <c>/\host</c> lead there.</summary>
    private static bool IsLocal(string path) => path is ['/', ..] and not ['/', '/' or '\\', ..] && !path.Any(char.IsControl);
}
