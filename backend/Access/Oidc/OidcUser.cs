using System.Text.Json;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary>Who somebody is, by what the userinfo endpoint says.</summary>
/// <param name="Name">The name.</param>
/// <param name="Groups">The groups; none if the provider tells none.</param>
internal sealed record OidcUser(string Name, IReadOnlyList<string> Groups)
{
    private const int LongestName = 256;

    private static readonly string[] NameClaims = ["preferred_username", "email", "sub"];

    /// <exception cref="OidcException">The answer names nobody.</exception>
    public static OidcUser Read(JsonElement claims, OidcOptions options)
    {
        // "The sub (subject) Claim MUST always be returned in the UserInfo Response."
        if (claims.ValueKind != JsonValueKind.Object || Text(claims, "sub") is null)
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

    private static string? Text(JsonElement claims, string name) =>
        claims.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String && value.GetString() is { Length: > 0 and <= LongestName } text && !text.Any(char.IsControl)
            ? text
            : null;

    private static bool IsUnverified(JsonElement claims) =>
        claims.TryGetProperty("email_verified", out var verified) && (verified.ValueKind == JsonValueKind.False || (verified.ValueKind == JsonValueKind.String && verified.GetString() == "false"));

    private static IReadOnlyList<string> List(JsonElement claims, string name)
    {
        if (!claims.TryGetProperty(name, out var value))
            return [];
        return value.ValueKind switch
        {
            JsonValueKind.String => [value.GetString()!],
            JsonValueKind.Array => [.. value.EnumerateArray().Where(one => one.ValueKind == JsonValueKind.String).Select(one => one.GetString()!)],
            _ => [],
        };
    }
}
