using System.Globalization;
using System.Security.Claims;
using NzbDav.Catalog;

namespace NzbDav.Access;

/// <summary>Callers as claims: what a session's cookie holds.</summary>
internal static class SessionIdentity
{
    private const string Stamp = "stamp";
    private const string Authority = "authority";
    private const string Group = "group";
    private const string Since = "since";

    /// <summary>A session of a user with a password.</summary>
    public static ClaimsPrincipal Of(StoredUser user) => Make(CallerKind.Password, user.Name, new Claim(Stamp, user.Stamp));

    /// <summary>A session of a user of an OpenID Connect provider.</summary>
    /// <param name="name">The user's name there.</param>
    /// <param name="oidc">The provider.</param>
    /// <param name="groups">The groups that counted.</param>
    /// <param name="now">When it begins.</param>
    public static ClaimsPrincipal Of(string name, OidcOptions oidc, IEnumerable<string> groups, DateTimeOffset now) =>
        Make(CallerKind.Oidc, name, [new Claim(Authority, oidc.Authority.AbsoluteUri), new Claim(Since, now.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture)), .. groups.Select(group => new Claim(Group, group))]);

    /// <summary>Somebody for one request.</summary>
    public static ClaimsPrincipal Transient(CallerKind kind, string name) => Make(kind, name);

    /// <summary>Who a session belongs to.</summary>
    public static Caller? CallerOf(ClaimsPrincipal principal) =>
        KindOf(principal) is { } kind ? new Caller(kind, ApiRights.Full, principal.Identity!.Name) { Principal = principal } : null;

    /// <summary>False for a session whose user is gone, has another password, or may not sign in any more, and for one of OpenID Connect that is too old.</summary>
    public static async ValueTask<bool> IsGoodAsync(ClaimsPrincipal principal, UserAccounts accounts, AccessOptions options, DateTimeOffset now, CancellationToken cancellationToken)
    {
        if (principal.Identity?.Name is not { } name)
            return false;
        return KindOf(principal) switch
        {
            CallerKind.Password => await accounts.FindAsync(name, cancellationToken) is { } user && user.Stamp == principal.FindFirst(Stamp)?.Value,
            CallerKind.Oidc => options.Oidc is { } oidc
                && oidc.Authority.AbsoluteUri == principal.FindFirst(Authority)?.Value
                && long.TryParse(principal.FindFirst(Since)?.Value, CultureInfo.InvariantCulture, out var since)
                && now.ToUnixTimeSeconds() - since < oidc.SessionLifetime.TotalSeconds
                && oidc.Allows(name, principal.FindAll(Group).Select(claim => claim.Value)),
            _ => false,
        };
    }

    private static CallerKind? KindOf(ClaimsPrincipal principal) =>
        principal.Identity is { IsAuthenticated: true, AuthenticationType: { } type } && Enum.TryParse<CallerKind>(type, out var kind) ? kind : null;

    /// <summary>The identifier is what tokens against forged requests are bound to: it outlives a change of the password.</summary>
    private static ClaimsPrincipal Make(CallerKind kind, string name, params Claim[] claims) =>
        new(new ClaimsIdentity([new Claim(ClaimTypes.Name, name), new Claim(ClaimTypes.NameIdentifier, $"{kind}:{name}"), .. claims], kind.ToString()));
}
