using System.Security.Claims;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;

namespace NzbDav.Access.Callers;

/// <summary>The caller of a request, and the caller's rights. A feature of requests to routes that have a rule.</summary>
/// <param name="Kind">How the caller was identified.</param>
/// <param name="Rights">The caller's rights.</param>
/// <param name="Name">The name; null if there is none.</param>
public sealed record Caller(CallerKind Kind, ApiRights Rights = ApiRights.None, string? Name = null)
{
    /// <summary>An unidentified caller.</summary>
    public static Caller Nobody { get; } = new(CallerKind.Nobody);

    /// <summary>True when browsers send the credentials automatically, also with forged requests.</summary>
    internal bool IsAmbient => Kind is CallerKind.Password or CallerKind.Oidc or CallerKind.Proxy or CallerKind.Network;

    /// <summary>True for a session with a cookie of this server.</summary>
    internal bool HasCookie => Kind is CallerKind.Password or CallerKind.Oidc;

    /// <summary>The id of the session; null if there is none.</summary>
    internal string? Session { get; init; }

    /// <summary>The id of the key in the address; null: there is none.</summary>
    internal long? AddonKey { get; init; }

    /// <summary>The principal for ASP.NET Core.</summary>
    internal ClaimsPrincipal? Principal { get; init; }

    /// <summary>The caller of a request; <see cref="Nobody"/> if its route has no rule.</summary>
    public static Caller Of(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return http.Features.Get<Caller>() ?? Nobody;
    }
}

/// <summary>How a caller was identified.</summary>
public enum CallerKind
{
    /// <summary>Not identified.</summary>
    Nobody,

    /// <summary>A wrong key.</summary>
    WrongKey,

    /// <summary>A key that was not checked: too many attempts came from its address.</summary>
    Throttled,

    /// <summary>A key.</summary>
    Key,

    /// <summary>A session of a user with a password.</summary>
    Password,

    /// <summary>A session of a user of the OpenID Connect provider.</summary>
    Oidc,

    /// <summary>A name from a trusted proxy.</summary>
    Proxy,

    /// <summary>The network that the request comes from.</summary>
    Network,

    /// <summary>A key in an address of the add-on for Stremio.</summary>
    Addon,
}
