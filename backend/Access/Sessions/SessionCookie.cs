using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;

namespace NzbDav.Access.Sessions;

/// <summary>
/// The cookie of a session. Valid for thirty days from its last use (a session of OpenID Connect ends sooner:
/// <see cref="OidcOptions.SessionLifetime"/>), for the URL base, not readable by scripts, over https only if it was set over https. It
/// contains the session's id and user, encrypted with keys of the configuration folder; the session also needs its row in the catalog
/// (<see cref="SessionRegistry"/>). No ticket store: the claims in the cookie need no rows, and forged or expired cookies cause no read of
/// the catalog.
/// </summary>
internal static class SessionCookie
{
    public const string Scheme = "Session";
    public const string Name = "nzbdav.session";
    public const string TokenHeader = "X-CSRF-Token";

    /// <summary>Time from its last use.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromDays(30);

    /// <summary>Sets the cookie.</summary>
    public static Task SignInAsync(HttpContext http, System.Security.Claims.ClaimsPrincipal principal) =>
        http.SignInAsync(Scheme, principal, new AuthenticationProperties { IsPersistent = true });

    /// <summary>Removes the cookie.</summary>
    public static Task SignOutAsync(HttpContext http) => http.SignOutAsync(Scheme);

    public static void Configure(CookieAuthenticationOptions options)
    {
        options.Cookie.Name = Name;
        options.Cookie.HttpOnly = true;
        // Not Strict: a user who returns from the OpenID Connect provider, or follows a link, must be signed in.
        options.Cookie.SameSite = SameSiteMode.Lax;
        options.Cookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
        options.Cookie.IsEssential = true;
        options.ExpireTimeSpan = Lifetime;
        options.SlidingExpiration = true;
        options.Events.OnValidatePrincipal = ValidateAsync;
    }

    private static async Task ValidateAsync(CookieValidatePrincipalContext context)
    {
        var http = context.HttpContext;
        var services = http.RequestServices;
        if (context.Principal is { } principal && SessionIdentity.SessionOf(principal) is { } session)
        {
            var caller = await SessionIdentity.IdentifyAsync(
                principal, services.GetRequiredService<UserAccounts>(), services.GetRequiredService<LiveAccess>().Current,
                services.GetRequiredService<TimeProvider>().GetUtcNow(), http.RequestAborted);
            var sessions = services.GetRequiredService<SessionRegistry>();
            if (caller is null)
            {
                await sessions.EndAsync([session], http.RequestAborted);
            }
            else if (await sessions.TouchAsync(http, session))
            {
                // For CallerFinder: the cookie does not contain the user's rights.
                http.Features.Set(caller);
                return;
            }
        }

        context.RejectPrincipal();
        await SignOutAsync(http);
    }
}
