using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;

namespace NzbDav.Access.Callers;

/// <summary>
/// Declares who may call a route: <c>routes.MapGet("/api/v1/…", …).Needs(ApiRights.Read)</c>. A route below <c>/api/v1</c> without a rule
/// is refused to everybody.
/// </summary>
public static class AccessRules
{
    /// <summary>Every route below this path needs a rule.</summary>
    internal const string Native = "/api/v1";

    /// <summary>The name of the route's value with the key.</summary>
    public const string AddonKeyValue = "addonKey";

    /// <summary>Callers must have these rights: by key, session, trusted proxy or network.</summary>
    public static TBuilder Needs<TBuilder>(this TBuilder route, ApiRights rights)
        where TBuilder : IEndpointConventionBuilder
    {
        if (rights == ApiRights.None)
            throw new ArgumentOutOfRangeException(nameof(rights), "A route that needs nothing is open: say so.");
        return route.WithMetadata(new AccessRule { Rights = rights });
    }

    /// <summary>
    /// Like <see cref="Needs"/>, and the caller must have entered the password again: the route gives access to everything, and somebody
    /// else may be using the browser. Calls with a key need no confirmation.
    /// </summary>
    public static TBuilder NeedsConfirmed<TBuilder>(this TBuilder route, ApiRights rights)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { Rights = rights, IsConfirmed = true });

    /// <summary>Anybody may call; the route itself decides what to return.</summary>
    public static TBuilder IsOpen<TBuilder>(this TBuilder route)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { IsOpen = true });

    /// <summary>
    /// Callers must have a key of the add-on for Stremio in the address, as the route's value <see cref="AddonKeyValue"/>. Nothing else
    /// that they send counts.
    /// </summary>
    public static TBuilder NeedsAddonKey<TBuilder>(this TBuilder route)
        where TBuilder : IEndpointConventionBuilder =>
        route.WithMetadata(new AccessRule { Rights = ApiRights.Read | ApiRights.Add, HasKeyInAddress = true });

    /// <summary>The rights that a route needs, from its metadata: for documents about routes.</summary>
    /// <returns><see cref="ApiRights.None"/> for an open route; null for a route without a rule.</returns>
    public static ApiRights? RightsOf(IEnumerable<object> metadata) =>
        metadata.OfType<AccessRule>().LastOrDefault() is { } rule ? (rule.IsOpen ? ApiRights.None : rule.Rights) : null;

    /// <summary>True for the pattern of a route that needs a rule.</summary>
    internal static bool IsNative(string? pattern) =>
        new PathString("/" + pattern?.TrimStart('/')).StartsWithSegments(Native, StringComparison.OrdinalIgnoreCase);

    /// <summary>Anybody may call, to sign in.</summary>
    internal static TBuilder BeginsSession<TBuilder>(this TBuilder route)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new AccessRule { IsOpen = true, BeginsSession = true });
}

/// <summary>Who may call a route. Metadata of its endpoint; see <see cref="AccessRules"/>.</summary>
internal sealed record AccessRule
{
    /// <summary>The rights that the caller needs.</summary>
    public ApiRights Rights { get; init; } = ApiRights.Full;

    /// <summary>Anybody may call; the route decides for itself.</summary>
    public bool IsOpen { get; init; }

    /// <summary>The caller must have entered the password again: see <see cref="Sessions.PasswordAgain"/>.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>The key is in the address: see <see cref="AccessRules.NeedsAddonKey"/>.</summary>
    public bool HasKeyInAddress { get; init; }

    /// <summary>The route runs before there can be a CSRF token: the origin that the browser states for the request is enough.</summary>
    public bool BeginsSession { get; init; }
}
