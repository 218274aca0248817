using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;

namespace NzbDav.Access.Sessions;

/// <summary>
/// The cookie of a session: thirty days from its last use (one of OpenID Connect ends sooner: <see cref="OidcOptions.SessionLifetime"/>),
/// for the URL base, out of reach of scripts, over https alone if it came so. It holds the session's id and user, sealed with keys of the
/// configuration folder; the row in the catalog (<see cref="SessionRegistry"/>) makes it count. Not a ticket store: what is in the cookie
/// needs no row for each claim, and no read of the catalog for those that are forged or too old.
/// </summary>
internal static class SessionCookie
{
    public const string Scheme = "Session";
    public const string Name = "nzbdav.session";
    public const string TokenHeader = "X-CSRF-Token";

    /// <summary>From its last use.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromDays(30);

    /// <summary>Sets it.</summary>
    public static Task SignInAsync(HttpContext http, System.Security.Claims.ClaimsPrincipal principal) =>
        http.SignInAsync(Scheme, principal, new AuthenticationProperties { IsPersistent = true });

    /// <summary>Removes it.</summary>
    public static Task SignOutAsync(HttpContext http) => http.SignOutAsync(Scheme);

    public static void Configure(CookieAuthenticationOptions options)
    {
        options.Cookie.Name = Name;
        options.Cookie.HttpOnly = true;
        // Not Strict: who comes back from the OpenID Connect provider, or by a link, is signed in.
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
                // For CallerFinder: what the user may do is in no cookie.
                http.Features.Set(caller);
                return;
            }
        }

        context.RejectPrincipal();
        await SignOutAsync(http);
    }
}
