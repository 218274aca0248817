using System.Globalization;
using System.Security.Claims;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Options;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Sessions;

/// <summary>Converts callers to claims, which a session's cookie contains.</summary>
internal static class SessionIdentity
{
    private const string Stamp = "stamp";
    private const string Session = "session";
    private const string Authority = "authority";
    private const string Group = "group";
    private const string Since = "since";

    /// <summary>A session of a user with a password.</summary>
    /// <param name="user">The user.</param>
    /// <param name="session">Its id.</param>
    public static ClaimsPrincipal Of(StoredUser user, string session) =>
        Make(CallerKind.Password, user.Name, new Claim(Stamp, user.Stamp), new Claim(Session, session));

    /// <summary>A session of a user of an OpenID Connect provider.</summary>
    /// <param name="name">The user's name there.</param>
    /// <param name="session">Its id.</param>
    /// <param name="oidc">The provider.</param>
    /// <param name="groups">The groups that allowed the sign-in.</param>
    /// <param name="now">Start of the session.</param>
    public static ClaimsPrincipal Of(string name, string session, OidcOptions oidc, IEnumerable<string> groups, DateTimeOffset now) => Make(
        CallerKind.Oidc,
        name,
        [new Claim(Session, session), new Claim(Authority, oidc.Authority.AbsoluteUri), new Claim(
            Since, now.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture)), .. groups.Select(group => new Claim(Group, group))]);

    /// <summary>A principal for one request.</summary>
    public static ClaimsPrincipal Transient(CallerKind kind, string name) => Make(kind, name);

    /// <summary>The id of the session that a cookie names; null if it names none.</summary>
    public static string? SessionOf(ClaimsPrincipal principal) => principal.FindFirst(Session)?.Value;

    /// <summary>The caller for a session's user.</summary>
    public static Caller CallerOf(ClaimsPrincipal principal, CallerKind kind, UserRole role) =>
        new(kind, Roles.RightsOf(role), principal.Identity!.Name) { Principal = principal, Session = SessionOf(principal) };

    /// <summary>
    /// The caller for a cookie's session, with the current role; null when the user is gone, has another password, or may not sign in any
    /// more, and for an expired session of OpenID Connect.
    /// </summary>
    public static async ValueTask<Caller?> IdentifyAsync(
        ClaimsPrincipal principal, UserAccounts accounts, AccessOptions options, DateTimeOffset now, CancellationToken cancellationToken)
    {
        if (principal.Identity?.Name is not { } name)
            return null;
        switch (KindOf(principal))
        {
            case CallerKind.Password:
                return await accounts.FindAsync(name, cancellationToken) is { } user && user.Stamp == principal.FindFirst(Stamp)?.Value
                    ? CallerOf(principal, CallerKind.Password, user.Role) : null;
            case CallerKind.Oidc:
                var stands = options.Oidc is { } oidc
                    && oidc.Authority.AbsoluteUri == principal.FindFirst(Authority)?.Value
                    && long.TryParse(principal.FindFirst(Since)?.Value, CultureInfo.InvariantCulture, out var since)
                    && now.ToUnixTimeSeconds() - since < oidc.SessionLifetime.TotalSeconds
                    && oidc.Allows(name, principal.FindAll(Group).Select(claim => claim.Value));
                return stands ? CallerOf(principal, CallerKind.Oidc, options.Oidc!.Role) : null;
            default:
                return null;
        }
    }

    /// <summary>The claims that must still be valid when something that outlasts the session is checked: all but its id.</summary>
    public static string ProofOf(ClaimsPrincipal principal) => QueryString.Create(
        principal.Claims.Where(static claim => claim.Type is Stamp or Authority or Since or Group)
            .Select(static claim => KeyValuePair.Create(claim.Type, (string?)claim.Value))).Value!;

    /// <summary>The principal of the session's user, from <see cref="ProofOf"/>: for <see cref="IdentifyAsync"/>.</summary>
    public static ClaimsPrincipal Restore(CallerKind kind, string name, string proof) => Make(
        kind, name,
        [.. QueryHelpers.ParseQuery(proof).SelectMany(static pair => pair.Value.Select(value => new Claim(pair.Key, value ?? "")))]);

    /// <summary>When a session of OpenID Connect ends; null for any other.</summary>
    public static DateTimeOffset? EndOf(ClaimsPrincipal principal, AccessOptions options) =>
        KindOf(principal) == CallerKind.Oidc && options.Oidc is { } oidc
            && long.TryParse(principal.FindFirst(Since)?.Value, CultureInfo.InvariantCulture, out var since)
            ? DateTimeOffset.FromUnixTimeSeconds(since) + oidc.SessionLifetime
            : null;

    private static CallerKind? KindOf(ClaimsPrincipal principal) =>
        principal.Identity is { IsAuthenticated: true, AuthenticationType: { } type } && Enum.TryParse<CallerKind>(type, out var kind)
            ? kind : null;

    /// <summary>Antiforgery tokens are bound to the identifier: it stays the same when the password changes.</summary>
    private static ClaimsPrincipal Make(CallerKind kind, string name, params Claim[] claims) =>
        new(new ClaimsIdentity(
            [new Claim(ClaimTypes.Name, name), new Claim(ClaimTypes.NameIdentifier, $"{kind}:{name}"), .. claims], kind.ToString()));
}
