using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;

namespace NzbDav.Access.Callers;

/// <summary>
/// How routes say who may call them: <c>routes.MapGet("/api/v1/…", …).Needs(ApiRights.Read)</c>. A route below <c>/api/v1</c> that says
/// nothing is refused to everybody.
/// </summary>
public static class AccessRules
{
    /// <summary>Below it every route needs a rule.</summary>
    internal const string Native = "/api/v1";

    /// <summary>Callers must have these rights: by key, session, trusted proxy or network.</summary>
    public static TBuilder Needs<TBuilder>(this TBuilder route, ApiRights rights)
        where TBuilder : IEndpointConventionBuilder
    {
        if (rights == ApiRights.None)
            throw new ArgumentOutOfRangeException(nameof(rights), "A route that needs nothing is open: say so.");
        return route.WithMetadata(new AccessRule { Rights = rights });
    }

    /// <summary>
    /// As <see cref="Needs"/>, and the caller must have entered the password again: what the route does opens everything, and somebody else
    /// may be using the browser. A key is asked for nothing more.
    /// </summary>
    public static TBuilder NeedsConfirmed<TBuilder>(this TBuilder route, ApiRights rights)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { Rights = rights, IsConfirmed = true });

    /// <summary>Anybody may call; the route decides for itself what it tells.</summary>
    public static TBuilder IsOpen<TBuilder>(this TBuilder route)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { IsOpen = true });

    /// <summary>What a route asks of its callers, from its metadata: for documents about routes.</summary>
    /// <returns><see cref="ApiRights.None"/> for one that is open to everybody; null for one that has no rule.</returns>
    public static ApiRights? RightsOf(IEnumerable<object> metadata) =>
        metadata.OfType<AccessRule>().LastOrDefault() is { } rule ? (rule.IsOpen ? ApiRights.None : rule.Rights) : null;

    /// <summary>True for the pattern of a route that needs a rule.</summary>
    internal static bool IsNative(string? pattern) =>
        new PathString("/" + pattern?.TrimStart('/')).StartsWithSegments(Native, StringComparison.OrdinalIgnoreCase);

    /// <summary>Anybody may call to sign in.</summary>
    internal static TBuilder BeginsSession<TBuilder>(this TBuilder route)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { IsOpen = true, BeginsSession = true });
}

/// <summary>What a route asks of its callers. Metadata of its endpoint; see <see cref="AccessRules"/>.</summary>
internal sealed record AccessRule
{
    /// <summary>What the caller must be allowed.</summary>
    public ApiRights Rights { get; init; } = ApiRights.Full;

    /// <summary>Anybody may come; the route decides for itself.</summary>
    public bool IsOpen { get; init; }

    /// <summary>The caller must have entered the password again: see <see cref="Sessions.PasswordAgain"/>.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>Runs before there can be a CSRF token: the browser's statement of the request's origin is enough.</summary>
    public bool BeginsSession { get; init; }
}
