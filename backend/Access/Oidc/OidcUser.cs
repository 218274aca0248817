using System.Text.Json;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary>A user, from the userinfo endpoint and the identity token.</summary>
/// <param name="Name">The name.</param>
/// <param name="Groups">The groups; empty if the provider sends none.</param>
internal sealed record OidcUser(string Name, IReadOnlyList<string> Groups)
{
    private const int LongestName = 256;

    private static readonly string[] NameClaims = ["preferred_username", "email", "sub"];

    /// <param name="userInfo">The claims from the userinfo endpoint; null if there is none.</param>
    /// <param name="token">The claims of the identity token, used where the endpoint has none.</param>
    /// <param name="options">Names of the claims to use.</param>
    /// <exception cref="OidcException">No claim names the user.</exception>
    public static OidcUser Read(JsonElement? userInfo, JsonElement token, OidcOptions options)
    {
        var claims = Merge(userInfo, token);
        if (Text(claims, "sub") is null)
            throw new OidcException("The sign-in provider does not say who you are.");
        string[] candidates = options.NameClaim is { } claim ? [claim] : NameClaims;
        foreach (var candidate in candidates)
        {
            if (Text(claims, candidate) is not { } name)
                continue;
            if (candidate == "email" && IsUnverified(claims))
                throw new OidcException("The sign-in provider has not verified your mail address.") { Status = 403 };
            return new OidcUser(name, List(claims, options.GroupsClaim));
        }

        throw new OidcException($"The sign-in provider does not tell your {string.Join(" or ", candidates)}.");
    }

    private static Dictionary<string, JsonElement> Merge(JsonElement? userInfo, JsonElement token)
    {
        var claims = new Dictionary<string, JsonElement>(StringComparer.Ordinal);
        foreach (var source in userInfo is { } user ? [token, user] : new[] { token })
        {
            foreach (var claim in source.EnumerateObject())
                claims[claim.Name] = claim.Value;
        }

        return claims;
    }

    private static string? Text(Dictionary<string, JsonElement> claims, string name) =>
        claims.TryGetValue(name, out var value) && value.ValueKind == JsonValueKind.String
            && value.GetString() is { Length: > 0 and <= LongestName } text && !text.Any(char.IsControl)
            ? text
            : null;

    private static bool IsUnverified(Dictionary<string, JsonElement> claims) =>
        claims.TryGetValue("email_verified", out var verified) && (verified.ValueKind == JsonValueKind.False
            || (verified.ValueKind == JsonValueKind.String && verified.GetString() == "false"));

    private static IReadOnlyList<string> List(Dictionary<string, JsonElement> claims, string name)
    {
        if (!claims.TryGetValue(name, out var value))
            return [];
        return value.ValueKind switch
        {
            JsonValueKind.String => [value.GetString()!],
            JsonValueKind.Array =>
                [.. value.EnumerateArray().Where(one => one.ValueKind == JsonValueKind.String).Select(one => one.GetString()!)],

            // Zitadel: {"admin": {"ORGANISATION": "DOMAIN"}}
            JsonValueKind.Object => [.. value.EnumerateObject().Select(one => one.Name)],
            _ => [],
        };
    }
}
