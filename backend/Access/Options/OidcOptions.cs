using Microsoft.AspNetCore.Http;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Options;

/// <summary>An OpenID Connect provider and who of its users may sign in. Immutable.</summary>
public sealed record OidcOptions
{
    /// <summary>The issuer, as the provider calls itself; its discovery document is below.</summary>
    public required Uri Authority { get; init; }

    /// <summary>What the provider calls this server.</summary>
    public required string ClientId { get; init; }

    /// <summary>The secret that it shares with the provider.</summary>
    public required string ClientSecret { get; init; }

    /// <summary>What is asked for.</summary>
    public IReadOnlyList<string> Scopes { get; init; } = ["openid", "profile", "email"];

    /// <summary>The claim that is the user's name; null: the first that is there of preferred_username, email, sub.</summary>
    public string? NameClaim { get; init; }

    /// <summary>
    /// Names that may sign in, in any case. Empty, with <see cref="AllowedGroups"/> empty: everybody whom the provider lets.
    /// </summary>
    public IReadOnlyList<string> AllowedNames { get; init; } = [];

    /// <summary>The claim that lists a user's groups.</summary>
    public string GroupsClaim { get; init; } = "groups";

    /// <summary>Groups whose members may sign in. In a list of either kind is enough.</summary>
    public IReadOnlyList<string> AllowedGroups { get; init; } = [];

    /// <summary>What whoever signs in so may do.</summary>
    public UserRole Role { get; init; } = UserRole.Administrator;

    /// <summary>
    /// How long a session lasts, used or not: what changes at the provider, such as the groups, is learned with the next sign-in.
    /// </summary>
    public TimeSpan SessionLifetime { get; init; } = TimeSpan.FromHours(24);

    /// <summary>True if somebody may sign in.</summary>
    /// <param name="name">The name.</param>
    /// <param name="groups">The groups.</param>
    internal bool Allows(string name, IEnumerable<string> groups) =>
        (AllowedNames.Count == 0 && AllowedGroups.Count == 0)
        || AllowedNames.Contains(name, StringComparer.OrdinalIgnoreCase)
        || groups.Any(group => AllowedGroups.Contains(group, StringComparer.Ordinal));
}

/// <summary>Where signing in with OpenID Connect goes through, below the URL base.</summary>
internal static class OidcPaths
{
    public const string Scheme = "Oidc";

    /// <summary>A browser that comes here is sent to the provider. <c>return</c> tells where it wants to go afterwards.</summary>
    public static readonly PathString Start = new("/signin/oidc");

    /// <summary>Where the provider sends it back.</summary>
    public static readonly PathString Callback = new("/signin/oidc/callback");
}
