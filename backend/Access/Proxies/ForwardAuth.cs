using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Proxies;

/// <summary>Reads the user's name from a trusted proxy.</summary>
internal static class ForwardAuth
{
    /// <summary>The header with the secret that the proxy shares with this server.</summary>
    public const string SecretHeader = "X-Forward-Auth-Secret";

    private const int LongestName = 256;

    /// <summary>The name; null if the request does not come from a trusted proxy, the secret is wrong, or there is no name that can be one.</summary>
    public static string? NameOf(HttpContext http, AccessOptions options) =>
        options.ForwardAuthHeader is { } header
        && http.Features.Get<ClientOrigin>() is { IsTrustedProxy: true }
        && (options.ForwardAuthSecret is not { } secret || HasSecret(http.Request, secret))
        && http.Request.Headers[header] is [{ Length: > 0 and <= LongestName } name]
        && !name.Any(IsNoName)
            ? name
            : null;

    // Two headers may have been made one on the way: "anna, bert".
    private static bool IsNoName(char c) => char.IsControl(c) || c == ',';

    private static bool HasSecret(HttpRequest request, string secret) =>
        request.Headers[SecretHeader] is [{ } sent] && SecretText.Matches(secret, sent);
}
