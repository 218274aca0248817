using System.Text.Json.Serialization;

namespace NzbDav.Access.Oidc;

/// <summary>What is used of a provider's discovery document (OpenID Connect Discovery 1.0 §3).</summary>
internal sealed record OidcDocument
{
    [JsonPropertyName("issuer")]
    public string? Issuer { get; init; }

    [JsonPropertyName("authorization_endpoint")]
    public string? AuthorizationEndpoint { get; init; }

    [JsonPropertyName("token_endpoint")]
    public string? TokenEndpoint { get; init; }

    [JsonPropertyName("userinfo_endpoint")]
    public string? UserInfoEndpoint { get; init; }

    /// <summary>How a client may show who it is.</summary>
    [JsonPropertyName("token_endpoint_auth_methods_supported")]
    public IReadOnlyList<string>? TokenAuthMethods { get; init; }

    /// <summary>True unless the client must send its secret in the form. "If omitted, the default is client_secret_basic."</summary>
    [JsonIgnore]
    public bool TakesBasic =>
        TokenAuthMethods is null || TokenAuthMethods.Contains("client_secret_basic", StringComparer.Ordinal) || !TokenAuthMethods.Contains("client_secret_post", StringComparer.Ordinal);

    /// <summary>What is wrong with it; null if nothing is.</summary>
    public string? Fault(Uri authority)
    {
        // "The issuer value returned MUST be identical to the Issuer URL that was used as the prefix"; a slash at the end is often forgotten.
        if (Issuer?.TrimEnd('/') != authority.AbsoluteUri.TrimEnd('/'))
            return "it calls itself otherwise than NzbDav__Access__Oidc__Authority does";
        return IsAddress(AuthorizationEndpoint) && IsAddress(TokenEndpoint) && IsAddress(UserInfoEndpoint)
            ? null
            : "its discovery document lacks an endpoint: authorization, token and userinfo are needed";
    }

    private static bool IsAddress(string? text) => Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https";
}
