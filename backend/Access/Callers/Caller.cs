using System.Security.Claims;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;

namespace NzbDav.Access.Callers;

/// <summary>Who asks, and what they may do. A feature of requests to routes that have a rule.</summary>
/// <param name="Kind">How the caller was identified.</param>
/// <param name="Rights">What they may do.</param>
/// <param name="Name">The name; null if there is none.</param>
public sealed record Caller(CallerKind Kind, ApiRights Rights = ApiRights.None, string? Name = null)
{
    /// <summary>Nobody known.</summary>
    public static Caller Nobody { get; } = new(CallerKind.Nobody);

    /// <summary>True when the browser sends the credentials by itself, with forged requests too.</summary>
    internal bool IsAmbient => Kind is CallerKind.Password or CallerKind.Oidc or CallerKind.Proxy or CallerKind.Network;

    /// <summary>True for a session that this server keeps a cookie for.</summary>
    internal bool HasCookie => Kind is CallerKind.Password or CallerKind.Oidc;

    /// <summary>The id of the session; null if there is none.</summary>
    internal string? Session { get; init; }

    /// <summary>The principal for ASP.NET Core.</summary>
    internal ClaimsPrincipal? Principal { get; init; }

    /// <summary>The caller of a request; nobody if its route has no rule.</summary>
    public static Caller Of(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return http.Features.Get<Caller>() ?? Nobody;
    }
}
