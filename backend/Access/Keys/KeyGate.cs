using Microsoft.AspNetCore.Http;
using NzbDav.Access.Attempts;
using NzbDav.Access.Connections;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Keys;

/// <summary>
/// Checks the keys that callers send, for every route that accepts one. Wrong keys count as failed attempts of their address, like wrong
/// passwords. Thread-safe.
/// </summary>
public sealed class KeyGate(ApiKeys keys, AttemptGate attempts)
{
    private const string Header = "X-Api-Key";
    private const string Scheme = "Bearer ";

    /// <summary>
    /// The key in the headers of a request, <c>X-Api-Key</c> or a bearer token; empty if the header is empty, null if there is neither. A
    /// key in the address ends up in the logs of proxies and the history of browsers: only the SABnzbd interface, whose clients support
    /// nothing else, accepts one there.
    /// </summary>
    public static string? InHeaders(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Headers.TryGetValue(Header, out var header))
            return header.ToString();
        var authorization = request.Headers.Authorization.ToString();
        return authorization.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) ? authorization[Scheme.Length..].Trim() : null;
    }

    /// <summary>Checks a key. A key that was right before is never throttled, even if others guess from the same address.</summary>
    /// <param name="http">The request with the key.</param>
    /// <param name="key">The key as sent, not empty.</param>
    /// <param name="asDownloadClient">See <see cref="ApiKeys.RightsOf"/>.</param>
    /// <returns>The verdict, and the rights of the key here: none unless it is right.</returns>
    public async ValueTask<(SecretVerdict Outcome, ApiRights Rights)> TryAsync(HttpContext http, string key, bool asDownloadClient = false)
    {
        ArgumentNullException.ThrowIfNull(http);

        // A key is right if it is valid for any interface: one without rights here is no guess.
        var outcome = await attempts.TryAsync(
            http.Connection.RemoteIpAddress, "key", key,
            () => ValueTask.FromResult(keys.RightsOf(key, asDownloadClient: true) != ApiRights.None));
        if (outcome != SecretVerdict.Right)
            return (outcome, ApiRights.None);
        ConnectionSlot.Keep(http);
        return (outcome, keys.RightsOf(key, asDownloadClient));
    }
}
