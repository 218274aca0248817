using Microsoft.AspNetCore.Http;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Options;

/// <summary>An OpenID Connect provider and who of its users may sign in. Immutable.</summary>
public sealed record OidcOptions
{
    /// <summary>The issuer, as the provider names itself; its discovery document is below.</summary>
    public required Uri Authority { get; init; }

    /// <summary>This server's client id at the provider.</summary>
    public required string ClientId { get; init; }

    /// <summary>The client secret shared with the provider.</summary>
    public required string ClientSecret { get; init; }

    /// <summary>The scopes to request.</summary>
    public IReadOnlyList<string> Scopes { get; init; } = ["openid", "profile", "email"];

    /// <summary>The claim with the user's name; null: the first one present of preferred_username, email, sub.</summary>
    public string? NameClaim { get; init; }

    /// <summary>
    /// Names that may sign in; case is ignored. Empty, with <see cref="AllowedGroups"/> also empty: all users of the provider.
    /// </summary>
    public IReadOnlyList<string> AllowedNames { get; init; } = [];

    /// <summary>The claim that lists a user's groups.</summary>
    public string GroupsClaim { get; init; } = "groups";

    /// <summary>Groups whose members may sign in. A user needs to be in one of the two lists only.</summary>
    public IReadOnlyList<string> AllowedGroups { get; init; } = [];

    /// <summary>The role of users who sign in with the provider.</summary>
    public UserRole Role { get; init; } = UserRole.Administrator;

    /// <summary>How long a session lasts, used or not. Changes at the provider, such as of groups, apply at the next sign-in.</summary>
    public TimeSpan SessionLifetime { get; init; } = TimeSpan.FromHours(24);

    /// <summary>True if a user may sign in.</summary>
    /// <param name="name">The name.</param>
    /// <param name="groups">The groups.</param>
    internal bool Allows(string name, IEnumerable<string> groups) =>
        (AllowedNames.Count == 0 && AllowedGroups.Count == 0)
        || AllowedNames.Contains(name, StringComparer.OrdinalIgnoreCase)
        || groups.Any(group => AllowedGroups.Contains(group, StringComparer.Ordinal));
}

/// <summary>Paths of the sign-in with OpenID Connect, below the URL base.</summary>
internal static class OidcPaths
{
    public const string Scheme = "Oidc";

    /// <summary>Redirects a browser to the provider. <c>return</c> is the page to open afterwards.</summary>
    public static readonly PathString Start = new("/signin/oidc");

    /// <summary>The path to which the provider returns.</summary>
    public static readonly PathString Callback = new("/signin/oidc/callback");
}
